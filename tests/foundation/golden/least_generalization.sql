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
        'tanon.least_generalization: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.least_generalization: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.least_generalization: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.least_generalization: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.least_generalization: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.least_generalization: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.least_generalization: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
        tanon_s.*, tanon._clock('tanon.least_generalization', tanon_s."admitted", NULL) as tanon_t,
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
-- sql/steps/time/order.sql
tanon_some_are_feasible as (
select coalesce(error('tanon.least_generalization' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'granularities must cover every time, got none that does: '
        || string_agg(tanon_name || ': ' || tanon_reason, '; ' order by tanon_place asc nulls last)
    from tanon_feasibility
    having bool_and(tanon_reason is not null)
) as tanon_messages(tanon_message)
),
-- sql/steps/time/order.sql
tanon_counted_values as materialized (
    select
        *, (row_number() over (order by tanon_n asc nulls last))::integer as tanon_value,
        sum(tanon_n) over (order by tanon_n asc nulls last rows unbounded preceding)
            <= (select tanon_rows * greatest(1 / 64, 4 * 0) from tanon_span)
            as tanon_is_rare
    from (select "sex", count(*) as tanon_n from tanon_timed group by all)
),
-- sql/steps/time/order.sql
tanon_rare_rows as materialized (
    select tanon_value, tanon_s."patient" as tanon_uid, tanon_t
    from tanon_timed as tanon_s join tanon_counted_values as tanon_v
        on
            tanon_s."sex" is not distinct from tanon_v."sex"
    where tanon_is_rare
),
-- sql/steps/time/order.sql
tanon_ruled_out as (
    select null::varchar as tanon_name where false
    union all
    select 'day'
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from tanon_rare_rows
        group by tanon_value, ((tanon_t::date - date '0001-01-01') - 719162)
    )
    having sum(tanon_n) filter (where tanon_f < 5) > 0
        * (select tanon_rows from tanon_span)
    union all
    select 'week'
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from tanon_rare_rows
        group by tanon_value, ((tanon_t::date - date '0001-01-01') // 7 - 102737)
    )
    having sum(tanon_n) filter (where tanon_f < 5) > 0
        * (select tanon_rows from tanon_span)
    union all
    select 'month'
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from tanon_rare_rows
        group by tanon_value, ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640)
    )
    having sum(tanon_n) filter (where tanon_f < 5) > 0
        * (select tanon_rows from tanon_span)
    union all
    select 'quarter'
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from tanon_rare_rows
        group by tanon_value, ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880)
    )
    having sum(tanon_n) filter (where tanon_f < 5) > 0
        * (select tanon_rows from tanon_span)
    union all
    select 'year'
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from tanon_rare_rows
        group by tanon_value, (year(tanon_t) - 1970)
    )
    having sum(tanon_n) filter (where tanon_f < 5) > 0
        * (select tanon_rows from tanon_span)
),
-- sql/steps/time/order.sql
tanon_walk_order as materialized (
    select
        tanon_name,
        row_number() over (
            order by tanon_length asc nulls last, tanon_name asc nulls last
        ) as tanon_rank
    from tanon_feasibility
    where tanon_reason is null and (select tanon_fine from tanon_some_are_feasible)
        and tanon_name not in (select tanon_name from tanon_ruled_out)
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
select coalesce(error('tanon.least_generalization' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/time/walk.sql
tanon_coarser_ones as materialized (
    with recursive tanon_path as (
        select tanon_below, tanon_above
        from tanon_finer join tanon_walk_order on tanon_above = tanon_name
        union
        select tanon_path.tanon_below, tanon_next.tanon_above
        from tanon_path join tanon_finer as tanon_next
            on tanon_path.tanon_above = tanon_next.tanon_below
            join tanon_walk_order on tanon_next.tanon_above = tanon_name
    )
    from tanon_path
),
-- sql/steps/time/walk.sql
tanon_sorted_times as materialized (
    select
        tanon_value, tanon_t,
        case when lag(tanon_uid) over tanon_in_order = tanon_uid
            then lag(tanon_t) over tanon_in_order end as tanon_previous
    from (
        select tanon_value, tanon_s."patient" as tanon_uid, tanon_t
        from tanon_timed as tanon_s join tanon_counted_values as tanon_v
            on
                tanon_s."sex" is not distinct from tanon_v."sex"
        where (select count(*) > 0 from tanon_walk_order)
    )
    window tanon_in_order as (
        partition by tanon_value order by tanon_uid asc nulls last, tanon_t asc nulls last
    )
),
-- sql/steps/time/walk.sql
tanon_extents as (
    select null::varchar as tanon_name, 0::bigint as tanon_extent where false
    union all
    select
        'day', (tanon_last::date - date '0001-01-01') - 719162
        - ((tanon_first::date - date '0001-01-01') - 719162) + 1
    from tanon_span
    union all
    select
        'week', (tanon_last::date - date '0001-01-01') // 7 - 102737
        - ((tanon_first::date - date '0001-01-01') // 7 - 102737) + 1
    from tanon_span
    union all
    select
        'month', (year(tanon_last) * 12 + month(tanon_last) - 1) - 23640
        - ((year(tanon_first) * 12 + month(tanon_first) - 1) - 23640) + 1
    from tanon_span
    union all
    select
        'quarter', (year(tanon_last) * 12 + month(tanon_last) - 1) // 3 - 7880
        - ((year(tanon_first) * 12 + month(tanon_first) - 1) // 3 - 7880) + 1
    from tanon_span
    union all
    select
        'year', year(tanon_last) - 1970
        - (year(tanon_first) - 1970) + 1
    from tanon_span
),
-- sql/steps/time/walk.sql
tanon_gate_1 as materialized (
        select tanon_name
        from tanon_walk_order
        where tanon_rank = '1'::bigint and tanon_name not in (
            select tanon_above
            from tanon_coarser_ones
            where false
        )
),
-- sql/steps/time/walk.sql
tanon_stage_1 as materialized (
        select *
        from (select tanon_name from tanon_gate_1), (
            select
                        min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= 5) as tanon_kept_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= 5), 0)::bigint as tanon_kept_s
            from (
                select
                    count(*) as tanon_n, count(case
                        when case tanon_name
                            when 'day' then ((tanon_previous::date - date '0001-01-01') - 719162)
                                = ((tanon_t::date - date '0001-01-01') - 719162)
                            when 'week' then ((tanon_previous::date - date '0001-01-01') // 7 - 102737)
                                = ((tanon_t::date - date '0001-01-01') // 7 - 102737)
                            when 'month' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) - 23640)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640)
                            when 'quarter' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) // 3 - 7880)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880)
                            when 'year' then (year(tanon_previous) - 1970)
                                = (year(tanon_t) - 1970)
                        end then null else 1
                    end) as tanon_f
                from tanon_sorted_times, tanon_gate_1 join tanon_extents using (tanon_name)
                group by tanon_value * tanon_extent + case tanon_name
                    when 'day' then (tanon_t::date - date '0001-01-01') - 719162
                    when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
                    when 'month' then (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640
                    when 'quarter' then (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880
                    when 'year' then year(tanon_t) - 1970
                end
            )
        )
),
-- sql/steps/time/walk.sql
tanon_stage_1_accepted as materialized (
        select tanon_name
        from tanon_stage_1, tanon_span
        where tanon_suppressed <= 0 * tanon_rows
),
-- sql/steps/time/walk.sql
tanon_gate_2 as materialized (
        select tanon_name
        from tanon_walk_order
        where tanon_rank = '2'::bigint and tanon_name not in (
            select tanon_above
            from tanon_coarser_ones
            where false
                or tanon_below in (from tanon_stage_1_accepted)
        )
),
-- sql/steps/time/walk.sql
tanon_stage_2 as materialized (
        select *
        from (select tanon_name from tanon_gate_2), (
            select
                        min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= 5) as tanon_kept_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= 5), 0)::bigint as tanon_kept_s
            from (
                select
                    count(*) as tanon_n, count(case
                        when case tanon_name
                            when 'day' then ((tanon_previous::date - date '0001-01-01') - 719162)
                                = ((tanon_t::date - date '0001-01-01') - 719162)
                            when 'week' then ((tanon_previous::date - date '0001-01-01') // 7 - 102737)
                                = ((tanon_t::date - date '0001-01-01') // 7 - 102737)
                            when 'month' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) - 23640)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640)
                            when 'quarter' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) // 3 - 7880)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880)
                            when 'year' then (year(tanon_previous) - 1970)
                                = (year(tanon_t) - 1970)
                        end then null else 1
                    end) as tanon_f
                from tanon_sorted_times, tanon_gate_2 join tanon_extents using (tanon_name)
                group by tanon_value * tanon_extent + case tanon_name
                    when 'day' then (tanon_t::date - date '0001-01-01') - 719162
                    when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
                    when 'month' then (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640
                    when 'quarter' then (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880
                    when 'year' then year(tanon_t) - 1970
                end
            )
        )
),
-- sql/steps/time/walk.sql
tanon_stage_2_accepted as materialized (
        select tanon_name
        from tanon_stage_2, tanon_span
        where tanon_suppressed <= 0 * tanon_rows
),
-- sql/steps/time/walk.sql
tanon_gate_3 as materialized (
        select tanon_name
        from tanon_walk_order
        where tanon_rank = '3'::bigint and tanon_name not in (
            select tanon_above
            from tanon_coarser_ones
            where false
                or tanon_below in (from tanon_stage_1_accepted)
                or tanon_below in (from tanon_stage_2_accepted)
        )
),
-- sql/steps/time/walk.sql
tanon_stage_3 as materialized (
        select *
        from (select tanon_name from tanon_gate_3), (
            select
                        min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= 5) as tanon_kept_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= 5), 0)::bigint as tanon_kept_s
            from (
                select
                    count(*) as tanon_n, count(case
                        when case tanon_name
                            when 'day' then ((tanon_previous::date - date '0001-01-01') - 719162)
                                = ((tanon_t::date - date '0001-01-01') - 719162)
                            when 'week' then ((tanon_previous::date - date '0001-01-01') // 7 - 102737)
                                = ((tanon_t::date - date '0001-01-01') // 7 - 102737)
                            when 'month' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) - 23640)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640)
                            when 'quarter' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) // 3 - 7880)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880)
                            when 'year' then (year(tanon_previous) - 1970)
                                = (year(tanon_t) - 1970)
                        end then null else 1
                    end) as tanon_f
                from tanon_sorted_times, tanon_gate_3 join tanon_extents using (tanon_name)
                group by tanon_value * tanon_extent + case tanon_name
                    when 'day' then (tanon_t::date - date '0001-01-01') - 719162
                    when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
                    when 'month' then (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640
                    when 'quarter' then (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880
                    when 'year' then year(tanon_t) - 1970
                end
            )
        )
),
-- sql/steps/time/walk.sql
tanon_stage_3_accepted as materialized (
        select tanon_name
        from tanon_stage_3, tanon_span
        where tanon_suppressed <= 0 * tanon_rows
),
-- sql/steps/time/walk.sql
tanon_gate_4 as materialized (
        select tanon_name
        from tanon_walk_order
        where tanon_rank = '4'::bigint and tanon_name not in (
            select tanon_above
            from tanon_coarser_ones
            where false
                or tanon_below in (from tanon_stage_1_accepted)
                or tanon_below in (from tanon_stage_2_accepted)
                or tanon_below in (from tanon_stage_3_accepted)
        )
),
-- sql/steps/time/walk.sql
tanon_stage_4 as materialized (
        select *
        from (select tanon_name from tanon_gate_4), (
            select
                        min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= 5) as tanon_kept_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= 5), 0)::bigint as tanon_kept_s
            from (
                select
                    count(*) as tanon_n, count(case
                        when case tanon_name
                            when 'day' then ((tanon_previous::date - date '0001-01-01') - 719162)
                                = ((tanon_t::date - date '0001-01-01') - 719162)
                            when 'week' then ((tanon_previous::date - date '0001-01-01') // 7 - 102737)
                                = ((tanon_t::date - date '0001-01-01') // 7 - 102737)
                            when 'month' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) - 23640)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640)
                            when 'quarter' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) // 3 - 7880)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880)
                            when 'year' then (year(tanon_previous) - 1970)
                                = (year(tanon_t) - 1970)
                        end then null else 1
                    end) as tanon_f
                from tanon_sorted_times, tanon_gate_4 join tanon_extents using (tanon_name)
                group by tanon_value * tanon_extent + case tanon_name
                    when 'day' then (tanon_t::date - date '0001-01-01') - 719162
                    when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
                    when 'month' then (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640
                    when 'quarter' then (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880
                    when 'year' then year(tanon_t) - 1970
                end
            )
        )
),
-- sql/steps/time/walk.sql
tanon_stage_4_accepted as materialized (
        select tanon_name
        from tanon_stage_4, tanon_span
        where tanon_suppressed <= 0 * tanon_rows
),
-- sql/steps/time/walk.sql
tanon_gate_5 as materialized (
        select tanon_name
        from tanon_walk_order
        where tanon_rank = '5'::bigint and tanon_name not in (
            select tanon_above
            from tanon_coarser_ones
            where false
                or tanon_below in (from tanon_stage_1_accepted)
                or tanon_below in (from tanon_stage_2_accepted)
                or tanon_below in (from tanon_stage_3_accepted)
                or tanon_below in (from tanon_stage_4_accepted)
        )
),
-- sql/steps/time/walk.sql
tanon_stage_5 as materialized (
        select *
        from (select tanon_name from tanon_gate_5), (
            select
                        min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= 5) as tanon_kept_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= 5), 0)::bigint as tanon_kept_s
            from (
                select
                    count(*) as tanon_n, count(case
                        when case tanon_name
                            when 'day' then ((tanon_previous::date - date '0001-01-01') - 719162)
                                = ((tanon_t::date - date '0001-01-01') - 719162)
                            when 'week' then ((tanon_previous::date - date '0001-01-01') // 7 - 102737)
                                = ((tanon_t::date - date '0001-01-01') // 7 - 102737)
                            when 'month' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) - 23640)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640)
                            when 'quarter' then ((year(tanon_previous) * 12 + month(tanon_previous) - 1) // 3 - 7880)
                                = ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880)
                            when 'year' then (year(tanon_previous) - 1970)
                                = (year(tanon_t) - 1970)
                        end then null else 1
                    end) as tanon_f
                from tanon_sorted_times, tanon_gate_5 join tanon_extents using (tanon_name)
                group by tanon_value * tanon_extent + case tanon_name
                    when 'day' then (tanon_t::date - date '0001-01-01') - 719162
                    when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
                    when 'month' then (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640
                    when 'quarter' then (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880
                    when 'year' then year(tanon_t) - 1970
                end
            )
        )
),
-- sql/steps/time/walk.sql
tanon_stage_5_accepted as materialized (
        select tanon_name
        from tanon_stage_5, tanon_span
        where tanon_suppressed <= 0 * tanon_rows
),
-- sql/steps/time/walk.sql
tanon_measured as (
    from tanon_stage_1
     union all
    from tanon_stage_2
     union all
    from tanon_stage_3
     union all
    from tanon_stage_4
     union all
    from tanon_stage_5
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
-- sql/steps/time/judged.sql
tanon_least as materialized (
    select *
    from tanon_minimal
    qualify rank() over (order by tanon_gen_m asc nulls first, tanon_gen_s desc nulls last) = 1
)
-- sql/functions/granularity/least_generalization.sql
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
    true as least
from tanon_least
order by tanon_place asc nulls last
