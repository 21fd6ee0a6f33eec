with recursive
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "diagnosis", null as "patient", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.report_events: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.report_events: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.report_events: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.report_events: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (3000001, 'diagnosis', 'diagnosis', 'tanon.report_events: keep must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.report_events: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.report_events: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.report_events: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
-- sql/steps/time/clock.sql
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.report_events', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/rows_of_each.sql
tanon_rows_of_each as (
    select "patient" as tanon_uid, count(*) as tanon_n from tanon_source group by "patient"
),
-- sql/steps/time/offer.sql
tanon_offer as materialized (
    select *, list_position(['week', 'month', 'quarter']::varchar[], tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            ,
                ('week', 'us', 604800000000, 0, [0], [604800000000], False, False, 86400000000,
                604800000000),
                ('month', 'months', 31, 0, [0], [31], False, False, 86400000000, 2629746000000),
                ('quarter', 'months', 93, 0, [0], [93], False, False, 86400000000, 7889238000000)
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
select coalesce(error('tanon.report_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/time/sorted.sql
tanon_numbered as materialized (
    select *, (row_number() over ())::integer as tanon_value
    from (select distinct "sex" from tanon_timed)
),
-- sql/steps/time/sorted.sql
tanon_sorted as materialized (
    select
        tanon_value, tanon_beat,
        case when lag(tanon_uid) over tanon_in_order = tanon_uid
            then lag(tanon_beat) over tanon_in_order end as tanon_previous
    from (
        select
            tanon_value, tanon_s."patient" as tanon_uid,
            case when tanon_t >= timestamp '0001-01-01' and tanon_t < timestamp '10000-01-01'
                then ((epoch_us(tanon_t) + 62135596800000000) // 86400000000)::integer end as tanon_beat
        from tanon_timed as tanon_s join tanon_numbered as tanon_v
            on
                tanon_s."sex" is not distinct from tanon_v."sex"
    )
    window tanon_in_order as (
        partition by tanon_value order by tanon_uid asc nulls last, tanon_beat asc nulls last
    )
),
-- sql/steps/time/cells.sql
tanon_days_met as (
    select
        tanon_day
    from (
        select (tanon_beat // 1::integer)::integer as tanon_day
        from tanon_sorted
    )
    group by tanon_day
),
-- sql/steps/time/cells.sql
tanon_granules_of_days as (
    select
        tanon_day
        , min(tanon_dawn) over (partition by ((tanon_t::date - date '0001-01-01') // 7 - 102737))
            as tanon_begin_7765656B
        , min(tanon_dawn) over (partition by ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640))
            as tanon_begin_6D6F6E7468
        , min(tanon_dawn) over (partition by ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880))
            as tanon_begin_71756172746572
    from tanon_days_met, lateral (
        select
            tanon._since_year_1(tanon_day * 86400000000) as tanon_t,
            tanon_day * 1::integer as tanon_dawn
    )
),
-- sql/steps/time/cells.sql
tanon_days as materialized (
    select
        *, min(tanon_day) over (partition by
            tanon_begin_7765656B
            ,
            tanon_begin_6D6F6E7468
            ,
            tanon_begin_71756172746572
        ) as tanon_cell
    from tanon_granules_of_days
),
-- sql/steps/time/cells.sql
tanon_cells as materialized (
    select
        tanon_value, tanon_cell, count(*) as tanon_n
        , count(case when tanon_previous >= tanon_begin_7765656B then null else 1 end)
            as tanon_firsts_7765656B
        , count(case when tanon_previous >= tanon_begin_6D6F6E7468 then null else 1 end)
            as tanon_firsts_6D6F6E7468
        , count(case when tanon_previous >= tanon_begin_71756172746572 then null else 1 end)
            as tanon_firsts_71756172746572
    from tanon_sorted join tanon_days
        on tanon_beat // 1::integer = tanon_day
    group by tanon_value, tanon_cell
),
-- sql/steps/time/sizes.sql
tanon_sizes_offered as materialized (
    select
        'week' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select
            sum(tanon_n)::bigint as tanon_n,
            sum(tanon_firsts_7765656B)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_7765656B
    )
    group by tanon_f
     union all
    select
        'month' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select
            sum(tanon_n)::bigint as tanon_n,
            sum(tanon_firsts_6D6F6E7468)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_6D6F6E7468
    )
    group by tanon_f
     union all
    select
        'quarter' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select
            sum(tanon_n)::bigint as tanon_n,
            sum(tanon_firsts_71756172746572)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_71756172746572
    )
    group by tanon_f
),
-- sql/steps/time/measured.sql
tanon_measured as (
    select
        tanon_name, min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f * tanon_groups), 0)::bigint as tanon_s,
        coalesce(sum(tanon_groups), 0)::bigint as tanon_groups,
        coalesce(sum(tanon_tuples) filter (where tanon_f < 5), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= 5) as tanon_kept_m,
        coalesce(sum(tanon_f * tanon_groups) filter (where tanon_f >= 5), 0)::bigint
            as tanon_kept_s
    from tanon_feasibility left join tanon_sizes_offered using (tanon_name)
    group by tanon_name
),
-- sql/steps/time/judged.sql
tanon_judged as materialized (
    select
        tanon_o.*, tanon_groups, tanon_suppressed,
        tanon_suppressed / greatest(tanon_rows, 1) as tanon_share,
        tanon_reason is null and tanon_suppressed <= 0 * tanon_rows
            as tanon_acceptable,
        case when tanon_acceptable then tanon_kept_m else tanon_m end as tanon_gen_m,
        case when tanon_acceptable then tanon_kept_s else tanon_s end as tanon_gen_s
    from tanon_feasibility as tanon_o join tanon_measured using (tanon_name), tanon_span
),
-- sql/steps/time/judged.sql
tanon_minimal as materialized (
    select *
    from tanon_judged
    where tanon_acceptable and tanon_name not in (
        select tanon_above
        from tanon_finer join tanon_judged on tanon_below = tanon_name
        where tanon_acceptable
    )
),
-- sql/steps/time/finest.sql
tanon_contenders as materialized (
    from tanon_minimal where (select count(*) > 1 from tanon_minimal)
),
-- sql/steps/time/finest.sql
tanon_granules_apart as materialized (
    select null::varchar as tanon_name, null::bigint as tanon_granule, 0::bigint as tanon_n
    where false
    union all
    select 'week', (tanon_t::date - date '0001-01-01') // 7 - 102737, count(*)
    from tanon_timed, (from tanon_contenders where tanon_name = 'week')
    group by all
    union all
    select 'month', (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640, count(*)
    from tanon_timed, (from tanon_contenders where tanon_name = 'month')
    group by all
    union all
    select 'quarter', (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880, count(*)
    from tanon_timed, (from tanon_contenders where tanon_name = 'quarter')
    group by all
),
-- sql/steps/time/finest.sql
tanon_values_apart as materialized (
    select "sex", count(*) as tanon_n
    from tanon_timed, (from tanon_contenders limit 1)
    group by "sex"
),
-- sql/steps/time/finest.sql
tanon_told_by_values as (
    select
        (
            select coalesce(log2(sum(tanon_n)) - sum(tanon_n * log2(tanon_n)) / sum(tanon_n), 0)
            from (select sum(tanon_n) as tanon_n from tanon_values_apart group by "sex")
        )
        as tanon_bits
),
-- sql/steps/time/finest.sql
tanon_finest as materialized (
    select tanon_name
    from tanon_minimal left join (
        select
            tanon_name,
            log2(sum(tanon_n)) - sum(tanon_n * log2(tanon_n)) / sum(tanon_n) as tanon_told
        from tanon_granules_apart
        group by tanon_name
    ) using (tanon_name), tanon_told_by_values
    order by
        round((1 - tanon_share) * (tanon_told + tanon_bits), 9) desc nulls last,
        tanon_length asc nulls last, tanon_name asc nulls last
    limit 1
),
-- sql/steps/release/shown.sql
tanon_nearest_granularity as materialized (
    select tanon_name
    from tanon_judged
    where tanon_reason is null and (tanon_name in (select tanon_name from tanon_finest)
        or (select count(*) = 0 from tanon_finest))
    order by
        case when tanon_acceptable then 0 else tanon_share end asc nulls last,
        tanon_length asc nulls last,
        tanon_name asc nulls last
    limit 1
),
-- sql/steps/time/chosen.sql
tanon_rows_at_nearest as not materialized (
    select
        tanon_s.*,
        case tanon_name
            when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
            when 'month' then (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640
            when 'quarter' then (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880
        end as tanon_granule,
        case tanon_name
            when 'week' then tanon._label(tanon_t, 'week')
            when 'month' then tanon._label(tanon_t, 'month')
            when 'quarter' then tanon._label(tanon_t, 'quarter')
        end as tanon_label
    from tanon_timed as tanon_s, tanon_nearest_granularity
    where list_contains(['week', 'month', 'quarter']::varchar[],
        tanon_name)
),
-- sql/steps/release/shown.sql
tanon_rows_with_values as not materialized (
    select
        tanon_s.*, tanon_v.tanon_value as tanon_raw
    from tanon_rows_at_nearest as tanon_s join tanon_numbered as tanon_v
        on
            tanon_s."sex" is not distinct from tanon_v."sex"
),
-- sql/steps/release/shown.sql
tanon_values_at_levels as materialized (
    select * rename (tanon_value as tanon_plain) from tanon_numbered
),
-- sql/steps/release/shown.sql
tanon_rows_shown as not materialized (
    select *, tanon_raw as tanon_plain, tanon_raw as tanon_value, false as tanon_is_out
    from tanon_rows_with_values
),
-- sql/steps/release/coded.sql
tanon_hashed as not materialized (
    select
        tanon_t, tanon_granule, tanon_s."patient" as tanon_uid, tanon_raw, tanon_plain,
            tanon_value,
        tanon_is_out,
        hash(columns(lambda c: c = 'tanon_nothing' or tanon._is_further(
            c, list_concat(['patient'], tanon._roles(['sex']::varchar[], 'admitted'))))::varchar)
    from (select 0 as tanon_nothing, * from tanon_rows_shown) as tanon_s
),
-- sql/steps/release/coded.sql
tanon_people as materialized (
    select tanon_uid, (row_number() over ())::integer as tanon_person
    from (select distinct "patient" as tanon_uid from tanon_timed)
),
-- sql/steps/release/coded.sql
tanon_coded as materialized (
    select
        tanon_raw, tanon_plain, tanon_value, tanon_person, tanon_granule, tanon_t, tanon_is_out,
        list_value(*columns(lambda c: c = 'tanon_nothing' or not starts_with(c, 'tanon_')))
            as tanon_told
    from tanon_hashed join tanon_people using (tanon_uid)
),
-- sql/steps/release/coded.sql
tanon_members_at_chosen as materialized (
    select
        tanon_value, tanon_granule, tanon_person, count(*) as tanon_n
    from tanon_coded
    group by tanon_value, tanon_granule, tanon_person
),
-- sql/steps/release/coded.sql
tanon_groups_at_chosen as materialized (
    select *, (row_number() over ())::integer as tanon_group
    from (
        select
            tanon_value, tanon_granule, count(*) as tanon_f, sum(tanon_n)::bigint as tanon_n,
            count(*) >= 5 as tanon_is_kept
        from tanon_members_at_chosen
        group by tanon_value, tanon_granule
    )
),
-- sql/steps/report/of_release.sql
tanon_counted_groups as (
    select
        coalesce(sum(tanon_n) filter (tanon_is_kept), 0) as tanon_kept_rows,
        coalesce(sum(tanon_n) filter (not tanon_is_kept), 0) as tanon_lost_rows,
        count(*) filter (tanon_is_kept) as tanon_kept_groups,
        count(*) filter (not tanon_is_kept) as tanon_lost_groups,
        min(tanon_f) filter (tanon_is_kept) as tanon_least,
        coalesce(sum(tanon_f) filter (tanon_is_kept), 0) as tanon_sum,
        tanon_kept_rows + tanon_lost_rows as tanon_rows
    from tanon_groups_at_chosen
),
-- sql/steps/release/people.sql
tanon_smallest_of_people as (
    select
        tanon_person,
        min(tanon_f) as tanon_before,
        min(tanon_f) filter (tanon_is_kept) as tanon_after,
        count(*) filter (tanon_is_kept) as tanon_groups
    from tanon_members_at_chosen join (
        select tanon_value, tanon_granule, tanon_f, tanon_is_kept from tanon_groups_at_chosen
    ) using (tanon_value, tanon_granule)
    group by tanon_person
),
-- sql/steps/release/people.sql
tanon_counted_people as materialized (
    select
        coalesce(sum(tanon_n), 0)::bigint as tanon_everybody,
        coalesce(sum(tanon_n) filter (tanon_after is not null), 0)::bigint as tanon_released,
        coalesce(sum(tanon_several), 0)::bigint as tanon_several,
        coalesce(sum(tanon_n) filter (tanon_before < 2), 0)::bigint as tanon_alone,
        coalesce(sum(tanon_n) filter (tanon_before < 5), 0)::bigint as tanon_below_k,
        list_sum(list(
            tanon_n / tanon_before order by tanon_before asc nulls last, tanon_after asc nulls last
        ))
            / sum(tanon_n) as tanon_mean_before,
        list_sum(list(
            tanon_n / tanon_after order by tanon_before asc nulls last, tanon_after asc nulls last
        )
            filter (tanon_after is not null)) / tanon_released as tanon_mean_after,
        1 / min(tanon_before) as tanon_worst_before, 1 / min(tanon_after) as tanon_worst_after
    from (
        select
            tanon_before, tanon_after, count(*) as tanon_n,
            count(*) filter (tanon_groups > 1) as tanon_several
        from tanon_smallest_of_people
        group by tanon_before, tanon_after
    )
),
-- sql/steps/report/of_release.sql
tanon_facts_of_release as (
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('granularity', null, null, null, null, tanon_name, true),
            tanon._fact('rows released', null, tanon_kept_rows, null, null, null, true),
            tanon._fact('respondents released', null, tanon_released, null, null, null, true),
            tanon._fact('groups released', null, tanon_kept_groups, null, null, null, true),
            tanon._fact('rows', null, tanon_rows, null, null, null, false),
            tanon._fact('respondents', null, tanon_everybody, null, null, null, false),
            tanon._fact('groups left out', null, tanon_lost_groups, null, null, null, false),
            tanon._fact('rows left out', null, tanon_lost_rows, null, null, null, false)
            , tanon._fact('first time', null, null, null, null,
                (select tanon_first from tanon_span), false),
            tanon._fact('last time', null, null, null, null,
                (select tanon_last from tanon_span), false)
        ] as facts
    from tanon_counted_groups left join tanon_nearest_granularity on true, tanon_counted_people
),
-- sql/steps/report/utility.sql
tanon_levels_wanted as (
    select 'sex' as tanon_attribute,
        0 as tanon_level
    union all
    select 'diagnosis', 0
),
-- sql/steps/report/of_release.sql
tanon_roles_of_columns as (
    select
        column_name as tanon_column, column_type as tanon_type, tanon_level, tanon_top,
        case
            when folded = tanon._folded('patient') then 1
            when tanon._is_named(folded, ['sex']::varchar[]) then 2
            when folded = tanon._folded('admitted') then 3
            when tanon._is_named(folded, ['diagnosis']::varchar[]) then 6
            else 7 end as tanon_role
    from tanon_columns_of_source left join tanon_levels_wanted
        on folded = tanon._folded(tanon_attribute)
    left join (
        select null::varchar as tanon_attribute, 0 as tanon_top
    ) using (tanon_attribute)
),
-- sql/steps/report/of_release.sql
tanon_facts_of_columns as (
    select
        2 as tanon_part, row_number() over (
            order by tanon_role asc nulls last, tanon_column asc nulls last
        ) as tanon_place,
        'columns' as section, [tanon._fact(
            (['respondent', 'quasi-identifier', 'time', 'sensitive', 'sensitive', 'kept',
                'stays home'])[tanon_role],
            tanon_column, case when tanon_role = 2 then tanon_level end,
            case when tanon_role = 2 then tanon_top end, null, case tanon_role
                when 1 then 'counted, never released'
                when 2 then case when tanon_level > 0
                    then 'released at level ' || tanon_level || ' of ' || tanon_top
                    else 'released as it is' end
                    || '; every group has at least ' || 5 || ' respondents'
                when 3 then 'released as its ' || coalesce(replace(
                    (select tanon_name from tanon_nearest_granularity), '_', ' '), 'granule')
                when 4 then 'released as it is, within limits in every group'
                when 5 then 'not released; within limits in every group'
                when 6 then 'released as it is, not protected'
                else 'not released' end, true)] as facts
    from tanon_roles_of_columns
),
-- sql/steps/report/of_release.sql
tanon_counts_agree as (
select coalesce(error('tanon.report_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'source must give the same groups however they are counted, got ' || count(*)
        || ' sizes that differ: tell the authors'
    from (
        select tanon_f, tanon_groups, tanon_tuples
        from tanon_sizes_offered semi join tanon_nearest_granularity using (tanon_name)
    ) as tanon_a full join (
        select tanon_f, count(*) as tanon_groups, sum(tanon_n) as tanon_tuples
        from tanon_groups_at_chosen
        group by tanon_f
    ) as tanon_b using (tanon_f)
    where tanon_a.tanon_groups is distinct from tanon_b.tanon_groups
        or tanon_a.tanon_tuples is distinct from tanon_b.tanon_tuples
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/report/of_release.sql
tanon_facts_of_promise as (
    select
        3 as tanon_part, 1::bigint as tanon_place, 'promise' as section, [
            tanon._fact('smallest group', null, tanon_least, 5, coalesce(tanon_least >= 5, true)
                    and (select tanon_fine from tanon_counts_agree)
                    ,
                'respondents who share quasi-identifiers'
                    || ' and time', true),
            tanon._fact('share left out', null, tanon_lost_rows / greatest(tanon_rows, 1),
                0, tanon_lost_rows <= 0 * tanon_rows
                    and (select count(*) > 0 from tanon_nearest_granularity)
                    ,
                'rows in groups of fewer than ' || 5
                    , true)
        ] as facts
    from tanon_counted_groups
),
-- sql/steps/report/of_granularities.sql
tanon_sizes_told as materialized (
    from tanon_sizes_offered
),
-- sql/steps/time/measured.sql
tanon_measured_told as (
    select
        tanon_name, min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f * tanon_groups), 0)::bigint as tanon_s,
        coalesce(sum(tanon_groups), 0)::bigint as tanon_groups,
        coalesce(sum(tanon_tuples) filter (where tanon_f < 5), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= 5) as tanon_kept_m,
        coalesce(sum(tanon_f * tanon_groups) filter (where tanon_f >= 5), 0)::bigint
            as tanon_kept_s
    from tanon_feasibility left join tanon_sizes_told using (tanon_name)
    group by tanon_name
),
-- sql/steps/time/judged.sql
tanon_judged_told as materialized (
    select
        tanon_o.*, tanon_groups, tanon_suppressed,
        tanon_suppressed / greatest(tanon_rows, 1) as tanon_share,
        tanon_reason is null and tanon_suppressed <= 0 * tanon_rows
            as tanon_acceptable,
        case when tanon_acceptable then tanon_kept_m else tanon_m end as tanon_gen_m,
        case when tanon_acceptable then tanon_kept_s else tanon_s end as tanon_gen_s
    from tanon_feasibility as tanon_o join tanon_measured_told using (tanon_name), tanon_span
),
-- sql/steps/report/of_granularities.sql
tanon_facts_of_granularities as (
    select
        4 as tanon_part, tanon_place, 'granularities' as section, [
            tanon._fact('share below k', tanon_name, tanon_share, 0,
                tanon_acceptable, tanon_reason, true),
            tanon._fact('smallest group', tanon_name, tanon_m, 5, null, null, tanon_m >= 5),
            tanon._fact('groups', tanon_name, tanon_groups, null, null, null, true),
            tanon._fact('rows below k', tanon_name, tanon_suppressed, null, null, null, false),
            tanon._fact('chosen', tanon_name, null, null,
                tanon_name in (select tanon_name from tanon_nearest_granularity), null, true)
        ] as facts
    from (
        select
            * replace (
                case when tanon_reason is null then tanon_share end as tanon_share,
                case when tanon_reason is null then tanon_groups end as tanon_groups,
                case when tanon_reason is null then tanon_suppressed end as tanon_suppressed
            ),
            case when tanon_reason is null then tanon_gen_m end as tanon_m
        from tanon_judged_told
    )
),
-- sql/steps/report/of_granularities.sql
tanon_facts_of_lattice as (
    select
        5 as tanon_part, row_number() over (
            order by tanon_below asc nulls last, tanon_above asc nulls last
        ) as tanon_place,
        'lattice' as section,
        [tanon._fact('finer than', tanon_below, null, null, null, tanon_above, true)] as facts
    from tanon_finer as f
    where not exists (
        from tanon_finer as a join tanon_finer as b on a.tanon_above = b.tanon_below
        where a.tanon_below = f.tanon_below and b.tanon_above = f.tanon_above
    )
),
-- sql/steps/report/of_granularities.sql
tanon_facts_of_sizes as (
    select
        6 as tanon_part, tanon_class as tanon_place, 'group sizes' as section, [
            tanon._fact('groups', tanon_text, tanon_groups, null, tanon_is_kept, null,
                tanon_is_kept),
            tanon._fact('rows', tanon_text, tanon_rows, null, tanon_is_kept, null, tanon_is_kept)
        ] as facts
    from (
        select
            case when tanon_f < 5 then tanon_f
                else (5 * power(2, floor(log2(tanon_f / 5))))::bigint end as tanon_class,
            tanon_is_kept, count(*) as tanon_groups, sum(tanon_n) as tanon_rows,
            case when tanon_class < 5 or tanon_class = 1 then tanon_class::varchar
                else tanon_class || ' to ' || (2 * tanon_class - 1) end
            || case when tanon_is_kept or tanon_class < 5 then '' else ', left out' end
                as tanon_text
        from tanon_groups_at_chosen
        group by tanon_class, tanon_is_kept
    )
),
-- sql/steps/report/of_granularities.sql
tanon_risk_of_granularities as (
    select
        tanon_name, sum(tanon_f * tanon_groups) as tanon_all,
        sum(tanon_f * tanon_groups) filter (tanon_f >= 5) as tanon_kept,
        coalesce(sum(tanon_groups) filter (tanon_f = 1), 0) as tanon_alone,
        sum(tanon_groups) as tanon_before, sum(tanon_groups) filter (tanon_f >= 5) as tanon_after,
        1 / min(tanon_f) as tanon_worst,
        1 / min(tanon_f) filter (tanon_f >= 5) as tanon_worst_after
    from tanon_sizes_told
    group by tanon_name
),
-- sql/steps/report/of_granularities.sql
tanon_facts_of_risk as (
    select
        7 as tanon_part, 1000000::bigint as tanon_place, 'risk' as section, [
            tanon._fact('respondents alone before', null, tanon_alone / tanon_everybody, null, null,
                null, true),
            tanon._fact('respondents below k before', null, tanon_below_k / tanon_everybody, null,
                null, null, true),
            tanon._fact('mean risk of respondents before', null, tanon_mean_before, null, null,
                null, true),
            tanon._fact('mean risk of respondents after', null, tanon_mean_after, null, null, null,
                true),
            tanon._fact('respondents without a row', null, 1 - tanon_released / tanon_everybody,
                null, null, null, true)
        ]
    from tanon_counted_people
    where tanon_everybody > 0
    union all
    select
        7, tanon_place, 'risk', [
            tanon._fact('alone before', tanon_name, tanon_alone / tanon_all, null, null, null,
                true),
            tanon._fact('below k before', tanon_name, 1 - coalesce(tanon_kept, 0) / tanon_all, null,
                null, null, true),
            tanon._fact('mean risk before', tanon_name, tanon_before / tanon_all, null, null, null,
                true),
            tanon._fact('largest risk before', tanon_name, tanon_worst, null, null, null,
                tanon_worst <= 1 / 5),
            tanon._fact('mean risk after', tanon_name, tanon_after / tanon_kept, null, null, null,
                true),
            tanon._fact('largest risk after', tanon_name, tanon_worst_after, 1 / 5,
                tanon_worst_after <= 1 / 5, null, true)
        ] as facts
    from tanon_risk_of_granularities join tanon_judged_told using (tanon_name)
    where tanon_reason is null
),
-- sql/steps/report/of_findings.sql
tanon_rows_left_out as materialized (
    select tanon_group, tanon_plain, tanon_t
    from tanon_coded as tanon_c join tanon_groups_at_chosen as tanon_g
        on tanon_c.tanon_value = tanon_g.tanon_value
        and tanon_c.tanon_granule = tanon_g.tanon_granule
    where not tanon_is_kept
),
-- sql/steps/report/of_findings.sql
tanon_labels_left_out as (
    select tanon_granule, any_value(tanon_label) as tanon_label
    from tanon_rows_at_nearest
    where tanon_granule in (select tanon_granule from tanon_groups_at_chosen where not tanon_is_kept)
    group by tanon_granule
),
-- sql/steps/report/of_findings.sql
tanon_rows_beside_them as materialized (
    select tanon_plain, tanon_t, tanon_person
    from tanon_coded
    where tanon_plain in (select tanon_plain from tanon_rows_left_out)
),
-- sql/steps/report/of_findings.sql
tanon_found_elsewhere as materialized (
    select 'week' as tanon_name, tanon_group, min(tanon_f) as tanon_f
    from (
        select distinct tanon_group, tanon_plain, (tanon_t::date - date '0001-01-01') // 7 - 102737 as tanon_there
        from tanon_rows_left_out
    ) join (
        select tanon_plain, (tanon_t::date - date '0001-01-01') // 7 - 102737 as tanon_there,
            count(distinct tanon_person) as tanon_f
        from tanon_rows_beside_them
        group by tanon_plain, tanon_there
    ) using (tanon_plain, tanon_there)
    group by tanon_group
     union all
    select 'month' as tanon_name, tanon_group, min(tanon_f) as tanon_f
    from (
        select distinct tanon_group, tanon_plain, (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640 as tanon_there
        from tanon_rows_left_out
    ) join (
        select tanon_plain, (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640 as tanon_there,
            count(distinct tanon_person) as tanon_f
        from tanon_rows_beside_them
        group by tanon_plain, tanon_there
    ) using (tanon_plain, tanon_there)
    group by tanon_group
     union all
    select 'quarter' as tanon_name, tanon_group, min(tanon_f) as tanon_f
    from (
        select distinct tanon_group, tanon_plain, (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880 as tanon_there
        from tanon_rows_left_out
    ) join (
        select tanon_plain, (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880 as tanon_there,
            count(distinct tanon_person) as tanon_f
        from tanon_rows_beside_them
        group by tanon_plain, tanon_there
    ) using (tanon_plain, tanon_there)
    group by tanon_group
),
-- sql/steps/report/of_findings.sql
tanon_left_out as materialized (
    select
        tanon_g.*, tanon_plain, tanon_label,
        tanon_kept_by
    from tanon_groups_at_chosen as tanon_g join (
        select tanon_group, any_value(tanon_plain) as tanon_plain
        from tanon_rows_left_out
        group by tanon_group
    ) using (tanon_group) join tanon_labels_left_out using (tanon_granule)
    left join (
        select tanon_group, arg_min(tanon_name, (tanon_length, tanon_name)) as tanon_kept_by
        from tanon_found_elsewhere join tanon_feasibility using (tanon_name)
        where tanon_f >= 5 and tanon_reason is null
        group by tanon_group
    ) using (tanon_group)
    where not tanon_is_kept
),
-- sql/steps/report/of_findings.sql
tanon_facts_of_left_out as (
    select
        8 as tanon_part, row_number() over (order by tanon_kept_by asc nulls last) as tanon_place,
        'left out' as section, [
            tanon._fact('groups kept by', tanon_kept_by, count(*), null, null, null, false),
            tanon._fact('rows kept by', tanon_kept_by, sum(tanon_n), null, null, null, false)
        ] as facts
    from tanon_left_out
    group by tanon_kept_by
    union all
    select
        8, 1000000 + row_number() over (
            order by tanon_f asc nulls last, tanon_granule asc nulls last, n."sex" asc nulls last
        ), 'left out',
        [tanon._fact('group', concat_ws(
            ', '
            , 'sex' || ' = ' || coalesce(tanon._value_text(n."sex"), 'NULL')
            , 'admitted' || ' = ' || tanon_label
        ), tanon_f, tanon_n, null, tanon_kept_by, false)]
    from tanon_left_out join tanon_values_at_levels as n using (tanon_plain)
),
-- sql/steps/release/coded.sql
tanon_further_columns as materialized (
    select
        column_name as tanon_column, folded as tanon_folded, column_type as tanon_type,
        (row_number() over ())::integer as tanon_place
    from tanon_columns_of_source
    where tanon._is_further(folded, list_concat(['patient'], tanon._roles(['sex']::varchar[],
        'admitted')))
),
-- sql/steps/release/coded.sql
tanon_released as materialized (
    select tanon_group, tanon_person, tanon_c.tanon_value, tanon_told[2:] as tanon_told
    from tanon_coded as tanon_c join tanon_groups_at_chosen as tanon_g
        on tanon_c.tanon_value = tanon_g.tanon_value
        and tanon_c.tanon_granule = tanon_g.tanon_granule
    where tanon_is_kept
),
-- sql/steps/release/told.sql
tanon_told_cells as materialized (
    select
        tanon_place, tanon_group, tanon_hash, count(*) as tanon_n,
        min(tanon_person) as tanon_first, max(tanon_person) as tanon_last
    from (
        select
            tanon_group, tanon_person, unnest(tanon_told) as tanon_hash,
            generate_subscripts(tanon_told, 1)::integer as tanon_place
        from tanon_released
    )
    group by tanon_place, tanon_group, tanon_hash
),
-- sql/steps/release/told.sql
tanon_told_at_large as (
    select
        tanon_place, count(*) as tanon_values, max(tanon_n) as tanon_usual,
        sum(tanon_n)::bigint as tanon_rows
    from (
        select tanon_place, tanon_hash, sum(tanon_n)::bigint as tanon_n
        from tanon_told_cells
        group by tanon_place, tanon_hash
    )
    group by tanon_place
),
-- sql/steps/release/told.sql
tanon_told_groups as (
    select
        tanon_place, tanon_group, count(*) = 1 as tanon_is_one,
        max(tanon_n) as tanon_most
    from tanon_told_cells
    group by tanon_place, tanon_group
),
-- sql/steps/release/told.sql
tanon_told_alone as (
    select tanon_place, count(distinct tanon_first) as tanon_alone
    from tanon_told_cells
    where tanon_first = tanon_last
    group by tanon_place
),
-- sql/steps/release/told.sql
tanon_told_alike as (
    select tanon_place, count(distinct tanon_person) as tanon_alike
    from tanon_released join tanon_told_groups using (tanon_group)
    where tanon_is_one
    group by tanon_place
),
-- sql/steps/release/told.sql
tanon_told_by_column as materialized (
    select
        tanon_column, tanon_folded, tanon_type, tanon_rows, tanon_usual, tanon_most,
        coalesce(tanon_values, 0) as tanon_values, coalesce(tanon_alone, 0) as tanon_alone,
        coalesce(tanon_alike, 0) as tanon_alike, tanon_people
    from tanon_further_columns left join tanon_told_at_large using (tanon_place) left join (
        select tanon_place, sum(tanon_most)::bigint as tanon_most
        from tanon_told_groups
        group by tanon_place
    ) using (tanon_place)
    left join tanon_told_alone using (tanon_place)
    left join tanon_told_alike using (tanon_place),
    (select tanon_released as tanon_people from tanon_counted_people)
),
-- sql/steps/report/of_findings.sql
tanon_facts_of_columns_told as (
    select
        9 as tanon_part, row_number() over (order by tanon_column asc nulls last) as tanon_place,
        'what if' as section, [
            tanon._fact('singled out', tanon_column, tanon_alone / nullif(tanon_people, 0), null,
                null, tanon_role, true),
            tanon._fact('one value', tanon_column, tanon_alike / nullif(tanon_people, 0), null,
                null, tanon_role, true),
            tanon._fact('guessed', tanon_column, tanon_most / nullif(tanon_rows, 0),
                tanon_usual / nullif(tanon_rows, 0), null, tanon_role, true)
        ] as facts
    from (
        select *, case when tanon._is_named(tanon_folded, ['diagnosis']::varchar[])
            then 'kept' else 'stays home' end as tanon_role
        from tanon_told_by_column
    )
),
-- sql/steps/release/attacked.sql
tanon_kept_places as materialized (
    select coalesce(list(tanon_place order by tanon_place asc nulls last), []) as tanon_places
    from tanon_further_columns
    where tanon._is_named(tanon_folded, ['diagnosis']::varchar[])
),
-- sql/steps/release/attacked.sql
tanon_attacked_rows as materialized (
    select
        tanon_group, tanon_person,
        hash(tanon_value, list_select(tanon_told, (select tanon_places from tanon_kept_places)))
            as tanon_key
    from tanon_released
),
-- sql/steps/release/attacked.sql
tanon_found_alone as (
    select count(distinct tanon_first) as tanon_alone
    from (
        select min(tanon_person) as tanon_first
        from tanon_attacked_rows
        group by tanon_group, tanon_key
        having min(tanon_person) = max(tanon_person)
    )
),
-- sql/steps/release/attacked.sql
tanon_source_alone as materialized (
    select
        count(distinct tanon_first) filter (tanon_first = tanon_last) as tanon_alone,
        count(*) filter (tanon_n = 1) as tanon_alone_rows,
        sum(tanon_n) as tanon_rows
    from (
        select
            count(*) as tanon_n, min(tanon_person) as tanon_first,
            max(tanon_person) as tanon_last
        from tanon_coded
        group by hash(tanon_raw, tanon_t)
    )
),
-- sql/steps/release/attacked.sql
tanon_linkable_columns as materialized (
    select
        coalesce(list(tanon_place order by tanon_place asc nulls last)
            filter (where tanon_is_kept), [])
            as tanon_places,
        list_concat(['sex']::varchar[], ['admitted']) as tanon_first,
        [
            list_concat(tanon_first, coalesce(
                list(tanon_column order by tanon_place asc nulls last)
                    filter (where tanon_is_kept), []
            )),
            list_concat(tanon_first, coalesce(
                list(tanon_column order by tanon_place asc nulls last), []
            ))
        ] as tanon_names
    from (
        select *, tanon._is_named(tanon_folded, ['diagnosis']::varchar[]) as tanon_is_kept
        from tanon_further_columns
    )
),
-- sql/steps/release/attacked.sql
tanon_values_in_release as materialized (
    select
        tanon_plain as tanon_value,
        [
        hash(tanon._value_text("sex"))] as tanon_known
    from tanon_values_at_levels
),
-- sql/steps/release/attacked.sql
tanon_values_in_source as materialized (
    select
        tanon_value as tanon_raw,
        [
        hash(tanon._value_text("sex"))] as tanon_known
    from tanon_numbered
),
-- sql/steps/release/attacked.sql
tanon_rows_by_side as not materialized (
    select
        1 as tanon_side, tanon_person,
        list_concat(
            tanon_known , [hash(tanon_granule)],
            list_select(tanon_told, (select tanon_places from tanon_linkable_columns))
        ) as tanon_known
    from tanon_released join (select tanon_group, tanon_granule from tanon_groups_at_chosen)
        using (tanon_group)
    join tanon_values_in_release using (tanon_value)
    union all
    select
        2, tanon_person,
        list_concat(
            tanon_known , [hash(tanon_t)], tanon_told[2:]
        )
    from tanon_coded join tanon_values_in_source using (tanon_raw)
),
-- sql/steps/release/attacked.sql
tanon_linkable as materialized (
    select
        tanon_side, tanon_known,
        case when count(*) over (partition by tanon_side, tanon_person) > 1
            then tanon_person end as tanon_person
    from tanon_rows_by_side
),
-- sql/steps/release/attacked.sql
tanon_linkable_rows as materialized (
    select
        tanon_side, count(*) as tanon_rows, count(tanon_person) as tanon_targets,
        list_max(list_filter(range(4, 11), lambda c:
            c = 4 or count(*) * (c + c * (c - 1) // 2 + c * (c - 1) * (c - 2) // 6) <= 20000000
        )) as tanon_most
    from tanon_linkable
    group by tanon_side
),
-- sql/steps/release/attacked.sql
tanon_sets_of_one as materialized (
    select tanon_side, [unnest(range(1, len(tanon_names[tanon_side]) + 1))] as tanon_set
    from tanon_linkable_columns, (select unnest([1, 2]) as tanon_side)
),
-- sql/steps/release/attacked.sql
tanon_linked_by_one as materialized (
    select
        tanon_side, tanon_set,
        coalesce(sum((tanon_right / greatest(tanon_all - 1, 1) * 1e9)::hugeint), 0) / 1e9
            as tanon_hits,
        coalesce(sum(tanon_reached), 0)::bigint as tanon_reached
    from (
        select
            tanon_side, tanon_set, sum(tanon_n) as tanon_all,
            sum(tanon_n * (tanon_n - 1)) filter (where tanon_person is not null) as tanon_right,
            sum(tanon_n) filter (where tanon_person is not null and tanon_n > 1) as tanon_reached
        from (
            select
                tanon_side, tanon_set, hash(list_select(tanon_known, tanon_set)) as tanon_key,
                tanon_person, count(*) as tanon_n
            from tanon_linkable join tanon_sets_of_one using (tanon_side)
            group by tanon_side, tanon_set, tanon_key, tanon_person
        )
        group by tanon_side, tanon_set, tanon_key
    )
    group by tanon_side, tanon_set
),
-- sql/steps/release/attacked.sql
tanon_columns_to_combine as materialized (
    select tanon_side, tanon_set[1] as tanon_at
    from tanon_linked_by_one as o join tanon_linkable_rows using (tanon_side)
    where tanon_reached > (
        select max(tanon_hits) from tanon_linked_by_one as b where b.tanon_side = o.tanon_side
    )
    qualify row_number() over (
        partition by tanon_side order by tanon_hits desc nulls last, tanon_at asc nulls last
    ) <= tanon_most
),
-- sql/steps/release/attacked.sql
tanon_sets_of_more as materialized (
    select tanon_side, [a.tanon_at, b.tanon_at] as tanon_set
    from tanon_columns_to_combine as a join tanon_columns_to_combine as b using (tanon_side)
    where a.tanon_at < b.tanon_at
    union all
    select tanon_side, [a.tanon_at, b.tanon_at, c.tanon_at]
    from tanon_columns_to_combine as a join tanon_columns_to_combine as b using (tanon_side)
    join tanon_columns_to_combine as c using (tanon_side)
    where a.tanon_at < b.tanon_at and b.tanon_at < c.tanon_at
),
-- sql/steps/release/attacked.sql
tanon_linked_by_more as materialized (
    select
        tanon_side, tanon_set,
        coalesce(sum((tanon_right / greatest(tanon_all - 1, 1) * 1e9)::hugeint), 0) / 1e9
            as tanon_hits,
        coalesce(sum(tanon_reached), 0)::bigint as tanon_reached
    from (
        select
            tanon_side, tanon_set, sum(tanon_n) as tanon_all,
            sum(tanon_n * (tanon_n - 1)) filter (where tanon_person is not null) as tanon_right,
            sum(tanon_n) filter (where tanon_person is not null and tanon_n > 1) as tanon_reached
        from (
            select
                tanon_side, tanon_set, hash(list_select(tanon_known, tanon_set)) as tanon_key,
                tanon_person, count(*) as tanon_n
            from tanon_linkable join tanon_sets_of_more using (tanon_side)
            group by tanon_side, tanon_set, tanon_key, tanon_person
        )
        group by tanon_side, tanon_set, tanon_key
    )
    group by tanon_side, tanon_set
),
-- sql/steps/release/attacked.sql
tanon_best_links as (
    select tanon_side, tanon_set, tanon_hits
    from (from tanon_linked_by_one union all from tanon_linked_by_more)
    qualify row_number() over (
        partition by tanon_side order by
            tanon_hits desc nulls last, len(tanon_set) asc nulls last, tanon_set asc nulls last
    ) = 1
),
-- sql/steps/release/attacked.sql
tanon_lucky_links as (
    select
        tanon_side, sum(tanon_n * (tanon_n - 1)) / any_value(tanon_rows - 1) as tanon_lucky
    from (
        select tanon_side, count(*) as tanon_n
        from tanon_linkable
        where tanon_person is not null
        group by tanon_side, tanon_person
    ) join tanon_linkable_rows using (tanon_side)
    group by tanon_side
),
-- sql/steps/release/attacked.sql
tanon_linked as materialized (
    select
        s.tanon_side, coalesce(tanon_targets, 0) as tanon_targets,
        coalesce(tanon_hits, 0) as tanon_hits, coalesce(tanon_lucky, 0) as tanon_lucky,
        case when tanon_hits > 0 then array_to_string(list_transform(
            tanon_set, lambda p: tanon_names[s.tanon_side][p]
        ), ', ') end as tanon_columns
    from (select unnest([1, 2]) as tanon_side) as s cross join tanon_linkable_columns
    left join tanon_linkable_rows using (tanon_side) left join tanon_best_links using (tanon_side)
    left join tanon_lucky_links using (tanon_side)
),
-- sql/steps/release/attacked.sql
tanon_attacked as materialized (
    select
        1 as tanon_place, 'singling out' as tanon_criterion, null::varchar as tanon_affects,
        'knows quasi-identifiers' || ', time'
            || ' and all that is kept; wants a row that is nobody else''s'
            as tanon_attack,
        tanon_released as tanon_targets, f.tanon_alone::double as tanon_hits,
        0::double as tanon_baseline, s.tanon_alone / nullif(tanon_everybody, 0) as tanon_control
    from tanon_found_alone as f, tanon_source_alone as s, tanon_counted_people
    union all
    select
        2, 'linkability', r.tanon_columns,
        'has one row of somebody and picks another that is equal in up to three columns of choice',
        r.tanon_targets, r.tanon_hits, r.tanon_lucky / nullif(r.tanon_targets, 0),
        s.tanon_hits / nullif(s.tanon_targets, 0)
    from tanon_linked as r, tanon_linked as s
    where r.tanon_side = 1 and s.tanon_side = 2
    union all
    select
        3, 'inference', tanon_column,
        'knows quasi-identifiers' || ' and time'
            || ' and guesses the most frequent value of the group',
        coalesce(c.tanon_rows, 0), coalesce(tanon_most, 0)::double, tanon_usual / c.tanon_rows,
        tanon_alone_rows / s.tanon_rows
    from tanon_told_by_column as c, tanon_source_alone as s
    where tanon._is_named(tanon_folded, ['diagnosis']::varchar[])
),
-- sql/steps/report/of_findings.sql
tanon_facts_of_attacks as (
    select
        11 as tanon_part,
        row_number() over (
            order by tanon_place asc nulls last, tanon_affects asc nulls last
        ) as tanon_place,
        'attacks' as section,
        tanon._attack_facts(tanon_criterion, tanon_affects, tanon_rate, tanon_span, null,
            tanon_attack, tanon_baseline, tanon_control, tanon_targets) as facts
    from (
        select
            *, tanon_hits / nullif(tanon_targets, 0) as tanon_rate,
            tanon._interval(tanon_rate, tanon_targets) as tanon_span
        from tanon_attacked
    )
),
-- sql/steps/release/warned.sql
tanon_warned_of_columns as (
    select
        'singles out' as warning, tanon_column as affects, tanon_alone as respondents,
        tanon_alone / nullif(tanon_people, 0) as share,
        'whoever also knows it finds them: put it into qi, or leave it home' as advice,
        2 as tanon_place
    from tanon_told_by_column
    where tanon_alone > 0 and tanon._is_named(tanon_folded, ['diagnosis']::varchar[])
    union all
    select
        'one value', tanon_column, tanon_alike, tanon_alike / nullif(tanon_people, 0),
        'all in a group of theirs have the same value: who finds the group knows it', 4
    from tanon_told_by_column
    where tanon_alike > 0 and tanon_values > 1 and tanon._is_named(tanon_folded, ['diagnosis']::varchar[])
    union all
    select
        case when regexp_matches(tanon_type, '^(DATE|TIME)') then 'further time' else 'nested' end,
        tanon_column, tanon_people, 1::double,
        case when regexp_matches(tanon_type, '^(DATE|TIME)')
            then 'it leaves as it is, however coarse ts is'
            else 'what is in it was not looked at one by one' end, 5
    from tanon_told_by_column
    where tanon._is_named(tanon_folded, ['diagnosis']::varchar[]) and tanon_people > 0
        and regexp_matches(tanon_type, '\]$|^(STRUCT|MAP|UNION|VARIANT|JSON)\b|^(DATE|TIME)')
),
-- sql/steps/release/warned.sql
tanon_warned_of_groups as (
    select
        'together' as warning, null::varchar as affects, tanon_hits::bigint as respondents,
        tanon_hits / nullif(tanon_targets, 0) as share,
        'whoever knows all that is kept finds them, though no column alone tells as much' as advice,
        3 as tanon_place
    from tanon_attacked
    where tanon_criterion = 'singling out'
        and tanon_hits > coalesce((
            select max(tanon_alone)
            from tanon_told_by_column
            where tanon._is_named(tanon_folded, ['diagnosis']::varchar[])
        ), 0)
    union all
    select
        'several rows', null, tanon_several, tanon_several / nullif(tanon_released, 0),
        'k counts each group by itself; who can link the rows of somebody looks for those in all '
            || 'of their groups: trail of tanon.risk_by_granularity', 6
    from tanon_counted_people
    where tanon_several > 0
    union all
    select
        'nobody left', null, tanon_everybody - tanon_released,
        1 - tanon_released / nullif(tanon_everybody, 0),
        'none of their rows is in the release: it counts fewer people than there are', 7
    from tanon_counted_people
    where tanon_released < tanon_everybody
    union all
    select
        'not acceptable', null, (
            select coalesce(sum(tanon_f), 0)::bigint from tanon_groups_at_chosen where tanon_f < 5
        ), tanon_share, 'no granularity leaves out ' || 0 || ' or less; '
            || tanon_name || ' leaves out the least', 1
    from tanon_judged join tanon_nearest_granularity using (tanon_name)
    where not tanon_acceptable
),
-- sql/steps/roles/held.sql
tanon_commented_columns as (
    select *, tanon._distance_of({'database': database_name, 'schema': schema_name,
        'relation': table_name}, 'visits',
        tanon._name_parts('visits')) as tanon_far
    from duckdb_columns()
    where tanon_far is not null
    qualify tanon_far = min(tanon_far) over ()
),
-- sql/steps/roles/held.sql
tanon_held_roles as (
    select tanon_role
    from (
        select unnest(tanon._roles_of('visits', tanon_all)) as tanon_role
        from (select tanon._declared('visits') as tanon_all)
    )
    where tanon_role['database'] is null or tanon_role['database'] in (
        select database_name from tanon_commented_columns
    )
),
-- sql/steps/publish/sensitive.sql
tanon_sensitive_without_limits as (
    select column_name as tanon_column
    from tanon_columns_of_source
    where tanon._is_named(folded, ['diagnosis']::varchar[])
        and (tanon._is_named(folded, tanon._list(NULL)) or folded in (
            select tanon_role['folded'] from tanon_held_roles where tanon_role['role'] = 'sensitive'
        ))
),
-- sql/steps/identifiers_warned.sql
tanon_texts_of_keep as (
    select '' as tanon_folded, '' as tanon_text where false
    union all
    select tanon._folded('diagnosis'), any_value(tanon._value_text("diagnosis"))
    from tanon_source
    group by tanon._order_key("diagnosis")
),
-- sql/steps/rows_of_each.sql
tanon_kept_identifiers as (
    select tanon_uid as tanon_id from tanon_rows_of_each
),
-- sql/steps/identifiers.sql
tanon_identifiers as (
    select distinct tanon._phrase(tanon._words(tanon._value_text(tanon_id))) as tanon_word
    from tanon_kept_identifiers
    where length(replace(tanon_word, ' ', '')) >= 4
),
-- sql/steps/identifiers.sql
tanon_identifier_lengths as (
    select distinct
        1 + length(tanon_word) - length(replace(tanon_word, ' ', '')) as tanon_several,
        length(tanon_word) as tanon_letters
    from tanon_identifiers
),
-- sql/steps/identifiers.sql
tanon_words_of_keep as (
    select distinct tanon_folded, tanon_word
    from (
        select
            tanon_folded, tanon_sizes,
            case when tanon_several = 1 then tanon_words[tanon_at]
                else tanon._phrase(tanon_words[tanon_at:tanon_at + tanon_several - 1]) end
                as tanon_word
        from (
            select *, unnest(range(1, len(tanon_words) - tanon_several + 2)) as tanon_at
            from (
                select tanon_folded, tanon._words(tanon_text) as tanon_words
                from tanon_texts_of_keep
                where tanon_folded in (
                    select folded
                    from tanon_columns_of_source
                    where regexp_matches(column_type, '^(VARCHAR|ENUM|UUID)')
                )
            ), (
                select tanon_several, list(tanon_letters) as tanon_sizes
                from tanon_identifier_lengths
                group by tanon_several
            )
        )
    )
    where list_contains(tanon_sizes, length(tanon_word))
),
-- sql/steps/identifiers.sql
tanon_identifiers_of_keep as (
    select tanon_folded, count(*) as tanon_found
    from tanon_words_of_keep
    where tanon_word in (select tanon_word from tanon_identifiers)
    group by tanon_folded
),
-- sql/steps/identifiers_unclean.sql
tanon_plain_identifiers as (
    select
        list_transform(
            [trim(
                lower(tanon._value_text(tanon_uid)), ' ' || chr(9) || chr(10) || chr(13) || chr(160)
            )],
            lambda e: case when e = '' then '' else coalesce(nullif(ltrim(e, '0'), ''), '0') end
        )[1] as tanon_plain,
        count(*) as tanon_n
    from tanon_rows_of_each
    group by tanon_plain
),
-- sql/steps/identifiers_unclean.sql
tanon_unclean_identifiers as (
    select
        'identifiers alike' as warning, 'patient' as affects,
            sum(tanon_n)::bigint as respondents,
        'equal but for case, blanks and leading zeros: one person may count as several' as advice,
        8 as tanon_place
    from tanon_plain_identifiers
    where tanon_n > 1 and tanon_plain <> ''
    having count(*) > 0
    union all
    select
        'empty identifier', 'patient', tanon_n::bigint,
        'empty or blank: rows of several persons may count as one person''s', 9
    from tanon_plain_identifiers
    where tanon_plain = ''
),
-- sql/steps/identifiers_warned.sql
tanon_warned_of_identifiers as (
    select *, respondents / (select count(*) from tanon_rows_of_each) as share
    from (
        select
            'identifier in a text' as warning, column_name as affects,
            tanon_found::bigint as respondents,
            'it names them: leave the column out, or take the identifiers out of it' as advice,
            0 as tanon_place
        from tanon_identifiers_of_keep join tanon_columns_of_source on folded = tanon_folded
        union all
        from tanon_unclean_identifiers
    )
),
-- sql/steps/release/warned.sql
tanon_warned as (
    from tanon_warned_of_columns
    union all
    from tanon_warned_of_groups
    union all
    select
        'no limits', tanon_column, tanon_released, 1::double,
        'a sensitive column: all in a group may have the same value of it', 4
    from tanon_sensitive_without_limits, tanon_counted_people
    where tanon_released > 0
    union all by name
    from tanon_warned_of_identifiers
),
-- sql/steps/report/of_findings.sql
tanon_facts_of_warnings as (
    select
        12 as tanon_part,
        row_number() over (
            order by tanon_place asc nulls last, affects asc nulls last
        ) as tanon_place,
        'warnings' as section,
        [tanon._fact(warning, affects, share, null, null, advice, true)] as facts
    from tanon_warned
),
-- sql/functions/report/report_events.sql
tanon_facts as (
    from tanon_facts_of_release
    union all
    from tanon_facts_of_columns
    union all
    from tanon_facts_of_promise
    union all
    from tanon_facts_of_granularities
    union all
    from tanon_facts_of_lattice
    union all
    from tanon_facts_of_sizes
    union all
    from tanon_facts_of_risk
    union all
    from tanon_facts_of_left_out
    union all
    from tanon_facts_of_columns_told
    union all
    from tanon_facts_of_attacks
    union all
    from tanon_facts_of_warnings
)
-- sql/functions/report/report_events.sql
    select section, tanon_fact.*
    from (
        select
            tanon_part, tanon_place, section, unnest(facts) as tanon_fact,
            generate_subscripts(facts, 1) as tanon_number
        from tanon_facts
    )
    order by tanon_part asc nulls last, tanon_place asc nulls last, tanon_number asc nulls last
