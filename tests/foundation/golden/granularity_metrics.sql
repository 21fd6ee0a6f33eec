with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "patient", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.granularity_metrics: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.granularity_metrics: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.granularity_metrics: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.granularity_metrics: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.granularity_metrics: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.granularity_metrics: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.granularity_metrics: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
-- sql/steps/time/offer.sql
tanon_offer as materialized (
    select *, list_position(['day', 'week', 'month', 'quarter', 'year']::varchar[], tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            ,
                ('day', 'us', 86400000000, 0, [0], [86400000000], True, False, 86400000000,
                86400000000),
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
-- sql/steps/time/clock.sql
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.granularity_metrics', tanon_s."admitted", NULL) as tanon_t,
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
        , min(tanon_dawn) over (partition by ((tanon_t::date - date '0001-01-01') - 719162))
            as tanon_begin_646179
        , min(tanon_dawn) over (partition by ((tanon_t::date - date '0001-01-01') // 7 - 102737))
            as tanon_begin_7765656B
        , min(tanon_dawn) over (partition by ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640))
            as tanon_begin_6D6F6E7468
        , min(tanon_dawn) over (partition by ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880))
            as tanon_begin_71756172746572
        , min(tanon_dawn) over (partition by (year(tanon_t) - 1970))
            as tanon_begin_79656172
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
            tanon_begin_646179
            ,
            tanon_begin_7765656B
            ,
            tanon_begin_6D6F6E7468
            ,
            tanon_begin_71756172746572
            ,
            tanon_begin_79656172
        ) as tanon_cell
    from tanon_granules_of_days
),
-- sql/steps/time/cells.sql
tanon_cells as materialized (
    select
        tanon_value, tanon_cell, count(*) as tanon_n
        , count(case when tanon_previous >= tanon_begin_646179 then null else 1 end)
            as tanon_firsts_646179
        , count(case when tanon_previous >= tanon_begin_7765656B then null else 1 end)
            as tanon_firsts_7765656B
        , count(case when tanon_previous >= tanon_begin_6D6F6E7468 then null else 1 end)
            as tanon_firsts_6D6F6E7468
        , count(case when tanon_previous >= tanon_begin_71756172746572 then null else 1 end)
            as tanon_firsts_71756172746572
        , count(case when tanon_previous >= tanon_begin_79656172 then null else 1 end)
            as tanon_firsts_79656172
    from tanon_sorted join tanon_days
        on tanon_beat // 1::integer = tanon_day
    group by tanon_value, tanon_cell
),
-- sql/steps/time/sizes.sql
tanon_sizes_offered as materialized (
    select
        'day' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select tanon_n, tanon_firsts_646179 as tanon_f from tanon_cells
    )
    group by tanon_f
     union all
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
     union all
    select
        'year' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select
            sum(tanon_n)::bigint as tanon_n,
            sum(tanon_firsts_79656172)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_79656172
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
select coalesce(error('tanon.granularity_metrics' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/time/judged.sql
tanon_least as materialized (
    select *
    from tanon_minimal
    qualify rank() over (order by tanon_gen_m asc nulls first, tanon_gen_s desc nulls last) = 1
)
-- sql/functions/granularity/granularity_metrics.sql
select
        tanon_name as granularity,
    tanon_reason is null as feasible,
    tanon_reason as reason,
    case when tanon_reason is null then tanon_gen_m end as gen_m,
    case when tanon_reason is null then tanon_gen_s end as gen_s,
    case when tanon_reason is null then tanon_groups end as groups,
    case when tanon_reason is null then tanon_suppressed end as suppressed_tuples,
    case when tanon_reason is null then tanon_share end as suppressed_share,
    tanon_acceptable as acceptable,
    tanon_name in (select tanon_name from tanon_least) as least
from tanon_judged
order by tanon_place asc nulls last
