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
    select *, list_position(['day', 'week']::varchar[], tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            ,
                ('day', 'us', 86400000000, 0, [0], [86400000000], True, False, 86400000000,
                86400000000), ('week', 'us', 604800000000, 0, [0], [604800000000], False, False, 86400000000, 604800000000)
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
            <= (select tanon_rows * greatest(1 / 64, 4 * 0.9) from tanon_span)
            as tanon_is_rare
    from (select "sex", count(*) as tanon_n from tanon_timed group by all)
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
                        end then null else 1
                    end) as tanon_f
                from tanon_sorted_times, tanon_gate_1 join tanon_extents using (tanon_name)
                group by tanon_value * tanon_extent + case tanon_name
                    when 'day' then (tanon_t::date - date '0001-01-01') - 719162
                    when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
                end
            )
        )
),
-- sql/steps/time/walk.sql
tanon_stage_1_accepted as materialized (
        select tanon_name
        from tanon_stage_1, tanon_span
        where tanon_suppressed <= 0.9 * tanon_rows
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
                        end then null else 1
                    end) as tanon_f
                from tanon_sorted_times, tanon_gate_2 join tanon_extents using (tanon_name)
                group by tanon_value * tanon_extent + case tanon_name
                    when 'day' then (tanon_t::date - date '0001-01-01') - 719162
                    when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
                end
            )
        )
),
-- sql/steps/time/walk.sql
tanon_stage_2_accepted as materialized (
        select tanon_name
        from tanon_stage_2, tanon_span
        where tanon_suppressed <= 0.9 * tanon_rows
),
-- sql/steps/time/walk.sql
tanon_measured as (
    from tanon_stage_1
     union all
    from tanon_stage_2
),
-- sql/steps/time/judged.sql
tanon_judged as materialized (
    select
        tanon_o.*, tanon_groups, tanon_suppressed,
        tanon_suppressed / greatest(tanon_rows, 1) as tanon_share,
        tanon_reason is null and tanon_suppressed <= 0.9 * tanon_rows
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
    select 'day', (tanon_t::date - date '0001-01-01') - 719162, count(*)
    from tanon_timed, (from tanon_contenders where tanon_name = 'day')
    group by all
    union all
    select 'week', (tanon_t::date - date '0001-01-01') // 7 - 102737, count(*)
    from tanon_timed, (from tanon_contenders where tanon_name = 'week')
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
            when 'day' then (tanon_t::date - date '0001-01-01') - 719162
            when 'week' then (tanon_t::date - date '0001-01-01') // 7 - 102737
        end as tanon_granule,
        case tanon_name
            when 'day' then tanon._label(tanon_t, 'day')
            when 'week' then tanon._label(tanon_t, 'week')
        end as tanon_label
    from tanon_timed as tanon_s, tanon_granularity_chosen
    where list_contains(['day', 'week']::varchar[],
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
-- sql/steps/publish/hidden.sql
tanon_hidden as materialized (
    select *, null::integer as tanon_mask from tanon_groups_below_k
),
-- sql/steps/publish/choice.sql
tanon_one_is_acceptable as (
select coalesce(error('tanon.publish_events' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select
        'granularities must hold one that leaves'
        || ' at most ' || 0.9 || ' of the rows in groups of fewer than ' || 5
        || ' respondents'
        || ', got none for ' || tanon_rows_of_all || ' rows'
        || '; tanon.granularity_metrics tells how far each granularity is'
        || ', and hierarchies may generalize more than time'
    from (select tanon_rows as tanon_rows_of_all from tanon_span)
    where (select count(*) = 0 from tanon_choice)
) as tanon_messages(tanon_message)
),
-- sql/steps/publish/suppressed.sql
tanon_rows_near as materialized (
    select tanon_r.*
    from tanon_rows_in_choice as tanon_r
    where exists (
        from tanon_groups_below_k as tanon_b
        where
            tanon_r."sex" is not distinct from tanon_b."sex"
    )
),
-- sql/steps/publish/suppressed.sql
tanon_labels_near as (
    select tanon_granule, any_value(tanon_label) as tanon_label from tanon_rows_near group by all
),
-- sql/steps/publish/suppressed.sql
tanon_elsewhere as (
    select 'day' as tanon_name, "sex", tanon_granule, "patient" as tanon_uid,
        (tanon_t::date - date '0001-01-01') - 719162 as tanon_there
    from tanon_rows_near
     union all
    select 'week' as tanon_name, "sex", tanon_granule, "patient" as tanon_uid,
        (tanon_t::date - date '0001-01-01') // 7 - 102737 as tanon_there
    from tanon_rows_near
),
-- sql/steps/publish/suppressed.sql
tanon_counted_there as (
    select tanon_name, "sex", tanon_there, count(distinct tanon_uid) as tanon_f
    from tanon_elsewhere
    group by tanon_name, "sex", tanon_there
),
-- sql/steps/publish/suppressed.sql
tanon_least_there as (
    select e.tanon_name, e."sex", e.tanon_granule, min(c.tanon_f) as tanon_f
    from (
        select distinct tanon_name, "sex", tanon_granule, tanon_there from tanon_elsewhere
    ) as e join tanon_counted_there as c
        on e.tanon_name = c.tanon_name and e.tanon_there = c.tanon_there
        and e."sex" is not distinct from c."sex"
    group by e.tanon_name, e."sex", e.tanon_granule
),
-- sql/steps/publish/suppressed.sql
tanon_keepers as (
    select "sex", tanon_granule,
        arg_min(tanon_name, (tanon_length, tanon_name)) as tanon_kept_by
    from tanon_least_there join tanon_feasibility using (tanon_name)
    where tanon_f >= 5 and tanon_reason is null
    group by "sex", tanon_granule
)
-- sql/functions/k_anonymity/publish_events.sql
select
    b."sex", n_.tanon_label as "admitted",
    tanon_frequency as frequency, tanon_tuples as tuples,
    case when tanon_frequency < 5 then 'fewer than ' || 5 || ' respondents'
        else 'too seldom in population'
        end as reason
    , tanon_kept_by as kept_by
from tanon_hidden as b
join tanon_labels_near as n_ on b.tanon_granule = n_.tanon_granule
left join tanon_keepers as k_
    on b.tanon_granule = k_.tanon_granule
    and b."sex" is not distinct from k_."sex"
where (select tanon_fine from tanon_one_is_acceptable)
