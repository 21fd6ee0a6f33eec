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
-- sql/steps/release/coded.sql
tanon_further_columns as materialized (
    select
        column_name as tanon_column, folded as tanon_folded, column_type as tanon_type,
        (row_number() over ())::integer as tanon_place
    from tanon_columns_of_source
    where tanon._is_further(folded, list_concat(['patient'], tanon._roles(['sex']::varchar[],
        'admitted')))
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
            when 'year' then year(tanon_t) - 1970
        end as tanon_granule,
        case tanon_name
            when 'week' then tanon._label(tanon_t, 'week')
            when 'month' then tanon._label(tanon_t, 'month')
            when 'quarter' then tanon._label(tanon_t, 'quarter')
            when 'year' then tanon._label(tanon_t, 'year')
        end as tanon_label
    from tanon_timed as tanon_s, tanon_nearest_granularity
    where list_contains(['week', 'month', 'quarter', 'year']::varchar[],
        tanon_name)
),
-- sql/steps/time/sorted.sql
tanon_numbered as materialized (
    select *, (row_number() over ())::integer as tanon_value
    from (select distinct "sex" from tanon_timed)
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
)
-- sql/functions/k_anonymity/publish_events.sql
select
    tanon_column as column_name, tanon._is_named(tanon_folded, ['diagnosis']::varchar[]) as kept,
    tanon_values as distinct_values, tanon_alone as singled_out,
    coalesce(tanon_alone / nullif(tanon_people, 0), 0) as singled_out_share,
    tanon_alike as in_groups_of_one_value,
    coalesce(tanon_alike / nullif(tanon_people, 0), 0) as in_groups_of_one_value_share,
    tanon_most / tanon_rows as guess_rate, tanon_usual / tanon_rows as usual_rate
from tanon_told_by_column
order by all asc nulls last
