with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "release")
    union all by name select null as "diagnosis", null as "sex" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.evaluate_events: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "release")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
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
                from tanon_columns_of_release, (values
                (1, 'sex', 'sex', 'tanon.evaluate_events: qi must be columns of release, none twice', '', ''),
                (1000001, 'diagnosis', 'diagnosis', 'tanon.evaluate_events: keep must be columns of release, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "diagnosis", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.evaluate_events: source must be a relation without columns that begin with tanon_, got one with '
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
                (1, 'sex', 'sex', 'tanon.evaluate_events: qi must be columns of source, none twice', '', ''),
                (1000000, 'admitted', 'admitted',
                    'tanon.evaluate_events: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (2000001, 'diagnosis', 'diagnosis', 'tanon.evaluate_events: keep must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.evaluate_events: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.evaluate_events: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
-- sql/steps/utility/errors.sql
tanon_selectivities as (
    from (values
        (1, 'none', -1, 0), (2, 'below 0.1 %', 0, 0.001), (3, '0.1 to 1 %', 0.001, 0.01),
        (4, '1 to 10 %', 0.01, 0.1), (5, '10 % and more', 0.1, 2), (6, 'all', -1, 2)
    ) as tanon_v(tanon_place, tanon_class, tanon_above, tanon_upto)
),
-- sql/steps/time/clock.sql
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.evaluate_events', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/utility/granules.sql
tanon_asked_rows as not materialized (
    from tanon_timed
),
-- sql/steps/utility/asked.sql
tanon_texts_of_source as (
    select
        tanon._value_text("sex") as "sex",
        tanon._value_text("diagnosis") as "diagnosis",
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
-- sql/functions/k_anonymity/evaluate_events.sql
tanon_records_are_counts as (
select coalesce(error('tanon.evaluate_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select null::varchar where false
) as tanon_messages(tanon_message)
),
-- sql/functions/k_anonymity/evaluate_events.sql
tanon_ts_is_released as (
select coalesce(error('tanon.evaluate_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'ts must be a column of release, got ' || 'admitted'
    from (select tanon._folded('admitted') as wanted)
    where wanted not in (select folded from tanon_columns_of_release)
) as tanon_messages(tanon_message)
),
-- sql/functions/k_anonymity/evaluate_events.sql
tanon_release_texts as materialized (
    select
        "sex",
        "diagnosis",
        tanon_label, sum(tanon_n) as tanon_n
    from (
        select
            tanon._value_text("sex") as "sex",
            tanon._value_text("diagnosis") as "diagnosis",
            "admitted"::varchar as tanon_label,
            1 as tanon_n
        from (from tanon_release union all by name select null::varchar as "admitted" where false)
        where (select tanon_fine from tanon_records_are_counts) and (select tanon_fine from tanon_ts_is_released)
    )
    group by all
),
-- sql/steps/utility/read_off.sql
tanon_granularity_read_off as materialized (
    select unnest(['month']::varchar[]) as tanon_name
),
-- sql/steps/time/chosen.sql
tanon_rows_as_released as not materialized (
    select
        tanon_s.*,
        case tanon_name
            when 'month' then (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640
        end as tanon_granule,
        case tanon_name
            when 'month' then tanon._label(tanon_t, 'month')
        end as tanon_label
    from tanon_timed as tanon_s, tanon_granularity_read_off
    where list_contains(['month']::varchar[],
        tanon_name)
),
-- sql/steps/utility/granules.sql
tanon_granules_met as (
    select
        tanon_label,
        case tanon_name
            when 'month' then tanon._us_since_year_1(tanon._start(tanon_first, 'month'))
        end as tanon_starts,
        case tanon_name
            when 'month' then tanon._us_since_year_1(tanon._end(tanon_first, 'month'))
        end as tanon_ends
    from (
        select tanon_label, min(tanon_t) as tanon_first
        from tanon_rows_as_released
        group by tanon_label
    ), tanon_granularity_read_off
    where tanon_starts is not null
),
-- sql/steps/utility/spans.sql
tanon_spans as materialized (
    select *, row_number() over (
        order by tanon_starts asc nulls last, tanon_label asc nulls last
    ) - 1 as tanon_span
    from (
        from tanon_granules_met
        union all
        select '*', min(tanon_starts), max(tanon_ends) from tanon_granules_met having count(*) > 0
    )
),
-- sql/steps/utility/leaves.sql
tanon_leaves as materialized (
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
     union all
    select
        'diagnosis' as tanon_attribute, tanon_text, tanon_n, tanon_is_ordered,
        row_number() over (order by tanon_raw asc nulls first, tanon_text asc nulls first) - 1
            as tanon_leaf
    from (
        select
            tanon._value_text("diagnosis") as tanon_text,
            any_value("diagnosis") as tanon_raw, count(*) as tanon_n,
            regexp_matches(any_value(typeof("diagnosis")),
                '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|BIGNUM|DECIMAL.*|DATE|TIME.*)$'
            ) as tanon_is_ordered
        from tanon_source
        group by tanon._value_text("diagnosis")
    )
),
-- sql/steps/utility/leaves.sql
tanon_attributes_told as (
    select
        list_position(list_concat(['sex']::varchar[], tanon._list(['diagnosis']::varchar[])), tanon_attribute)
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
-- sql/steps/utility/read_off.sql
tanon_levels_wanted as (
    select 'sex' as tanon_attribute,
        coalesce(nullif('', '')::integer, 0) as tanon_level
    union all
    select 'diagnosis', 0
),
-- sql/steps/utility/released.sql
tanon_steps_given as (
    select '' as tanon_attribute, 0 as tanon_level, '' as tanon_text, '' as tanon_general
    where false
),
-- sql/steps/utility/released.sql
tanon_leaf_generals as materialized (
    select
        tanon_l.tanon_attribute, tanon_leaf, count(tanon_g.tanon_attribute) as tanon_given,
        any_value(tanon_w.tanon_level) as tanon_level, any_value(tanon_l.tanon_text) as tanon_value,
        case when any_value(tanon_w.tanon_level) = 0 then any_value(tanon_l.tanon_text)
            else min(tanon_general) end as tanon_general
    from tanon_leaves as tanon_l join tanon_levels_wanted as tanon_w using (tanon_attribute)
    left join tanon_steps_given as tanon_g
        on tanon_l.tanon_attribute = tanon_g.tanon_attribute
        and tanon_l.tanon_text is not distinct from tanon_g.tanon_text
    group by tanon_l.tanon_attribute, tanon_leaf
),
-- sql/steps/utility/released.sql
tanon_levels_are_given as (
select coalesce(error('tanon.evaluate_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'levels must be those at which hierarchies generalize every value of source once, got '
        || count(*) || ' values that are not, such as '
        || min(tanon_attribute || ' ' || coalesce(tanon_value, 'NULL') || ' on level '
            || tanon_level)
    from tanon_leaf_generals
    where tanon_level > 0 and tanon_given <> 1 and (tanon_value is not null or tanon_given > 1)
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/utility/released.sql
tanon_generals as materialized (
    select
        tanon_attribute, tanon_general, list(
            tanon_leaf order by tanon_leaf asc nulls last
        ) as tanon_leaves,
        row_number() over (partition by tanon_attribute order by tanon_general asc nulls first) - 1
            as tanon_number
    from (
        select tanon_attribute, tanon_general, tanon_leaf
        from tanon_leaf_generals
        where (select tanon_fine from tanon_levels_are_given)
        union all
        select tanon_attribute, '*', tanon_leaf
        from tanon_leaf_generals
        where tanon_attribute not in (
            select tanon_attribute from tanon_leaf_generals where tanon_general = '*'
        )
    )
    group by tanon_attribute, tanon_general
),
-- sql/steps/utility/released.sql
tanon_members_listed as (
    select list(tanon_members order by tanon_place asc nulls last) as tanon_members
    from (
        select
            list_position(list_concat(['sex']::varchar[], tanon._list(['diagnosis']::varchar[])), tanon_attribute)
                as tanon_place,
            list(tanon_leaves order by tanon_number asc nulls last) as tanon_members
        from tanon_generals
        group by tanon_attribute
        union all select 0, null
    )
),
-- sql/steps/utility/leaves.sql
tanon_coded_texts as materialized (
    select
        tanon_c.*, [
            "tanon_dictionary_sex".tanon_leaf
            ,
            "tanon_dictionary_diagnosis".tanon_leaf
        ] as tanon_codes
    from tanon_texts_of_source as tanon_c
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'sex'
    ) as "tanon_dictionary_sex"
        on tanon_c."sex" is not distinct from "tanon_dictionary_sex".tanon_text
    join (
        select tanon_text, tanon_leaf from tanon_leaves where tanon_attribute = 'diagnosis'
    ) as "tanon_dictionary_diagnosis"
        on tanon_c."diagnosis" is not distinct from "tanon_dictionary_diagnosis".tanon_text
),
-- sql/steps/utility/asked.sql
tanon_source_cells as (
    select list(list_concat(
        [tanon_moment], tanon_codes, [tanon_c.tanon_n]
    )) as tanon_cells
    from tanon_coded_texts as tanon_c join tanon_times_met using (tanon_at)
),
-- sql/steps/utility/released.sql
tanon_release_coded as materialized (
    select
        tanon_r.tanon_n, tanon_span, [
            "tanon_dictionary_sex".tanon_number
            ,
            "tanon_dictionary_diagnosis".tanon_number
        ] as tanon_numbers
    from tanon_release_texts as tanon_r left join tanon_spans as tanon_s
        on tanon_r.tanon_label is not distinct from tanon_s.tanon_label
    left join (
        select tanon_general, tanon_number from tanon_generals where tanon_attribute = 'sex'
    ) as "tanon_dictionary_sex"
        on tanon_r."sex" is not distinct from "tanon_dictionary_sex".tanon_general
    left join (
        select tanon_general, tanon_number from tanon_generals where tanon_attribute = 'diagnosis'
    ) as "tanon_dictionary_diagnosis"
        on tanon_r."diagnosis" is not distinct from "tanon_dictionary_diagnosis".tanon_general
),
-- sql/steps/utility/released.sql
tanon_release_is_of_source as (
select coalesce(error('tanon.evaluate_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'release must hold values of source as they are at levels'
        || ' and labels of granularity'
        || ', got ' || sum(tanon_n)::bigint || ' rows with others'
        || '; tanon.publish_events(result := ''summary'') says what a release was made with'
    from tanon_release_coded
    where tanon_span is null or list_count(tanon_numbers) < len(tanon_numbers)
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/utility/released.sql
tanon_released_cells as (
    select list(list_concat(
        [tanon_span], tanon_numbers, [tanon_n, 0]
    )::double[]) as tanon_released
    from tanon_release_coded
    where (select tanon_fine from tanon_release_is_of_source)
),
-- sql/functions/k_anonymity/evaluate_events.sql
tanon_query_answers as materialized (
    select unnest(tanon._answer("_tanon_count_queries"(
        tanon_attributes,
        (
            select list(tanon_at order by tanon_moment asc nulls last) from tanon_times_met
        ),
        (
            select case when bool_or(tanon_is_date) then 86400000000 else 1 end from tanon_timed
        ),
        tanon_cells, tanon_members,
        (select list([tanon_starts, tanon_ends] order by tanon_span asc nulls last) from tanon_spans),
        tanon_released, 1, 1000, 0
    )), recursive := true)
    from tanon_attributes_listed, tanon_members_listed, tanon_source_cells, tanon_released_cells
)
-- sql/functions/k_anonymity/evaluate_events.sql
    select
        tanon_class as selectivity, count(truth) as queries,
        median(abs(estimate - truth) / nullif(truth, 0)) as median_relative_error,
        quantile_cont(abs(estimate - truth) / nullif(truth, 0), 0.9) as ninth_decile,
        median(abs(estimate - truth)) as median_absolute_error
    from tanon_selectivities left join (
        select truth, estimate, truth / (select count(*) from tanon_source) as tanon_share
        from tanon_query_answers
    )
        on case tanon_class when 'all' then true when 'none' then truth = 0
            else truth > 0 and tanon_share >= tanon_above and tanon_share < tanon_upto end
    group by tanon_place, tanon_class
    order by tanon_place asc nulls last
