with recursive
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "age", null as "patient", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.minimal_generalizations: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (0, 'patient', 'patient', 'tanon.minimal_generalizations: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.minimal_generalizations: qi must be columns of source, none twice', '', ''),
                (1000002, 'age', 'age', 'tanon.minimal_generalizations: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.minimal_generalizations: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.minimal_generalizations: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.minimal_generalizations: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.minimal_generalizations: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
            || left(any_value(column_type), 0)
        from tanon_columns_of_source
        where folded = 'admitted' and ends_with(column_type, 'WITH TIME ZONE')
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- the argument hierarchies: tanon_duck/macros/source_ctes.py
tanon_given_hierarchies as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select 'age' as attribute, level, age::varchar as value,
        (age // (5 * 2 ** level)::int)::varchar as generalized
        from (select distinct age from visits), range(1, 5) as levels(level)))
    union all by name select null::varchar as attribute, null::integer as level, null::"NULL" as value, null::"NULL" as generalized where false
),
-- the argument hierarchies: tanon_duck/macros/source_ctes.py
tanon_columns_of_hierarchies as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.minimal_generalizations: hierarchies must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select 'age' as attribute, level, age::varchar as value,
        (age // (5 * 2 ** level)::int)::varchar as generalized
        from (select distinct age from visits), range(1, 5) as levels(level)))
),
-- the argument hierarchies: tanon_duck/macros/source_ctes.py
tanon_hierarchies_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.minimal_generalizations: hierarchies must be a table, a view or a query in parentheses with columns attribute, level, value, generalized'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['attribute', 'level', 'value', 'generalized']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_hierarchies)
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument hierarchies: tanon_duck/macros/source_ctes.py
tanon_hierarchies as not materialized (
    from tanon_given_hierarchies where (select fine from tanon_hierarchies_is_fine)
),
-- sql/steps/rows_of_each.sql
tanon_rows_of_each as (
    select "patient" as tanon_uid, count(*) as tanon_n from tanon_source group by "patient"
),
-- sql/steps/hierarchies/coded.sql
tanon_regulars as materialized (
    select tanon_uid, (row_number() over ())::integer as tanon_who
    from tanon_rows_of_each
    where tanon_n > 1
),
-- sql/steps/hierarchies/population.sql
tanon_repeaters as (
    select tanon_who from tanon_regulars
),
-- sql/steps/time/offer.sql
tanon_offer as materialized (
    select *, list_position(['month', 'quarter', 'year']::varchar[], tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            , ('month', 'months', 31, 0, [0], [31], False, False, 86400000000, 2629746000000),
                ('quarter', 'months', 93, 0, [0], [93], False, False, 86400000000, 7889238000000),
                ('year', 'months', 372, 0, [0], [372], False, False, 86400000000, 31556952000000)
        ) as tanon_rules(
            tanon_name, tanon_unit, tanon_width, tanon_begin, tanon_starts, tanon_ends,
            tanon_in_days, tanon_has_gaps, tanon_beat_us, tanon_length
        )
    )
    where tanon_name is not null
),
-- sql/steps/time/offer.sql
tanon_pairs as materialized (
    select a.tanon_name as tanon_below, b.tanon_name as tanon_above
    from tanon_offer as a join tanon_offer as b on a.tanon_name <> b.tanon_name
    where case
        when a.tanon_unit = 'calendar' or b.tanon_unit = 'calendar' then false
        when a.tanon_unit = b.tanon_unit then list_bool_and(list_transform(
            a.tanon_starts,
            lambda start, i: list_sum(list_transform(
                b.tanon_starts,
                lambda low, j: tanon._positions_within(
                    a.tanon_begin + start - b.tanon_begin, gcd(a.tanon_width, b.tanon_width),
                    low, b.tanon_ends[j] - a.tanon_ends[i] + start
                )
            )) = b.tanon_width // gcd(a.tanon_width, b.tanon_width)
        ))
        else a.tanon_in_days and not b.tanon_has_gaps and b.tanon_beat_us = 86400000000 end
),
-- sql/steps/time/offer.sql
tanon_granules_differ as (
select coalesce(error('tanon.minimal_generalizations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'granularities must have different granules, got '
        || string_agg(
            a.tanon_below || ' and ' || a.tanon_above, ', ' order by a.tanon_below asc nulls last
        )
        || ' with the same'
    from tanon_pairs as a join tanon_pairs as b
        on a.tanon_below = b.tanon_above and a.tanon_above = b.tanon_below
    where a.tanon_below < a.tanon_above
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/time/offer.sql
tanon_finer as materialized (
    from tanon_pairs where (select tanon_fine from tanon_granules_differ)
),
-- sql/steps/time/clock.sql
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.minimal_generalizations', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/time/feasible.sql
tanon_span as materialized (
    select
        count(*) as tanon_rows, min(tanon_t) as tanon_first, max(tanon_t) as tanon_last,
        coalesce(bool_or(tanon_is_date), false) as tanon_is_date,
        min(tanon_t) filter (where tanon_t >= timestamp '10000-01-01') as tanon_late
    from tanon_timed
),
-- sql/steps/time/feasible.sql
tanon_uncovered as (
    select tanon_name, min(tanon_t) as tanon_gap
    from (
        select
            tanon_name,
            case when tanon_first < timestamp '0001-01-01' then tanon_first else tanon_late end
                as tanon_t
        from tanon_offer, tanon_span
        where tanon_unit <> 'calendar'
    )
    group by tanon_name
),
-- sql/steps/time/feasible.sql
tanon_feasibility as materialized (
    select
        tanon_name, tanon_length, tanon_place,
        case
            when tanon_is_date and tanon_beat_us < 86400000000
                then 'its granules are shorter than the days of a DATE such as '
                    || tanon_first::date
            when tanon_gap is not null then 'no granule covers '
                || case when tanon_is_date then tanon_gap::date::varchar
                    else tanon_gap::varchar end
        end as tanon_reason
    from tanon_offer left join tanon_uncovered using (tanon_name), tanon_span
),
-- sql/steps/hierarchies/moments.sql
tanon_times as materialized (
    select row_number() over (
        order by tanon_length asc nulls last, tanon_name asc nulls last
    ) as tanon_place, tanon_name
    from tanon_feasibility
    where tanon_reason is null
),
-- sql/steps/hierarchies/nodes.sql
tanon_times_below as (
    select
        a.tanon_place,
        string_agg(case when a.tanon_place = b.tanon_place or exists (
            from tanon_finer where tanon_below = b.tanon_name and tanon_above = a.tanon_name
        ) then '1' else '0' end, '' order by b.tanon_place asc nulls last) as tanon_bits
    from tanon_times as a, tanon_times as b
    group by a.tanon_place
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_hierarchy as materialized (
    select distinct
        tanon_attribute, tanon_h.level::integer as tanon_level,
        tanon._value_text(tanon_h.value) as tanon_value,
        tanon._value_text(tanon_h.generalized) as tanon_general
    from tanon_hierarchies as tanon_h join (select unnest(['sex', 'age']::varchar[]) as tanon_attribute)
        on tanon._folded(tanon_h.attribute) = tanon._folded(tanon_attribute)
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_attributes_are_known as (
select coalesce(error('tanon.minimal_generalizations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'hierarchies must be of columns of qi, got '
        || coalesce('''' || tanon_name || '''' || tanon._hint(tanon_name, tanon_known), 'NULL')
    from (
        select attribute::varchar as tanon_name
        from tanon_hierarchies
        group by attribute
    ), (select ['sex', 'age']::varchar[] as tanon_known)
    where tanon_name is null or not tanon._has_names(tanon_known, [tanon_name])
    order by tanon_name asc nulls last
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_levels_given as materialized (
    select distinct tanon_attribute, tanon_level
    from tanon_hierarchy
    where (select tanon_fine from tanon_attributes_are_known)
    union
    select unnest(['sex', 'age']::varchar[]), 0
),
-- sql/steps/hierarchies/dictionaries.sql
"tanon_dictionary_sex" as materialized (
        select *, (row_number() over (
            order by tanon_value asc nulls first, tanon._order_key(tanon_raw) asc nulls last
        ))::integer as tanon_number
        from (
            select
                "sex" as tanon_raw, tanon._value_text("sex") as tanon_value,
                count(*) as tanon_n
            from tanon_source
            group by "sex"
        )
),
-- sql/steps/hierarchies/dictionaries.sql
"tanon_dictionary_age" as materialized (
        select *, (row_number() over (
            order by tanon_value asc nulls first, tanon._order_key(tanon_raw) asc nulls last
        ))::integer as tanon_number
        from (
            select
                "age" as tanon_raw, tanon._value_text("age") as tanon_value,
                count(*) as tanon_n
            from tanon_source
            group by "age"
        )
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_attribute_values as materialized (
    select tanon_attribute, tanon_value, tanon_number, sum(tanon_n)::bigint as tanon_n
    from (
        select 'sex' as tanon_attribute, tanon_value, tanon_number, tanon_n
        from "tanon_dictionary_sex"
         union all
        select 'age' as tanon_attribute, tanon_value, tanon_number, tanon_n
        from "tanon_dictionary_age"
    )
    group by all
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_paths as materialized (
    select
        tanon_v.tanon_attribute, tanon_l.tanon_level, tanon_number,
        any_value(tanon_v.tanon_value) as tanon_value, any_value(tanon_n) as tanon_n,
        count(tanon_h.tanon_level) as tanon_given,
        case when tanon_l.tanon_level = 0 then any_value(tanon_v.tanon_value)
            else min(tanon_general) end as tanon_general
    from tanon_attribute_values as tanon_v
    join tanon_levels_given as tanon_l on tanon_v.tanon_attribute = tanon_l.tanon_attribute
    left join tanon_hierarchy as tanon_h
        on tanon_h.tanon_attribute = tanon_v.tanon_attribute
        and tanon_h.tanon_level = tanon_l.tanon_level
        and tanon_h.tanon_value is not distinct from tanon_v.tanon_value
    group by tanon_v.tanon_attribute, tanon_l.tanon_level, tanon_number
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_levels_are_whole as (
select coalesce(error('tanon.minimal_generalizations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'hierarchies must have levels 1, 2, 3 and so on, got for ' || tanon_attribute || ' '
        || list(tanon_level order by tanon_level asc nulls last)::varchar
    from tanon_levels_given
    group by tanon_attribute
    having max(tanon_level) + 1 <> count(*) or min(tanon_level) < 0 or count(tanon_level) < count(*)
) as tanon_messages(tanon_message)
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_values_are_generalized as (
select coalesce(error('tanon.minimal_generalizations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'hierarchies must generalize every value on every level once, got ' || count(*)
        || ' that are not, such as ' || min(tanon_attribute || ' '
        || coalesce(tanon_value, 'NULL') || ' on level ' || tanon_level || ', ' || tanon_given
        || ' times')
    from tanon_paths
    where (select tanon_fine from tanon_levels_are_whole)
        and tanon_level > 0 and tanon_given <> 1 and (tanon_value is not null or tanon_given > 1)
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_levels_are_nested as (
select coalesce(error('tanon.minimal_generalizations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'hierarchies must be nested, got ' || min(tanon_attribute || ' '
        || coalesce(tanon_general, 'NULL') || ' of level ' || tanon_level)
        || ' in more than one value of the next level'
    from (
        select tanon_attribute, a.tanon_level, a.tanon_general
        from tanon_paths as a join tanon_paths as b using (tanon_attribute, tanon_number)
        where (select tanon_fine from tanon_values_are_generalized) and b.tanon_level = a.tanon_level + 1
        group by tanon_attribute, a.tanon_level, a.tanon_general
        having count(distinct coalesce('=' || b.tanon_general, '')) > 1
    )
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/hierarchies/nodes.sql
tanon_heights as materialized (
    select
        tanon_attribute, tanon_level,
        repeat('1', tanon_level) || repeat('0', max(tanon_level) over (
            partition by tanon_attribute
        ) - tanon_level) as tanon_bits
    from tanon_levels_given
    where (select tanon_fine from tanon_levels_are_nested)
),
-- sql/steps/hierarchies/nodes.sql
tanon_lattice as materialized (
    select
        (row_number() over ())::integer as tanon_node, tanon_place,
        "tanon_dictionary_sex".tanon_level as "sex",
        "tanon_dictionary_age".tanon_level as "age",
        concat(tanon_t.tanon_bits
            , "tanon_dictionary_sex".tanon_bits, "tanon_dictionary_age".tanon_bits
        )::bit as tanon_mask
    from tanon_times_below as tanon_t
    join (
        from tanon_heights
        where tanon_attribute = 'sex'
            and '' in ('', tanon_level::varchar)
    ) as "tanon_dictionary_sex" on true
    join (
        from tanon_heights
        where tanon_attribute = 'age'
            and '' in ('', tanon_level::varchar)
    ) as "tanon_dictionary_age" on true
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_fixed_levels_exist as (
select coalesce(error('tanon.minimal_generalizations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'levels must be those of hierarchies, got ' || tanon_fixed || ' for ' || tanon_attribute
        || ', which has levels 0 to ' || max(tanon_level)
    from tanon_levels_given join (
        select 'sex' as tanon_attribute, nullif('', '') as tanon_fixed
         union all
        select 'age' as tanon_attribute, nullif('', '') as tanon_fixed
    ) using (tanon_attribute)
    where (select tanon_fine from tanon_levels_are_nested) and tanon_fixed is not null
    group by tanon_attribute, tanon_fixed
    having max(tanon_level) < tanon_fixed::integer
) as tanon_messages(tanon_message)
),
-- sql/steps/hierarchies/moments.sql
tanon_common_tick as materialized (
    select list_reduce(
        list_concat([86400000000], list(tanon_beat_us)
        ), lambda a, b: gcd(a, b)
    ) as tanon_us
    from tanon_offer
    where tanon_unit <> 'calendar' and tanon_name in (select tanon_name from tanon_times)
),
-- sql/steps/hierarchies/moments.sql
tanon_moments as materialized (
    select *, (row_number() over (
        order by tanon_tick_number asc nulls last
    ))::integer as tanon_number
    from (
        select
            tanon._us_since_year_1(tanon_t) // tanon_us as tanon_tick_number,
            min(tanon_t) as tanon_t, count(*) as tanon_n
        from tanon_timed, tanon_common_tick
        group by tanon_tick_number
    )
),
-- sql/steps/hierarchies/moments.sql
tanon_placed_moments as (
    select tanon_number, tanon_n, tanon_place, tanon_granule
    from (
        select
            tanon_number, tanon_n,
            unnest([
                'month', 'quarter', 'year'
            ]::varchar[]) as tanon_name,
            unnest([
                ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640), ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880), (year(tanon_t) - 1970)
            ]::bigint[]) as tanon_granule
        from tanon_moments
    ) join tanon_times using (tanon_name)
),
-- sql/steps/hierarchies/coded.sql
tanon_codes as materialized (
    select
        tanon_attribute, tanon_level, tanon_number, tanon_n,
        (dense_rank() over (
            partition by tanon_attribute
            order by
                tanon_level asc nulls last, tanon_general asc nulls first,
                case when tanon_level = 0 and not tanon._is_named(tanon._folded(tanon_attribute),
                    ['sex', 'age']::varchar[])
                then tanon_number end asc nulls last
        ))::integer as tanon_code
    from tanon_paths
    where (select tanon_fine from tanon_fixed_levels_exist)
         and (select fine from tanon_hierarchies_is_fine)
    union all
    select
        'admitted', tanon_place, tanon_number, tanon_n,
        (dense_rank() over (
            order by tanon_place asc nulls last, tanon_granule asc nulls last
        ))::integer
    from tanon_placed_moments
),
-- sql/steps/hierarchies/coded.sql
tanon_coded_rows as materialized (
    select
        "tanon_dictionary_sex".tanon_number as "sex",
        "tanon_dictionary_age".tanon_number as "age",
        tanon_m.tanon_number as tanon_time, tanon_who,
         1 as tanon_n
    from tanon_timed as tanon_s
    join "tanon_dictionary_sex"
        on tanon_s."sex" is not distinct from "tanon_dictionary_sex".tanon_raw
    join "tanon_dictionary_age"
        on tanon_s."age" is not distinct from "tanon_dictionary_age".tanon_raw
    join tanon_common_tick on true
    join tanon_moments as tanon_m
        on tanon._us_since_year_1(tanon_s.tanon_t) // tanon_us = tanon_tick_number
    left join tanon_regulars on tanon_s."patient" = tanon_uid
),
-- sql/steps/hierarchies/coded.sql
tanon_row_count as materialized (
    select count(*) as tanon_rows_of_all from tanon_coded_rows
),
-- sql/steps/hierarchies/witnesses.sql
tanon_rare_codes as materialized (
    select tanon_attribute, tanon_level, tanon_code, tanon_n
    from (
        select
            *,
            sum(tanon_n) over by_size as tanon_so_far,
            row_number() over by_size as tanon_rank
        from (
            select tanon_attribute, tanon_level, tanon_code, sum(tanon_n) as tanon_n
            from tanon_codes
            group by all
        )
        window by_size as (
            partition by tanon_attribute, tanon_level
            order by tanon_n asc nulls last, tanon_code asc nulls last
            rows unbounded preceding
        )
    ), tanon_row_count
    where 0 < 0.015
        and tanon_n <= tanon_rows_of_all / 16 and (tanon_rank = 1
        or tanon_so_far <= tanon_rows_of_all * greatest(1 / 256, 4 * 0))
),
-- sql/steps/hierarchies/witnesses.sql
tanon_witnesses as materialized (
    select *, (row_number() over (
        order by
            tanon_rarest asc nulls last,
            tanon_attribute asc nulls last,
            tanon_level asc nulls last
    ))::integer
        as tanon_witness
    from (
        select tanon_attribute, tanon_level, min(tanon_n) as tanon_rarest
        from tanon_rare_codes
        group by all
        having sum(tanon_n) > 0 * (from tanon_row_count)
    )
),
-- sql/steps/hierarchies/nodes.sql
tanon_nodes as materialized (
    select tanon_node, tanon_mask, min(tanon_witness) as tanon_witness
    from tanon_lattice as tanon_at left join tanon_witnesses as tanon_w on case tanon_attribute
        when 'sex' then tanon_at."sex" when 'age' then tanon_at."age"
        when 'admitted' then tanon_place
        end = tanon_w.tanon_level
    group by tanon_node, tanon_mask
),
-- sql/steps/hierarchies/minimal.sql
tanon_nodes_with_witness as (
    select *, false as tanon_climbs from tanon_nodes where tanon_witness > 0
),
-- sql/steps/hierarchies/coded.sql
tanon_ladders as materialized (
    select
        list(
            tanon_codes order by tanon_level asc nulls last
        ) filter (where tanon_attribute = 'sex') as "sex"
        ,
        list(
            tanon_codes order by tanon_level asc nulls last
        ) filter (where tanon_attribute = 'age') as "age"
        , list(
            tanon_codes order by tanon_level asc nulls last
        ) filter (where tanon_attribute = 'admitted')
            as tanon_time
    from (
        select
            tanon_attribute, tanon_level,
            list(tanon_code order by tanon_number asc nulls last) as tanon_codes
        from tanon_codes
        group by all
    )
),
-- sql/steps/hierarchies/coded.sql
tanon_counting_pays as materialized (
    select tanon_looked = tanon_rows_of_all
        or 1 - tanon_different / tanon_looked > 2 * tanon_looked / tanon_rows_of_all
        as tanon_it_does
    from tanon_row_count, (
        select sum(tanon_n) as tanon_looked, count(*) as tanon_different
        from (
            select count(*) as tanon_n
            from (from tanon_coded_rows limit 65536)
            group by "sex", "age", tanon_time, tanon_who
        )
    )
),
-- sql/steps/hierarchies/coded.sql
tanon_counted_rows as materialized (
    select * exclude (tanon_n), count(*)::integer as tanon_n
    from tanon_coded_rows
    where (select tanon_it_does from tanon_counting_pays)
    group by all
),
-- sql/steps/hierarchies/coded.sql
tanon_base_rows as not materialized (
    from tanon_coded_rows where not (select tanon_it_does from tanon_counting_pays)
    union all
    from tanon_counted_rows
),
-- sql/steps/hierarchies/witnesses.sql
tanon_witness_codes as materialized (
    select tanon_witness, tanon_attribute, tanon_number
    from tanon_witnesses join tanon_rare_codes using (tanon_attribute, tanon_level)
    join tanon_codes using (tanon_attribute, tanon_level, tanon_code)
),
-- sql/steps/hierarchies/witnesses.sql
tanon_witness_rows as materialized (
    select tanon_b.*, tanon_witness
    from tanon_base_rows as tanon_b join tanon_witness_codes on tanon_b."sex" = tanon_number
    where tanon_attribute = 'sex'
     union all
    select tanon_b.*, tanon_witness
    from tanon_base_rows as tanon_b join tanon_witness_codes on tanon_b."age" = tanon_number
    where tanon_attribute = 'age'
    union all
    select tanon_b.*, tanon_witness
    from tanon_base_rows as tanon_b join tanon_witness_codes on tanon_time = tanon_number
    where tanon_attribute = 'admitted'
),
-- sql/steps/hierarchies/search.sql
tanon_tried_on_witnesses as (
    select
        tanon_node, tanon_mask, tanon_witness, tanon_climbs, 0 as tanon_misses,
        null::boolean as tanon_ok,
        null::bigint as tanon_m, null::bigint as tanon_s, null::bigint as tanon_groups,
        null::bigint as tanon_suppressed, null::hugeint as tanon_squares,
        null::hugeint as tanon_squares_of_all, null::bigint as tanon_sunk,
        null::boolean as tanon_tells, null::boolean as tanon_sinks
    from tanon_nodes_with_witness
    union all
    (
        with tanon_open as materialized (from tanon_tried_on_witnesses where tanon_ok is null),
        tanon_pick as materialized (
            select p.tanon_node, p.tanon_mask, p.tanon_witness
            from (
                from tanon_open
                order by
                    case when tanon_climbs and tanon_misses < 6
                        then bit_count(tanon_mask) end asc nulls last,
                    hash(tanon_node) asc nulls last, tanon_node asc nulls last
                limit 24
            ) as p, tanon_open as o
            group by all
            order by
                least(
                    count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask),
                    count(*) filter (p.tanon_mask & o.tanon_mask = o.tanon_mask),
                    case when any_value(p.tanon_climbs) then 2 ** any_value(p.tanon_misses) end
                ) desc nulls last,
                count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask) desc nulls last,
                p.tanon_node asc nulls last
            limit 1
        ),
        tanon_aims as materialized (
                    select
            tanon_node,
            tanon_l."sex"[tanon_at."sex" + 1] as "sex",
            tanon_l."age"[tanon_at."age" + 1] as "age",
            tanon_l.tanon_time[tanon_place] as tanon_time
        from tanon_pick join tanon_lattice as tanon_at using (tanon_node), tanon_ladders as tanon_l
        ),
        tanon_measured as materialized (
                    select
            tanon_node,
            min(tanon_f) filter (where tanon_f >= 5) as tanon_m,
            coalesce(sum(tanon_f) filter (where tanon_f >= 5), 0)::bigint as tanon_s,
            count(*) as tanon_groups,
            coalesce(sum(tanon_n) filter (where not (tanon_f >= 5)), 0)::bigint as tanon_suppressed,
            coalesce(sum(tanon_n * tanon_n) filter (where tanon_f >= 5), 0) as tanon_squares,
            coalesce(sum(tanon_n * tanon_n), 0) as tanon_squares_of_all,
            coalesce(sum(tanon_n) filter (where tanon_f < 5
                ), 0)::bigint as tanon_sunk,
            false
                as tanon_tells
        from (
            select *, true as tanon_holds, true as tanon_is_varied from (
                        select
                tanon_node,
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, sum(tanon_n)::bigint as tanon_n, sum(tanon_n)::bigint as tanon_f
            from (from tanon_witness_rows where tanon_witness = (select tanon_witness from tanon_pick)) as tanon_b, tanon_aims as tanon_a
            where (select count(*) = 0 from tanon_regulars)
            group by all
            union all
            select
                * exclude (tanon_who, tanon_n), sum(tanon_n)::bigint as tanon_n,
                sum(case when tanon_who is null then tanon_n else 1 end)::bigint as tanon_f
            from (
                select
                tanon_node,
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who, sum(tanon_n)::bigint as tanon_n
                from (from tanon_witness_rows where tanon_witness = (select tanon_witness from tanon_pick)) as tanon_b, tanon_aims as tanon_a
                where (select count(*) > 0 from tanon_regulars)
                group by all
            )
            group by all
            )
        )
        group by tanon_node
        ),
        tanon_verdict as materialized (
            select
                p.tanon_node as tanon_at, p.tanon_mask as tanon_of,
                coalesce(tanon_suppressed, 0) <= 0 * tanon_rows_of_all as tanon_ok,
                tanon_measured.* exclude (tanon_node), coalesce(tanon_sunk, 0) > 0 * tanon_rows_of_all
                or 0 = 0 and coalesce(tanon_suppressed, 0) > 0
                    and (select count(*) = 0 from tanon_repeaters) as tanon_sinks
            from tanon_pick as p left join tanon_measured using (tanon_node), tanon_row_count
        )
        select
            o.tanon_node, o.tanon_mask, o.tanon_witness, o.tanon_climbs,
            case when v.tanon_ok then 0 else least(o.tanon_misses + 1, 40) end,
            case when o.tanon_node = tanon_at then v.tanon_ok end,
            v.* exclude (tanon_at, tanon_of, tanon_ok)
        from tanon_open as o, tanon_verdict as v
        where o.tanon_node = tanon_at or case
            when v.tanon_ok then o.tanon_mask & tanon_of <> tanon_of
            when v.tanon_sinks then o.tanon_mask & tanon_of <> o.tanon_mask
            else true end
    )
),
-- sql/steps/hierarchies/minimal.sql
tanon_survivors as materialized (
    from tanon_nodes as n
    where not exists (
        from tanon_tried_on_witnesses as h
        where not h.tanon_ok and case when h.tanon_sinks
            then n.tanon_mask & h.tanon_mask = n.tanon_mask else n.tanon_node = h.tanon_node end
    )
),
-- sql/steps/hierarchies/minimal.sql
tanon_lowest as materialized (
    from tanon_survivors as n
    where tanon_witness > 0 and not exists (
        from tanon_survivors as o
        where o.tanon_node <> n.tanon_node and o.tanon_mask & n.tanon_mask = o.tanon_mask
    )
    order by bit_count(tanon_mask) asc nulls last, tanon_node asc nulls last
    limit 16
),
-- sql/steps/hierarchies/minimal.sql
tanon_lowest_aims as materialized (
            select
            tanon_node,
            tanon_l."sex"[tanon_at."sex" + 1] as "sex",
            tanon_l."age"[tanon_at."age" + 1] as "age",
            tanon_l.tanon_time[tanon_place] as tanon_time
        from tanon_lowest join tanon_lattice as tanon_at using (tanon_node), tanon_ladders as tanon_l
),
-- sql/steps/hierarchies/minimal.sql
tanon_lowest_measured as materialized (
            select
            tanon_node,
            min(tanon_f) filter (where tanon_f >= 5) as tanon_m,
            coalesce(sum(tanon_f) filter (where tanon_f >= 5), 0)::bigint as tanon_s,
            count(*) as tanon_groups,
            coalesce(sum(tanon_n) filter (where not (tanon_f >= 5)), 0)::bigint as tanon_suppressed,
            coalesce(sum(tanon_n * tanon_n) filter (where tanon_f >= 5), 0) as tanon_squares,
            coalesce(sum(tanon_n * tanon_n), 0) as tanon_squares_of_all,
            coalesce(sum(tanon_n) filter (where tanon_f < 5
                ), 0)::bigint as tanon_sunk,
            false
                as tanon_tells
        from (
            select *, true as tanon_holds, true as tanon_is_varied from (
                        select
                tanon_node,
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, sum(tanon_n)::bigint as tanon_n, sum(tanon_n)::bigint as tanon_f
            from tanon_base_rows as tanon_b, tanon_lowest_aims as tanon_a
            where (select count(*) = 0 from tanon_regulars)
            group by all
            union all
            select
                * exclude (tanon_who, tanon_n), sum(tanon_n)::bigint as tanon_n,
                sum(case when tanon_who is null then tanon_n else 1 end)::bigint as tanon_f
            from (
                select
                tanon_node,
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who, sum(tanon_n)::bigint as tanon_n
                from tanon_base_rows as tanon_b, tanon_lowest_aims as tanon_a
                where (select count(*) > 0 from tanon_regulars)
                group by all
            )
            group by all
            )
        )
        group by tanon_node
),
-- sql/steps/hierarchies/minimal.sql
tanon_lowest_judged as materialized (
    select
        tanon_node, tanon_mask, tanon_m.* exclude (tanon_node),
        coalesce(tanon_suppressed, 0) <= 0 * tanon_rows_of_all and not coalesce(tanon_tells, false) as tanon_ok, coalesce(tanon_sunk, 0) > 0 * tanon_rows_of_all
                or 0 = 0 and coalesce(tanon_suppressed, 0) > 0
                    and (select count(*) = 0 from tanon_repeaters) as tanon_sinks
    from tanon_lowest left join tanon_lowest_measured as tanon_m using (tanon_node), tanon_row_count
),
-- sql/steps/hierarchies/minimal.sql
tanon_others as materialized (
    select *, (select count(*) > 0 from tanon_witnesses) as tanon_climbs
    from tanon_survivors as n
    where not exists (
        from tanon_lowest_judged as f
        where case when f.tanon_ok then n.tanon_mask & f.tanon_mask = f.tanon_mask
            when f.tanon_sinks then n.tanon_mask & f.tanon_mask = n.tanon_mask
            else n.tanon_node = f.tanon_node end
    )
),
-- sql/steps/hierarchies/search.sql
tanon_tried_on_all as (
    select
        tanon_node, tanon_mask, tanon_witness, tanon_climbs, 0 as tanon_misses,
        null::boolean as tanon_ok,
        null::bigint as tanon_m, null::bigint as tanon_s, null::bigint as tanon_groups,
        null::bigint as tanon_suppressed, null::hugeint as tanon_squares,
        null::hugeint as tanon_squares_of_all, null::bigint as tanon_sunk,
        null::boolean as tanon_tells, null::boolean as tanon_sinks
    from tanon_others
    union all
    (
        with tanon_open as materialized (from tanon_tried_on_all where tanon_ok is null),
        tanon_pick as materialized (
            select p.tanon_node, p.tanon_mask, p.tanon_witness
            from (
                from tanon_open
                order by
                    case when tanon_climbs and tanon_misses < 6
                        then bit_count(tanon_mask) end asc nulls last,
                    hash(tanon_node) asc nulls last, tanon_node asc nulls last
                limit 24
            ) as p, tanon_open as o
            group by all
            order by
                least(
                    count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask),
                    count(*) filter (p.tanon_mask & o.tanon_mask = o.tanon_mask),
                    case when any_value(p.tanon_climbs) then 2 ** any_value(p.tanon_misses) end
                ) desc nulls last,
                count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask) desc nulls last,
                p.tanon_node asc nulls last
            limit 1
        ),
        tanon_aims as materialized (
                    select
            tanon_node,
            tanon_l."sex"[tanon_at."sex" + 1] as "sex",
            tanon_l."age"[tanon_at."age" + 1] as "age",
            tanon_l.tanon_time[tanon_place] as tanon_time
        from tanon_pick join tanon_lattice as tanon_at using (tanon_node), tanon_ladders as tanon_l
        ),
        tanon_measured as materialized (
                    select
            tanon_node,
            min(tanon_f) filter (where tanon_f >= 5) as tanon_m,
            coalesce(sum(tanon_f) filter (where tanon_f >= 5), 0)::bigint as tanon_s,
            count(*) as tanon_groups,
            coalesce(sum(tanon_n) filter (where not (tanon_f >= 5)), 0)::bigint as tanon_suppressed,
            coalesce(sum(tanon_n * tanon_n) filter (where tanon_f >= 5), 0) as tanon_squares,
            coalesce(sum(tanon_n * tanon_n), 0) as tanon_squares_of_all,
            coalesce(sum(tanon_n) filter (where tanon_f < 5
                ), 0)::bigint as tanon_sunk,
            false
                as tanon_tells
        from (
            select *, true as tanon_holds, true as tanon_is_varied from (
                        select
                tanon_node,
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, sum(tanon_n)::bigint as tanon_n, sum(tanon_n)::bigint as tanon_f
            from tanon_base_rows as tanon_b, tanon_aims as tanon_a
            where (select count(*) = 0 from tanon_regulars)
            group by all
            union all
            select
                * exclude (tanon_who, tanon_n), sum(tanon_n)::bigint as tanon_n,
                sum(case when tanon_who is null then tanon_n else 1 end)::bigint as tanon_f
            from (
                select
                tanon_node,
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who, sum(tanon_n)::bigint as tanon_n
                from tanon_base_rows as tanon_b, tanon_aims as tanon_a
                where (select count(*) > 0 from tanon_regulars)
                group by all
            )
            group by all
            )
        )
        group by tanon_node
        ),
        tanon_verdict as materialized (
            select
                p.tanon_node as tanon_at, p.tanon_mask as tanon_of,
                coalesce(tanon_suppressed, 0) <= 0 * tanon_rows_of_all and not coalesce(tanon_tells, false) as tanon_ok,
                tanon_measured.* exclude (tanon_node), coalesce(tanon_sunk, 0) > 0 * tanon_rows_of_all
                or 0 = 0 and coalesce(tanon_suppressed, 0) > 0
                    and (select count(*) = 0 from tanon_repeaters) as tanon_sinks
            from tanon_pick as p left join tanon_measured using (tanon_node), tanon_row_count
        )
        select
            o.tanon_node, o.tanon_mask, o.tanon_witness, o.tanon_climbs,
            case when v.tanon_ok then 0 else least(o.tanon_misses + 1, 40) end,
            case when o.tanon_node = tanon_at then v.tanon_ok end,
            v.* exclude (tanon_at, tanon_of, tanon_ok)
        from tanon_open as o, tanon_verdict as v
        where o.tanon_node = tanon_at or case
            when v.tanon_ok then o.tanon_mask & tanon_of <> tanon_of
            when v.tanon_sinks then o.tanon_mask & tanon_of <> o.tanon_mask
            else true end
    )
),
-- sql/steps/hierarchies/minimal.sql
tanon_accepted as materialized (
    from tanon_lowest_judged where tanon_ok
    union all by name
    select * exclude (tanon_misses, tanon_witness, tanon_climbs) from tanon_tried_on_all where tanon_ok
),
-- sql/steps/hierarchies/minimal.sql
tanon_minimal_nodes as (
    from tanon_accepted as n
    where not exists (
        from tanon_accepted as o
        where o.tanon_node <> n.tanon_node and o.tanon_mask & n.tanon_mask = o.tanon_mask
    )
),
-- sql/steps/hierarchies/bits.sql
tanon_node_levels as (
    select tanon_node, 'sex' as tanon_attribute, "sex" as tanon_level,
        1.0::double as tanon_weight
    from tanon_lattice
     union all
    select tanon_node, 'age' as tanon_attribute, "age" as tanon_level,
        1.0::double as tanon_weight
    from tanon_lattice
    union all
    select tanon_node, 'admitted', tanon_place, 1::double from tanon_lattice
),
-- sql/steps/hierarchies/bits.sql
tanon_bits_of_levels as (
    select
        tanon_attribute, tanon_level, (tanon_together - tanon_apart) / tanon_all as tanon_lost,
        log2(tanon_all) - tanon_apart / tanon_all as tanon_whole
    from (
        select
            tanon_attribute, tanon_level, sum(tanon_n) as tanon_all,
            sum(tanon_n * log2(tanon_n)) as tanon_together,
            sum(tanon_parts) as tanon_apart
        from (
            select
                tanon_attribute, tanon_level, tanon_code, sum(tanon_n) as tanon_n,
                sum(tanon_n * log2(tanon_n)) as tanon_parts
            from tanon_codes
            group by all
        )
        group by all
    )
),
-- sql/steps/hierarchies/bits.sql
tanon_bits_at_nodes as materialized (
    select
        tanon_node, sum(tanon_weight * tanon_lost) as tanon_lost,
        sum(tanon_weight * tanon_whole) as tanon_whole
    from tanon_node_levels join tanon_bits_of_levels using (tanon_attribute, tanon_level)
    group by tanon_node
),
-- sql/steps/hierarchies/bits.sql
tanon_node_bits as (
    select
        tanon_node, tanon_left_out,
        round((1 - tanon_left_out / tanon_rows_of_all) * tanon_lost
            + tanon_left_out / tanon_rows_of_all * tanon_whole, 9) as tanon_bits
    from (
        select distinct tanon_node, coalesce(tanon_suppressed, 0) as tanon_left_out from tanon_minimal_nodes
    ) join tanon_bits_at_nodes using (tanon_node), tanon_row_count
),
-- sql/steps/hierarchies/preferred.sql
tanon_minimal_weighed as (
    select
        tanon_at."sex"::integer as "sex", tanon_at."age"::integer as "age",
        tanon_name, tanon_place, tanon_m, coalesce(tanon_s, 0) as tanon_s,
        coalesce(tanon_groups, 0) as tanon_groups, tanon_suppressed,
        coalesce(tanon_suppressed / tanon_rows_of_all, 0) as tanon_share,
        coalesce(tanon_squares + tanon_suppressed * tanon_rows_of_all, 0)::bigint
            as tanon_discernibility,
        coalesce(tanon_bits, 0) as tanon_bits
    from tanon_minimal_nodes join tanon_lattice as tanon_at using (tanon_node)
    join tanon_times using (tanon_place) left join tanon_node_bits using (tanon_node), tanon_row_count
),
-- sql/steps/hierarchies/preferred.sql
tanon_preferred_nodes as materialized (
    select *, row_number() over (order by tanon_bits asc nulls last,
            "sex" asc nulls last, "age" asc nulls last,
            tanon_place asc nulls last) = 1 as tanon_is_preferred
    from tanon_minimal_weighed
)
-- sql/functions/k_anonymity/minimal_generalizations.sql
select
    "sex", "age",
    tanon_name as "admitted",
    tanon_m as gen_m, tanon_s as gen_s, tanon_groups as groups, tanon_share as suppressed_share,
    tanon_discernibility as discernibility, tanon_bits as entropy, tanon_is_preferred as preferred
from tanon_preferred_nodes
