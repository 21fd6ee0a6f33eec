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
        'tanon.tune_events: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.tune_events: respondent must be a column of source', '', ''),
                (1000001, 'age', 'age', 'tanon.tune_events: qi must be columns of source, none twice', '', ''),
                (1000002, 'sex', 'sex', 'tanon.tune_events: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.tune_events: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.tune_events: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.tune_events: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.tune_events: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
    from (select * not similar to '(?i)tanon_.*' from (from tanon.hierarchies('visits', {'age': 'intervals 10, 20'})))
    union all by name select null::varchar as attribute, null::integer as level, null::"NULL" as value, null::"NULL" as generalized where false
),
-- the argument hierarchies: tanon_duck/macros/source_ctes.py
tanon_columns_of_hierarchies as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.tune_events: hierarchies must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (from tanon.hierarchies('visits', {'age': 'intervals 10, 20'})))
),
-- the argument hierarchies: tanon_duck/macros/source_ctes.py
tanon_hierarchies_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.tune_events: hierarchies must be a table, a view or a query in parentheses with columns attribute, level, value, generalized'
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
-- sql/steps/tuning/settings.sql
tanon_settings_tried as materialized (
    select tanon_k, tanon_share
    from (select unnest('[3, 5, 10]'::integer[]) as tanon_k), (select unnest('[0.00, 0.05]'::decimal(19, 18)[]) as tanon_share)
),
-- sql/steps/tuning/settings.sql
tanon_offers_made as materialized (
    select 1 as tanon_rank, 'all' as tanon_offer, null::varchar[] as tanon_names
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
-- sql/steps/time/clock.sql
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.tune_events', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/time/offer.sql
tanon_offer as materialized (
    select *, list_position(['week', 'month', 'quarter', 'year']::varchar[], tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            ,
                ('week', 'us', 604800000000, 0, [0], [604800000000], False, False, 86400000000,
                604800000000),
                ('month', 'months', 31, 0, [0], [31], False, False, 86400000000, 2629746000000),
                ('quarter', 'months', 93, 0, [0], [93], False, False, 86400000000, 7889238000000),
                ('year', 'months', 372, 0, [0], [372], False, False, 86400000000, 31556952000000)
        ) as tanon_rules(
            tanon_name, tanon_unit, tanon_width, tanon_begin, tanon_starts, tanon_ends,
            tanon_in_days, tanon_has_gaps, tanon_beat_us, tanon_length
        )
    )
    where tanon_name is not null
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
-- sql/steps/hierarchies/coded.sql
tanon_coded_rows as materialized (
    select
        "tanon_dictionary_age".tanon_number as "age",
        "tanon_dictionary_sex".tanon_number as "sex",
        tanon_m.tanon_number as tanon_time, tanon_who,
         1 as tanon_n
    from tanon_timed as tanon_s
    join "tanon_dictionary_age"
        on tanon_s."age" is not distinct from "tanon_dictionary_age".tanon_raw
    join "tanon_dictionary_sex"
        on tanon_s."sex" is not distinct from "tanon_dictionary_sex".tanon_raw
    join tanon_common_tick on true
    join tanon_moments as tanon_m
        on tanon._us_since_year_1(tanon_s.tanon_t) // tanon_us = tanon_tick_number
    left join tanon_regulars on tanon_s."patient" = tanon_uid
),
-- sql/steps/hierarchies/coded.sql
tanon_row_count as materialized (
    select count(*) as tanon_rows_of_all from tanon_coded_rows
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
select coalesce(error('tanon.tune_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
    from tanon_hierarchies as tanon_h join (select unnest(['age', 'sex']::varchar[]) as tanon_attribute)
        on tanon._folded(tanon_h.attribute) = tanon._folded(tanon_attribute)
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_attributes_are_known as (
select coalesce(error('tanon.tune_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'hierarchies must be of columns of qi, got '
        || coalesce('''' || tanon_name || '''' || tanon._hint(tanon_name, tanon_known), 'NULL')
    from (
        select attribute::varchar as tanon_name
        from tanon_hierarchies
        group by attribute
    ), (select ['age', 'sex']::varchar[] as tanon_known)
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
    select unnest(['age', 'sex']::varchar[]), 0
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_attribute_values as materialized (
    select tanon_attribute, tanon_value, tanon_number, sum(tanon_n)::bigint as tanon_n
    from (
        select 'age' as tanon_attribute, tanon_value, tanon_number, tanon_n
        from "tanon_dictionary_age"
         union all
        select 'sex' as tanon_attribute, tanon_value, tanon_number, tanon_n
        from "tanon_dictionary_sex"
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
select coalesce(error('tanon.tune_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
select coalesce(error('tanon.tune_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
select coalesce(error('tanon.tune_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
        "tanon_dictionary_age".tanon_level as "age",
        "tanon_dictionary_sex".tanon_level as "sex",
        concat(tanon_t.tanon_bits
            , "tanon_dictionary_age".tanon_bits, "tanon_dictionary_sex".tanon_bits
        )::bit as tanon_mask
    from tanon_times_below as tanon_t
    join (
        from tanon_heights
        where tanon_attribute = 'age'
            and '' in ('', tanon_level::varchar)
    ) as "tanon_dictionary_age" on true
    join (
        from tanon_heights
        where tanon_attribute = 'sex'
            and '' in ('', tanon_level::varchar)
    ) as "tanon_dictionary_sex" on true
),
-- sql/steps/tuning/settings.sql
tanon_nodes_of_offers as materialized (
    select tanon_offer, tanon_node, tanon_mask
    from tanon_lattice as tanon_at join tanon_times as tanon_t using (tanon_place), tanon_offers_made
    where tanon_names is null or true
        and list_contains(tanon_names, tanon_t.tanon_name)
        and (tanon._share_a_name('age', tanon_names)
            or tanon_at."age" = (select min("age") from tanon_lattice))
        and (tanon._share_a_name('sex', tanon_names)
            or tanon_at."sex" = (select min("sex") from tanon_lattice))
),
-- sql/steps/tuning/settings.sql
tanon_nodes_offered as materialized (
    select *, not exists (
        from tanon_nodes_of_offers as o
        where o.tanon_offer = n.tanon_offer and o.tanon_node <> n.tanon_node
            and o.tanon_mask & n.tanon_mask = n.tanon_mask
    ) as tanon_is_top
    from tanon_nodes_of_offers as n
),
-- sql/steps/hierarchies/dictionaries.sql
tanon_fixed_levels_exist as (
select coalesce(error('tanon.tune_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'levels must be those of hierarchies, got ' || tanon_fixed || ' for ' || tanon_attribute
        || ', which has levels 0 to ' || max(tanon_level)
    from tanon_levels_given join (
        select 'age' as tanon_attribute, nullif('', '') as tanon_fixed
         union all
        select 'sex' as tanon_attribute, nullif('', '') as tanon_fixed
    ) using (tanon_attribute)
    where (select tanon_fine from tanon_levels_are_nested) and tanon_fixed is not null
    group by tanon_attribute, tanon_fixed
    having max(tanon_level) < tanon_fixed::integer
) as tanon_messages(tanon_message)
),
-- sql/steps/hierarchies/moments.sql
tanon_placed_moments as (
    select tanon_number, tanon_n, tanon_place, tanon_granule
    from (
        select
            tanon_number, tanon_n,
            unnest([
                'week', 'month', 'quarter', 'year'
            ]::varchar[]) as tanon_name,
            unnest([
                ((tanon_t::date - date '0001-01-01') // 7 - 102737),
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
                    ['age', 'sex']::varchar[])
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
tanon_ladders as materialized (
    select
        list(
            tanon_codes order by tanon_level asc nulls last
        ) filter (where tanon_attribute = 'age') as "age"
        ,
        list(
            tanon_codes order by tanon_level asc nulls last
        ) filter (where tanon_attribute = 'sex') as "sex"
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
            group by "age", "sex", tanon_time, tanon_who
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
-- sql/steps/hierarchies/population.sql
tanon_repeaters as (
    select tanon_who from tanon_regulars
),
-- sql/steps/tuning/above.sql
tanon_sweep as (
    select
        tanon_k, tanon_share, tanon_offer, tanon_node, tanon_mask, tanon_is_top,
        null::boolean as tanon_ok,
        null::struct(f bigint, n bigint, holds boolean, groups bigint, squares hugeint)[]
            as tanon_sizes
    from tanon_settings_tried, tanon_nodes_offered
    union all
    (
        with tanon_open as materialized (from tanon_sweep where tanon_ok is null),
        tanon_near as materialized (
            select tanon_node from tanon_open group by tanon_node
            order by hash(tanon_node) asc nulls last, tanon_node asc nulls last limit 24
        ),
        tanon_pick as materialized (
            select p.tanon_node, p.tanon_mask
            from tanon_open as p join tanon_open as o using (tanon_k, tanon_share, tanon_offer)
            where p.tanon_node in (from tanon_near)
            group by p.tanon_node, p.tanon_mask
            order by
                least(
                    count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask),
                    count(*) filter (p.tanon_mask & o.tanon_mask = o.tanon_mask)
                ) desc nulls last,
                p.tanon_node asc nulls last
            limit 1
        ),
        tanon_aims as materialized (
                    select
            tanon_node,
            tanon_l."age"[tanon_at."age" + 1] as "age",
            tanon_l."sex"[tanon_at."sex" + 1] as "sex",
            tanon_l.tanon_time[tanon_place] as tanon_time
        from tanon_pick join tanon_lattice as tanon_at using (tanon_node), tanon_ladders as tanon_l
        ),
        tanon_groups as materialized (
            select
                tanon_f, tanon_holds, tanon_is_varied,
                 sum(tanon_n)::bigint as tanon_n,
                count(*) as tanon_groups, sum(tanon_n * tanon_n) as tanon_squares
            from (
            select *, true as tanon_holds, true as tanon_is_varied from (
                        select
                tanon_node,
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a."sex"[tanon_b."sex"] as "sex",
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
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who, sum(tanon_n)::bigint as tanon_n
                from tanon_base_rows as tanon_b, tanon_aims as tanon_a
                where (select count(*) > 0 from tanon_regulars)
                group by all
            )
            group by all
            )
            )
            group by all
        ),
        tanon_verdict as materialized (
            select
                tanon_k, tanon_share,
                coalesce(sum(tanon_n) filter (where tanon_f < tanon_k or not tanon_holds), 0)
                    <= tanon_share * any_value(tanon_rows_of_all)
                    and not coalesce(bool_or(false), false) as tanon_ok,
                coalesce(sum(tanon_n) filter (where tanon_f < tanon_k or not tanon_is_varied), 0)
                    > tanon_share * any_value(tanon_rows_of_all)
                    or tanon_share = 0 and (select count(*) = 0 from tanon_repeaters) as tanon_sinks
            from tanon_settings_tried cross join tanon_row_count left join tanon_groups on true
            group by tanon_k, tanon_share
        )
        select
            o.* exclude (tanon_ok, tanon_sizes),
            case when o.tanon_node = p.tanon_node then v.tanon_ok end as tanon_ok,
            case when o.tanon_node = p.tanon_node then (
                select list({
                    'f': tanon_f, 'n': tanon_n, 'holds': tanon_holds, 'groups': tanon_groups,
                    'squares': tanon_squares
                }) from tanon_groups
            ) end as tanon_sizes
        from tanon_open as o join tanon_verdict as v using (tanon_k, tanon_share), tanon_pick as p
        where o.tanon_node = p.tanon_node or case
            when v.tanon_ok then o.tanon_mask & p.tanon_mask <> p.tanon_mask or not exists (
                from tanon_nodes_offered as n
                where n.tanon_node = p.tanon_node and n.tanon_offer = o.tanon_offer
            )
            when v.tanon_sinks then o.tanon_is_top or o.tanon_mask & p.tanon_mask <> o.tanon_mask
            else true end
    )
),
-- sql/steps/tuning/above.sql
tanon_settled_below as materialized (
    select
        s.tanon_k, s.tanon_share, tanon_offer, tanon_node, tanon_mask, tanon_ok,
        min(tanon_z.f) filter (where tanon_stays) as tanon_m,
        coalesce(sum(tanon_z.f * tanon_z.groups) filter (where tanon_stays), 0)::bigint as tanon_s,
        coalesce(sum(tanon_z.groups) filter (where tanon_stays), 0)::bigint as tanon_groups,
        coalesce(sum(tanon_z.n) filter (where not tanon_stays), 0)::bigint as tanon_suppressed,
        coalesce(sum(tanon_z.squares) filter (where tanon_stays), 0) as tanon_squares,
        coalesce(sum(tanon_z.squares), 0) as tanon_squares_of_all
    from (
        select *, tanon_z.f >= tanon_k and tanon_z.holds as tanon_stays
        from (
            select * exclude (tanon_sizes), unnest(
                case when len(tanon_sizes) > 0 then tanon_sizes else [null] end
            ) as tanon_z
            from tanon_sweep
            where tanon_ok is not null
        )
    ) as s
    group by all
),
-- sql/steps/tuning/above.sql
tanon_accepted_below as materialized (
    from tanon_settled_below as n
    where tanon_ok and not exists (
        from tanon_settled_below as o
        where o.tanon_ok and o.tanon_k = n.tanon_k and o.tanon_share = n.tanon_share
            and o.tanon_offer = n.tanon_offer and o.tanon_node <> n.tanon_node
            and o.tanon_mask & n.tanon_mask = o.tanon_mask
    )
),
-- sql/steps/hierarchies/bits.sql
tanon_node_levels as (
    select tanon_node, 'age' as tanon_attribute, "age" as tanon_level,
        1.0::double as tanon_weight
    from tanon_lattice
     union all
    select tanon_node, 'sex' as tanon_attribute, "sex" as tanon_level,
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
-- sql/steps/tuning/above.sql
tanon_accepted_of_settings as materialized (
    from tanon_accepted_below
),
-- sql/steps/hierarchies/bits.sql
tanon_bits_of_accepted as (
    select
        tanon_node, tanon_left_out,
        round((1 - tanon_left_out / tanon_rows_of_all) * tanon_lost
            + tanon_left_out / tanon_rows_of_all * tanon_whole, 9) as tanon_bits
    from (
        select distinct tanon_node, coalesce(tanon_suppressed, 0) as tanon_left_out from tanon_accepted_of_settings
    ) join tanon_bits_at_nodes using (tanon_node), tanon_row_count
),
-- sql/steps/tuning/chosen.sql
tanon_judged_choices as (
    select
        a.* exclude (tanon_mask, tanon_ok, tanon_squares, tanon_squares_of_all),
        tanon_at."age"::integer as "age", tanon_at."sex"::integer as "sex",
        tanon_name, tanon_place,
        coalesce(tanon_suppressed / nullif(tanon_rows_of_all, 0), 0) as tanon_share_left_out,
        (tanon_squares + tanon_suppressed * tanon_rows_of_all)::bigint as tanon_discernibility,
        coalesce(tanon_bits, 0) as tanon_bits
    from tanon_accepted_of_settings as a join tanon_lattice as tanon_at using (tanon_node)
    join tanon_times using (tanon_place)
    left join tanon_bits_of_accepted as b
        on a.tanon_node = b.tanon_node and a.tanon_suppressed = b.tanon_left_out, tanon_row_count
),
-- sql/steps/tuning/chosen.sql
tanon_best_choices as (
    from tanon_judged_choices
    qualify row_number() over (
        partition by tanon_k, tanon_share, tanon_offer
        order by tanon_bits asc nulls last,
            "age" asc nulls last, "sex" asc nulls last,
            tanon_place asc nulls last
    ) = 1
),
-- sql/steps/tuning/chosen.sql
tanon_least_left_out as (
    select tanon_k, tanon_offer, min(tanon_suppressed) as tanon_least
    from tanon_settled_below
    group by tanon_k, tanon_offer
),
-- sql/steps/tuning/chosen.sql
tanon_offers_without_time as (
    select
        tanon_offer, string_agg(f.tanon_name || ': ' || tanon_reason, '; '
            order by f.tanon_place asc nulls last) as tanon_gaps
    from tanon_offers_made join tanon_feasibility as f
        on tanon_names is null or list_contains(tanon_names, f.tanon_name)
    group by tanon_offer
    having bool_and(tanon_reason is not null)
),
-- sql/steps/tuning/chosen.sql
tanon_chosen as materialized (
    select
        tanon_k, tanon_share, tanon_offer, tanon_rank,
        c.* exclude (tanon_k, tanon_share, tanon_offer),
        case
            when tanon_gaps is not null
                then 'no granularity that is offered covers every time: ' || tanon_gaps
            when tanon_node is null then 'nothing that is offered leaves out '
            || 'less than ' || tanon_least || ' of ' || tanon_rows_of_all || ' rows'
            end as tanon_reason,
        tanon_rows_of_all
    from tanon_settings_tried cross join tanon_offers_made cross join tanon_row_count
    left join tanon_best_choices as c using (tanon_k, tanon_share, tanon_offer)
    left join tanon_least_left_out using (tanon_k, tanon_offer)
    left join tanon_offers_without_time using (tanon_offer)
),
-- sql/steps/tuning/chosen.sql
tanon_releases as materialized (
    select *, row_number() over (
        order by tanon_node asc nulls last, tanon_k asc nulls last
    ) - 1 as tanon_release
    from (select distinct tanon_node, tanon_k from tanon_chosen where tanon_node is not null)
),
-- sql/steps/tuning/groups.sql
tanon_nodes_chosen as (
    select distinct tanon_node from tanon_releases
),
-- sql/steps/tuning/groups.sql
tanon_chosen_aims as materialized (
            select
            tanon_node,
            tanon_l."age"[tanon_at."age" + 1] as "age",
            tanon_l."sex"[tanon_at."sex" + 1] as "sex",
            tanon_l.tanon_time[tanon_place] as tanon_time
        from tanon_nodes_chosen join tanon_lattice as tanon_at using (tanon_node), tanon_ladders as tanon_l
),
-- sql/steps/tuning/groups.sql
tanon_chosen_groups as materialized (
    select *, row_number() over () as tanon_group
    from (
            select *, true as tanon_holds, true as tanon_is_varied from (
                        select
                tanon_node,
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, sum(tanon_n)::bigint as tanon_n, sum(tanon_n)::bigint as tanon_f
            from tanon_base_rows as tanon_b, tanon_chosen_aims as tanon_a
            where (select count(*) = 0 from tanon_regulars)
            group by all
            union all
            select
                * exclude (tanon_who, tanon_n), sum(tanon_n)::bigint as tanon_n,
                sum(case when tanon_who is null then tanon_n else 1 end)::bigint as tanon_f
            from (
                select
                tanon_node,
                tanon_a."age"[tanon_b."age"] as "age",
                tanon_a."sex"[tanon_b."sex"] as "sex",
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who, sum(tanon_n)::bigint as tanon_n
                from tanon_base_rows as tanon_b, tanon_chosen_aims as tanon_a
                where (select count(*) > 0 from tanon_regulars)
                group by all
            )
            group by all
            )
    ) as g
    where tanon_holds and tanon_f >= (
        select min(tanon_k) from tanon_releases as r where r.tanon_node = g.tanon_node
    )
),
-- sql/steps/tuning/groups.sql
tanon_members_of_chosen as materialized (
    select g.tanon_node, tanon_group, tanon_who, tanon_f
    from (
        select distinct
            tanon_node,
            tanon_a."age"[tanon_b."age"] as "age",
            tanon_a."sex"[tanon_b."sex"] as "sex",
            tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who
        from tanon_base_rows as tanon_b, tanon_chosen_aims as tanon_a
        where tanon_who is not null
    ) as m join tanon_chosen_groups as g
        on g.tanon_node = m.tanon_node and g.tanon_time = m.tanon_time
        and g."age" = m."age" and g."sex" = m."sex"
),
-- sql/steps/tuning/groups.sql
tanon_exposed_in_releases as (
    select tanon_release, tanon_f, sum(tanon_n)::bigint as tanon_n
    from (
        select tanon_release, tanon_f, count(*) as tanon_n
        from (
            select tanon_release, tanon_who, min(tanon_f) as tanon_f
            from tanon_releases as r join tanon_members_of_chosen as m using (tanon_node)
            where tanon_f >= tanon_k
            group by tanon_release, tanon_who
        )
        group by tanon_release, tanon_f
        union all
        select tanon_release, tanon_f, sum(tanon_f - coalesce(tanon_regulars, 0))
        from tanon_releases as r join tanon_chosen_groups as g using (tanon_node) left join (
            select tanon_group, count(*) as tanon_regulars from tanon_members_of_chosen group by all
        ) using (tanon_group)
        where tanon_f >= tanon_k
        group by tanon_release, tanon_f
    )
    group by tanon_release, tanon_f
),
-- sql/steps/tuning/groups.sql
tanon_risk_of_releases as (
    select
        tanon_release, sum(tanon_n)::bigint as tanon_people,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0) / sum(tanon_n) as tanon_below_5,
        coalesce(sum(tanon_n) filter (where tanon_f < 11), 0) / sum(tanon_n) as tanon_below_11,
        list_sum(list(
            tanon_n / tanon_f order by tanon_f asc nulls last
        )) / sum(tanon_n) as tanon_mean
    from tanon_exposed_in_releases
    where tanon_n > 0
    group by tanon_release
),
-- sql/functions/k_anonymity/tune_events.sql
tanon_asked_rows as not materialized (
    from tanon_timed
),
-- sql/steps/utility/asked.sql
tanon_texts_of_source as (
    select
        tanon._value_text("age") as "age",
        tanon._value_text("sex") as "sex",
        tanon._us_since_year_1(tanon_t) as tanon_at,
        count(*) as tanon_n
    from tanon_asked_rows
    group by all
),
-- sql/steps/utility/asked.sql
tanon_times_met as materialized (
    select
        tanon_at, sum(tanon_n)::bigint as tanon_n,
        row_number() over (order by tanon_at asc nulls last) - 1 as tanon_moment
    from tanon_texts_of_source
    where tanon_at is not null
    group by tanon_at
),
-- sql/steps/tuning/answered.sql
tanon_spans_of_codes as (
    select tanon_code, min(tanon_starts) as tanon_starts, max(tanon_ends) as tanon_ends
    from (
        select
            tanon_level as tanon_place, tanon_number, tanon_code
        from tanon_codes
        where tanon_attribute = 'admitted'
    ) join (
        select
            tanon_place, tanon_number,
            tanon._us_since_year_1(tanon._start(tanon_t, 'week')) as tanon_starts,
            tanon._us_since_year_1(tanon._end(tanon_t, 'week')) as tanon_ends
        from tanon_moments, tanon_times
        where tanon_name = 'week'
         union all
        select
            tanon_place, tanon_number,
            tanon._us_since_year_1(tanon._start(tanon_t, 'month')) as tanon_starts,
            tanon._us_since_year_1(tanon._end(tanon_t, 'month')) as tanon_ends
        from tanon_moments, tanon_times
        where tanon_name = 'month'
         union all
        select
            tanon_place, tanon_number,
            tanon._us_since_year_1(tanon._start(tanon_t, 'quarter')) as tanon_starts,
            tanon._us_since_year_1(tanon._end(tanon_t, 'quarter')) as tanon_ends
        from tanon_moments, tanon_times
        where tanon_name = 'quarter'
         union all
        select
            tanon_place, tanon_number,
            tanon._us_since_year_1(tanon._start(tanon_t, 'year')) as tanon_starts,
            tanon._us_since_year_1(tanon._end(tanon_t, 'year')) as tanon_ends
        from tanon_moments, tanon_times
        where tanon_name = 'year'
    ) using (tanon_place, tanon_number)
    group by tanon_code
),
-- sql/steps/utility/leaves.sql
tanon_leaves as materialized (
    select
        'age' as tanon_attribute, tanon_text, tanon_n, tanon_is_ordered,
        row_number() over (order by tanon_raw asc nulls first, tanon_text asc nulls first) - 1
            as tanon_leaf
    from (
        select
            tanon._value_text("age") as tanon_text,
            any_value("age") as tanon_raw, count(*) as tanon_n,
            regexp_matches(any_value(typeof("age")),
                '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|BIGNUM|DECIMAL.*|DATE|TIME.*)$'
            ) as tanon_is_ordered
        from tanon_source
        group by tanon._value_text("age")
    )
     union all
    select
        'sex' as tanon_attribute, tanon_text, tanon_n, tanon_is_ordered,
        row_number() over (order by tanon_raw asc nulls first, tanon_text asc nulls first) - 1
            as tanon_leaf
    from (
        select
            tanon._value_text("sex") as tanon_text,
            any_value("sex") as tanon_raw, count(*) as tanon_n,
            regexp_matches(any_value(typeof("sex")),
                '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|BIGNUM|DECIMAL.*|DATE|TIME.*)$'
            ) as tanon_is_ordered
        from tanon_source
        group by tanon._value_text("sex")
    )
),
-- sql/steps/utility/leaves.sql
tanon_attributes_told as (
    select
        list_position(list_concat(['age', 'sex']::varchar[], tanon._list([]::varchar[])), tanon_attribute)
            as tanon_place,
        {
            'rows': list(tanon_n order by tanon_leaf asc nulls last),
            'is_ordered': bool_and(tanon_is_ordered),
            'has_null': bool_or(tanon_text is null)
        } as tanon_told
    from tanon_leaves
    group by tanon_attribute
),
-- sql/steps/utility/asked.sql
tanon_attributes_listed as (
    select list(tanon_told order by tanon_place asc nulls last) as tanon_attributes
    from (
        from tanon_attributes_told
        union all
        select 0, {
            'rows': list(tanon_n order by tanon_moment asc nulls last),
            'is_ordered': true, 'has_null': false
        }
        from tanon_times_met
        having count(*) > 0
    )
),
-- sql/steps/tuning/answered.sql
tanon_texts_of_numbers as (
    select tanon_attribute, tanon_number, tanon_value
    from tanon_paths
    where tanon_level = 0
),
-- sql/steps/tuning/answered.sql
tanon_members_of_codes as (
    select tanon_attribute, tanon_code, list(
        tanon_leaf order by tanon_leaf asc nulls last
    ) as tanon_members
    from tanon_codes join tanon_texts_of_numbers using (tanon_attribute, tanon_number)
    join tanon_leaves as tanon_l using (tanon_attribute)
    where tanon_value is not distinct from tanon_text
    group by tanon_attribute, tanon_code
),
-- sql/steps/tuning/answered.sql
tanon_members_of_all as (
    select list(tanon_members order by tanon_rank asc nulls last) as tanon_members
    from (
        select
            list_position(['age', 'sex']::varchar[], tanon_attribute) as tanon_rank,
            list(tanon_members order by tanon_code asc nulls last) as tanon_members
        from tanon_members_of_codes
        group by tanon_attribute
        union all select 0, null
    )
),
-- sql/steps/utility/leaves.sql
tanon_coded_texts as materialized (
    select
        tanon_c.*, [
            "tanon_dictionary_age".tanon_leaf
            ,
            "tanon_dictionary_sex".tanon_leaf
        ] as tanon_codes
    from tanon_texts_of_source as tanon_c
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'age'
    ) as "tanon_dictionary_age"
        on tanon_c."age" is not distinct from "tanon_dictionary_age".tanon_text
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'sex'
    ) as "tanon_dictionary_sex"
        on tanon_c."sex" is not distinct from "tanon_dictionary_sex".tanon_text
),
-- sql/steps/utility/asked.sql
tanon_source_cells as (
    select list(list_concat(
        [tanon_moment], tanon_codes, [tanon_c.tanon_n]
    )) as tanon_cells
    from tanon_coded_texts as tanon_c join tanon_times_met using (tanon_at)
),
-- sql/steps/tuning/answered.sql
tanon_cells_at_nodes as (
    select
        tanon_node,
        tanon_a."age"["tanon_dictionary_age".tanon_number] as "age",
        tanon_a."sex"["tanon_dictionary_sex".tanon_number] as "sex",
        tanon_a.tanon_time[tanon_m.tanon_number] as tanon_time,
        tanon_codes[2 + 1:] as tanon_kept, sum(tanon_n)::bigint as tanon_n
    from (select * exclude (tanon_n), tanon_c.tanon_n from tanon_coded_texts as tanon_c) as tanon_c
    join (
        select tanon_value, min(tanon_number) as tanon_number
        from tanon_texts_of_numbers
        where tanon_attribute = 'age'
        group by tanon_value
    ) as "tanon_dictionary_age"
        on tanon_c."age" is not distinct from "tanon_dictionary_age".tanon_value
    join (
        select tanon_value, min(tanon_number) as tanon_number
        from tanon_texts_of_numbers
        where tanon_attribute = 'sex'
        group by tanon_value
    ) as "tanon_dictionary_sex"
        on tanon_c."sex" is not distinct from "tanon_dictionary_sex".tanon_value
    join tanon_common_tick on true
    join (select tanon_tick_number, tanon_number from tanon_moments) as tanon_m
        on tanon_at // tanon_us = tanon_tick_number
    cross join tanon_chosen_aims as tanon_a
    group by all
),
-- sql/steps/tuning/answered.sql
tanon_cells_of_releases as (
    select list(list_concat([
        tanon_time - 1,
        "age" - 1, "sex" - 1
    ], tanon_kept, [tanon_n, tanon_last])::double[]) as tanon_released
    from (
        select
            c.*, (
                select max(tanon_release) from tanon_releases as r
                where r.tanon_node = g.tanon_node and r.tanon_k <= g.tanon_f
            ) as tanon_last
        from tanon_cells_at_nodes as c join tanon_chosen_groups as g
            on c.tanon_node = g.tanon_node and c.tanon_time = g.tanon_time
            and c."age" = g."age" and c."sex" = g."sex"
    )
),
-- sql/steps/tuning/answered.sql
tanon_answers_of_cells as materialized (
    select unnest(tanon._answer("_tanon_count_queries"(
        tanon_attributes,
        (
            select list(tanon_at order by tanon_moment asc nulls last) from tanon_times_met
        ),
        (
            select case when bool_or(tanon_is_date) then 86400000000 else 1 end from tanon_timed
        ),
        tanon_cells, tanon_members,
        (select list(
            [tanon_starts, tanon_ends] order by tanon_code asc nulls last
        ) from tanon_spans_of_codes),
        tanon_released, (select count(*) from tanon_releases), 1000, 0
    )), recursive := true)
    from tanon_attributes_listed, tanon_members_of_all, tanon_source_cells, tanon_cells_of_releases
),
-- sql/steps/tuning/answered.sql
tanon_errors_of_releases as (
    select
        tanon_release, median(tanon_error) as tanon_median,
        quantile_cont(tanon_error, 0.9) as tanon_ninth
    from (
        select
            r.tanon_release, a.query,
            abs(list_sum(list(estimate order by a.release asc nulls last)) - any_value(truth))
                / nullif(any_value(truth), 0) as tanon_error
        from tanon_answers_of_cells as a join tanon_releases as l on a.release = l.tanon_release
        join tanon_releases as r on r.tanon_node = l.tanon_node and r.tanon_k <= l.tanon_k
        group by r.tanon_release, a.query
    )
    group by tanon_release
)
-- sql/functions/k_anonymity/tune_events.sql
select
    tanon_offer as offer, c.tanon_k as k, tanon_share::double as max_suppression,
    tanon_reason as reason, tanon_name as granularity,
    case when tanon_reason is null then map {
        'age': "age", 'sex': "sex"
    }::map (varchar, integer) end as levels,
    tanon_share_left_out as suppressed_share, tanon_groups as groups, tanon_m as gen_m,
    1 / tanon_m as prosecutor_max, tanon_mean as prosecutor_mean,
    tanon_groups / nullif(tanon_s, 0) as marketer, tanon_below_11 as below_11_share,
    tanon_median as median_relative_error, tanon_ninth as ninth_decile,
    tanon_discernibility as discernibility, tanon_bits as entropy
from tanon_chosen as c left join tanon_releases as r
    on c.tanon_node = r.tanon_node and c.tanon_k = r.tanon_k
left join tanon_risk_of_releases using (tanon_release)
left join tanon_errors_of_releases using (tanon_release)
order by tanon_rank asc nulls last, c.tanon_k asc nulls last, tanon_share asc nulls last
