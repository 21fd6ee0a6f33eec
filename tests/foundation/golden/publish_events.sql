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
        'tanon.publish_events: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.publish_events: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.publish_events: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.publish_events: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (3000001, 'diagnosis', 'diagnosis', 'tanon.publish_events: keep must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.publish_events: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.publish_events: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.publish_events: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
        tanon_s.*, tanon._clock('tanon.publish_events', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/rows_of_each.sql
tanon_rows_of_each as (
    select "patient" as tanon_uid, count(*) as tanon_n from tanon_source group by "patient"
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
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/time/order.sql
tanon_some_are_feasible as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
tanon_measured as (
    from tanon_stage_1
     union all
    from tanon_stage_2
     union all
    from tanon_stage_3
     union all
    from tanon_stage_4
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
    union all
    select 'year', year(tanon_t) - 1970, count(*)
    from tanon_timed, (from tanon_contenders where tanon_name = 'year')
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
-- sql/steps/publish/choice.sql
tanon_choice as materialized (
    from tanon_finest
),
-- sql/steps/publish/rows.sql
tanon_granularity_chosen as (
    select tanon_name from tanon_choice
),
-- sql/steps/time/chosen.sql
tanon_rows_in_granularity as not materialized (
    select
        tanon_s.*,
        case tanon_name
            when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
            when 'month' then (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640
            when 'quarter' then (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880
            when 'year' then year(tanon_t) - 1970
        end as tanon_granule,
        case tanon_name
            when 'week' then tanon._label(tanon_t, 'week')
            when 'month' then tanon._label(tanon_t, 'month')
            when 'quarter' then tanon._label(tanon_t, 'quarter')
            when 'year' then tanon._label(tanon_t, 'year')
        end as tanon_label
    from tanon_timed as tanon_s, tanon_granularity_chosen
    where list_contains(['week', 'month', 'quarter', 'year']::varchar[],
        tanon_name)
),
-- sql/steps/publish/rows.sql
tanon_rows_in_time as not materialized (
    from tanon_rows_in_granularity
),
-- sql/steps/publish/rows.sql
tanon_rows_in_choice as not materialized (
    from tanon_rows_in_time
    where (select count(*) > 0 from tanon_choice)
),
-- sql/steps/publish/rows.sql
tanon_groups_below_k as materialized (
    select
        tanon_g.*, row_number() over () as tanon_group
    from (
        select
            "sex", tanon_granule ,
            sum(tanon_f)::bigint as tanon_frequency, sum(tanon_n)::bigint as tanon_tuples
        from (
            select "sex", tanon_granule, count(*) as tanon_n, 1 as tanon_f
            from tanon_rows_in_choice
            group by "sex", tanon_granule, "patient"
        )
        group by "sex", tanon_granule
        having sum(tanon_f) < 5
    ) as tanon_g
),
-- sql/steps/publish/release.sql
tanon_release as materialized (
    select
        "patient",
        "sex" as "sex",
        tanon_label as "admitted", "diagnosis",
        0 as tanon_cells, false as tanon_is_rest
    from tanon_rows_in_choice as tanon_r
    where not exists (
        from tanon_groups_below_k as tanon_b
        where
            tanon_r."sex" is not distinct from tanon_b."sex"
         and tanon_r.tanon_granule = tanon_b.tanon_granule
    )
),
-- sql/functions/k_anonymity/publish_events.sql
tanon_rows_for_others as not materialized (
    select "sex" , "admitted" , "diagnosis", 1::bigint as tanon_stands_for
    from tanon_release
    where not tanon_is_rest
),
-- sql/steps/publish/release.sql
tanon_rows_that_leave as not materialized (
    select tanon_is_rest as tanon_all, "patient" as tanon_whose, 1 as tanon_times, *
        from tanon_release
),
-- sql/steps/promises/sharing.sql
tanon_sharing_the_release as materialized (
    with tanon_several as materialized (
        select tanon_whose as tanon_name from tanon_rows_that_leave group by tanon_whose having count(*) > 1
    )
    select sum(tanon_f)::bigint as tanon_people, sum(tanon_n)::bigint as tanon_rows
    from (
        select
            tanon_all, tanon_name, sum(tanon_times) as tanon_n,
            case when tanon_name is null then count(tanon_whose) else 1 end as tanon_f
            , tanon._order_key("sex") as "sex"
            , tanon._order_key("admitted") as "admitted"
        from tanon_rows_that_leave left join tanon_several on tanon_whose = tanon_name
        group by tanon_all, tanon_name
            , tanon._order_key("sex")
            , tanon._order_key("admitted")
    )
    group by tanon_all
        , "sex"
        , "admitted"
),
-- sql/steps/publish/release.sql
tanon_k_holds as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'k must hold in the release, got ' || count(*)
        || ' groups of fewer respondents, where values that a collation takes for one but that are'
        || ' spelled differently are groups of their own: nothing was published; spell them alike'
        || ' first, as with lower'
    from tanon_sharing_the_release
    where tanon_people < 5
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/publish/within_limits.sql
tanon_limits_hold as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select '' where false
) as tanon_messages(tanon_message)
),
-- sql/steps/publish/within_limits.sql
tanon_left_out_is_within_limits as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select '' where false
) as tanon_messages(tanon_message)
),
-- sql/steps/publish/within_population.sql
tanon_presence_holds as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select '' where false
) as tanon_messages(tanon_message)
),
-- sql/steps/publish/within_population.sql
tanon_population_is_met as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select '' where false
) as tanon_messages(tanon_message)
),
-- sql/steps/publish/release.sql
tanon_rows_that_stay as (
    select tanon_rows, tanon_kept
    from (select count(*) as tanon_rows from tanon_source),
        (select count(*) as tanon_kept from tanon_release where not tanon_is_rest)
),
-- sql/steps/publish/choice.sql
tanon_one_is_acceptable as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select
        'granularities must hold one that leaves'
        || ' at most ' || 0 || ' of the rows in groups of fewer than ' || 5
        || ' respondents'
        || ', got none for ' || tanon_rows_of_all || ' rows'
        || '; tanon.granularity_metrics tells how far each granularity is'
        || ', and hierarchies may generalize more than time'
    from (select tanon_rows as tanon_rows_of_all from tanon_span)
    where (select count(*) = 0 from tanon_choice)
) as tanon_messages(tanon_message)
),
-- sql/steps/publish/release.sql
tanon_few_are_left_out as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'max_suppression must hold in the release, got ' || (tanon_rows - tanon_kept) || ' of '
        || tanon_rows || ' rows left out: nothing was published'
    from tanon_rows_that_stay
    where tanon_rows - tanon_kept > 0 * tanon_rows and (select tanon_fine from tanon_one_is_acceptable)
) as tanon_messages(tanon_message)
),
-- sql/steps/publish/release.sql
tanon_uid_is_there_once as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'source must have ' || 'patient' || ' once, got ' || min(column_name)
        || ', the name of the second where a join has two'
    from tanon_columns_of_source
    where folded = tanon._folded('patient') || '_1'
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kept.sql
tanon_suspects as (
    select
        column_name as tanon_column, folded as tanon_folded,
        case
            when regexp_matches(column_type, '\]$|^(STRUCT|MAP|UNION|VARIANT|JSON)\b') then 'nested'
            when regexp_matches(column_type, '^(DATE|TIME)') then 'a further time'
        end as tanon_what
    from tanon_columns_of_source
    where tanon._is_named(folded, ['diagnosis']::varchar[]) and not tanon._is_named(folded,
        []::varchar[])
),
-- sql/functions/k_anonymity/publish_events.sql
tanon_kept_rows as not materialized (
    select "patient" as tanon_whose, * from tanon_source
),
-- sql/steps/kept.sql
tanon_values_kept as (
    select
        '' as tanon_folded, '' as tanon_text, min(tanon_whose) as tanon_least,
        max(tanon_whose) as tanon_most, count(*) as tanon_n
    from tanon_kept_rows where false having count(*) > 0
    union all
    select
        tanon._folded('diagnosis'), any_value(tanon._value_text("diagnosis")), min(tanon_whose),
        max(tanon_whose), count(*)
    from tanon_kept_rows
    group by tanon._order_key("diagnosis")
),
-- sql/steps/kept.sql
tanon_alone_with_a_value as (
    select tanon_folded, tanon_least as tanon_only
    from tanon_values_kept
    where tanon_least = tanon_most or tanon_n = 1
),
-- sql/steps/kept.sql
tanon_singled_out as (
    select
        tanon_folded,
        count(distinct tanon_only) + count(*) filter (tanon_only is null) as tanon_alone
    from tanon_alone_with_a_value
    group by tanon_folded
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
tanon_words_kept as (
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
                from tanon_values_kept
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
tanon_identifiers_found as (
    select tanon_folded, count(*) as tanon_found
    from tanon_words_kept
    where tanon_word in (select tanon_word from tanon_identifiers)
    group by tanon_folded
),
-- sql/steps/rows_of_each.sql
tanon_kept_people as (
    select tanon_uid as tanon_whose, tanon_n from tanon_rows_of_each
),
-- sql/steps/kept.sql
tanon_all_who_are_kept as (
    select
        count(tanon_whose) + coalesce(sum(tanon_n) filter (tanon_whose is null), 0)::bigint
            as tanon_n,
        case when count(tanon_whose) > 0 then 'respondents' else 'rows' end as tanon_people
    from tanon_kept_people
),
-- sql/steps/kept.sql
tanon_columns_that_tell as (
    from (
        select
            tanon_column, tanon_people,
            coalesce(tanon_what, tanon_found || ' of its words are identifiers of respondents')
                as tanon_what,
            coalesce(tanon_alone / nullif(tanon_n, 0), 0) as tanon_share
        from tanon_suspects left join tanon_singled_out using (tanon_folded)
        left join tanon_identifiers_found using (tanon_folded), tanon_all_who_are_kept
    )
    where tanon_what is not null or tanon_share > 0.05
),
-- sql/steps/kept.sql
tanon_kept_is_fine as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'keep' || ' must be columns that do not tell who a row is about, got '
        || string_agg(tanon_column || ' (' || coalesce(tanon_what, printf(
            '%.2f of the %s have a value of their own',
            ceil(round(100 * tanon_share, 6)) / 100, tanon_people
        )) || ')', ', ' order by tanon_column asc nulls last)
        || '; columns named in allow_identifying are released all the same'
    from tanon_columns_that_tell
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kept_together.sql
tanon_values_together as (
    select
        [
        any_value(tanon._value_text("diagnosis"))]::varchar[] as tanon_texts,
        min(tanon_whose) as tanon_least, max(tanon_whose) as tanon_most, count(*) as tanon_n
    from tanon_kept_rows
    where false
    having count(*) > 0
),
-- sql/steps/kept_together.sql
tanon_alone_with_all as (
    select tanon_least as tanon_only
    from tanon_values_together
    where tanon_least = tanon_most or tanon_n = 1
),
-- sql/steps/kept_together.sql
tanon_singled_out_together as (
    select count(distinct tanon_only) + count(*) filter (tanon_only is null) as tanon_alone
    from tanon_alone_with_all
),
-- sql/steps/kept_together.sql
tanon_kept_together_is_fine as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'keep' || ' must be columns that do not tell together who a row is about, got '
        || concat_ws(
            ', ', '' , 'diagnosis'
        )[3:]
        || printf(
            ' (%.2f of the %s have values of their own)',
            ceil(round(100 * tanon_alone / tanon_n, 6)) / 100, tanon_people
        ) || '; columns named in allow_identifying are released all the same'
    from tanon_singled_out_together, tanon_all_who_are_kept
    where tanon_alone > 0.05 * tanon_n and not exists (from tanon_columns_that_tell)
) as tanon_messages(tanon_message)
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
-- sql/steps/publish/sensitive.sql
tanon_sensitive_is_limited as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'limits must be given for what keep releases of sensitive columns, got none for '
        || string_agg(tanon_column, ', ' order by tanon_column asc nulls last)
        || '; without_limits := true releases it without limits'
    from tanon_sensitive_without_limits
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/k_anonymity/publish_events.sql
select tanon._without_labels(columns(* exclude (tanon_stands_for)))
from tanon_rows_for_others
where (select tanon_fine from tanon_k_holds) and (select tanon_fine from tanon_limits_hold) and (select tanon_fine from tanon_left_out_is_within_limits)
    and (select tanon_fine from tanon_presence_holds) and (select tanon_fine from tanon_population_is_met) and (select tanon_fine from tanon_few_are_left_out)
    and (select tanon_fine from tanon_uid_is_there_once)
    and (select tanon_fine from tanon_one_is_acceptable)
        and (select tanon_fine from tanon_kept_is_fine) and (select tanon_fine from tanon_kept_together_is_fine)
    and (select tanon_fine from tanon_sensitive_is_limited)
order by
    tanon._order_key("sex") asc nulls last
,
    tanon._order_key("admitted") asc nulls last
,
    tanon._order_key("diagnosis") asc nulls last
