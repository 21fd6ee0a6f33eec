with recursive
-- the argument source: sql/private/arguments.sql
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "diagnosis", null as "patient", null as "sex" where false
),
-- the argument source: sql/private/arguments.sql
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.k_anonymity_attack: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: sql/private/arguments.sql
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
                (0, 'patient', 'patient', 'tanon.k_anonymity_attack: uid must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.k_anonymity_attack: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.k_anonymity_attack: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (3000001, 'diagnosis', 'diagnosis', 'tanon.k_anonymity_attack: keep must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.k_anonymity_attack: uid must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.k_anonymity_attack: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.k_anonymity_attack: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
            || left(any_value(column_type), 0)
        from tanon_columns_of_source
        where folded = 'admitted' and ends_with(column_type, 'WITH TIME ZONE')
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: sql/private/arguments.sql
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/release/coded.sql:64
tanon_further_columns as materialized (
    select
        column_name as tanon_column, folded as tanon_folded, column_type as tanon_type,
        (row_number() over ())::integer as tanon_place
    from tanon_columns_of_source
    where tanon._is_further(folded, list_concat(['patient'], tanon._roles(['sex']::varchar[], 'admitted')))
),
-- sql/steps/release/attacked.sql:9
tanon_kept_places as materialized (
    select coalesce(list(tanon_place order by tanon_place asc nulls last), []) as tanon_places
    from tanon_further_columns
    where tanon._is_named(tanon_folded, ['diagnosis']::varchar[])
),
-- sql/steps/time/clock.sql:5
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.k_anonymity_attack', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/time/offer.sql:8
tanon_offer as materialized (
    select *, list_position(['week', 'month', 'quarter']::varchar[], tanon_name) as tanon_place
    from (
        from (values (null::varchar, '', 0::bigint, 0::bigint, 0::bigint)
            , ('week', 'us', 604800000000, 0, 604800000000), ('month', 'months', 1, 0, 2629746000000), ('quarter', 'months', 3, 0, 7889238000000)
        ) as tanon_rules(tanon_name, tanon_kind, tanon_width, tanon_begin, tanon_length)
    )
    where tanon_name is not null
),
-- sql/steps/time/offer.sql:26
tanon_pairs as materialized (
    select a.tanon_name as tanon_below, b.tanon_name as tanon_above
    from tanon_offer as a, tanon_offer as b
    where a.tanon_name <> b.tanon_name and case
        when a.tanon_kind = 'us' and b.tanon_kind = 'us'
            then b.tanon_width % a.tanon_width = 0
                and (b.tanon_begin - a.tanon_begin) % a.tanon_width = 0
        when a.tanon_kind = 'us' and b.tanon_kind in ('months', 'part')
            then 86400000000 % a.tanon_width = 0
        when a.tanon_kind = 'months' and b.tanon_kind = 'months'
            then b.tanon_width % a.tanon_width = 0
        when a.tanon_kind = 'part' then b.tanon_kind = 'months'
        when a.tanon_kind = 'business_day'
            then b.tanon_kind in ('business_week', 'months', 'part')
                or b.tanon_kind = 'us' and b.tanon_width % 86400000000 = 0
        when a.tanon_kind = 'business_week'
            then b.tanon_kind = 'us' and b.tanon_width % 604800000000 = 0
        else false end
),
-- sql/steps/time/offer.sql:50
tanon_granules_differ as (
select coalesce(error('tanon.k_anonymity_attack' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/time/offer.sql:63
tanon_finer as materialized (
    from tanon_pairs where (select tanon_fine from tanon_granules_differ)
),
-- sql/steps/time/feasible.sql:8
tanon_span as materialized (
    select
        count(*) as tanon_rows, min(tanon_t) as tanon_first, max(tanon_t) as tanon_last,
        coalesce(bool_or(tanon_is_date), false) as tanon_is_date,
        null::timestamp
        as tanon_weekend,
        min(tanon_t) filter (where tanon_t >= timestamp '10000-01-01') as tanon_late
    from tanon_timed
),
-- sql/steps/time/feasible.sql:22
tanon_uncovered as (
    select
        tanon_name,
        case
            when tanon_first < timestamp '0001-01-01' then tanon_first
            when tanon_kind in ('business_day', 'business_week')
                then least(tanon_weekend, tanon_late)
            else tanon_late
        end as tanon_gap
    from tanon_offer, tanon_span
    where tanon_kind <> 'calendar'
),
-- sql/steps/time/feasible.sql:42
tanon_feasibility as materialized (
    select
        tanon_name, tanon_length, tanon_place,
        case
            when tanon_is_date and tanon_kind = 'us' and tanon_width % 86400000000 <> 0
                then 'its granules are shorter than the days of a DATE such as '
                    || tanon_first::date
            when tanon_gap is not null then 'no granule covers '
                || case when tanon_is_date then tanon_gap::date::varchar
                    else tanon_gap::varchar end
        end as tanon_reason
    from tanon_offer left join tanon_uncovered using (tanon_name), tanon_span
),
-- sql/steps/time/sorted.sql:9
tanon_numbered as materialized (
    select *, (row_number() over ())::integer as tanon_value
    from (select distinct "sex" from tanon_timed)
),
-- sql/steps/time/sorted.sql:14
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
-- sql/steps/time/cells.sql:9
tanon_days_met as (
    select
        tanon_day
    from (
        select (tanon_beat // 1::integer)::integer as tanon_day
        from tanon_sorted
    )
    group by tanon_day
),
-- sql/steps/time/cells.sql:29
tanon_granules_of_days as (
    select
        tanon_day
        , min(tanon_dawn) over (partition by (((tanon_t::date - date '0001-01-01') // 7 - 102737))) as tanon_begin_7765656B
        , min(tanon_dawn) over (partition by ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640)) as tanon_begin_6D6F6E7468
        , min(tanon_dawn) over (partition by ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880)) as tanon_begin_71756172746572
    from tanon_days_met, lateral (
        select
            tanon._since_year_1(tanon_day * 86400000000) as tanon_t,
            tanon_day * 1::integer as tanon_dawn
    )
),
-- sql/steps/time/cells.sql:45
tanon_days as materialized (
    select
        *, min(tanon_day) over (partition by
            tanon_begin_7765656B, tanon_begin_6D6F6E7468, tanon_begin_71756172746572
        ) as tanon_cell
    from tanon_granules_of_days
),
-- sql/steps/time/cells.sql:53
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
-- sql/steps/time/sizes.sql:10
tanon_sizes_offered as materialized (
    select
        'week' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select sum(tanon_n)::bigint as tanon_n, sum(tanon_firsts_7765656B)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_7765656B
    )
    group by tanon_f
     union all
    select
        'month' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select sum(tanon_n)::bigint as tanon_n, sum(tanon_firsts_6D6F6E7468)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_6D6F6E7468
    )
    group by tanon_f
     union all
    select
        'quarter' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select sum(tanon_n)::bigint as tanon_n, sum(tanon_firsts_71756172746572)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_71756172746572
    )
    group by tanon_f
),
-- sql/steps/time/measured.sql:6
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
-- sql/steps/time/judged.sql:8
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
-- sql/steps/time/judged.sql:21
tanon_minimal as materialized (
    select *
    from tanon_judged
    where tanon_acceptable and tanon_name not in (
        select tanon_above
        from tanon_finer join tanon_judged on tanon_below = tanon_name
        where tanon_acceptable
    )
),
-- sql/steps/time/finest.sql:12
tanon_contenders as materialized (
    from tanon_minimal where (select count(*) > 1 from tanon_minimal)
),
-- sql/steps/time/finest.sql:16
tanon_granules_apart as materialized (
    select null::varchar as tanon_name, null::bigint as tanon_granule, 0::bigint as tanon_n
    where false
    union all
    select 'week', ((tanon_t::date - date '0001-01-01') // 7 - 102737), count(*)
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
-- sql/steps/time/finest.sql:34
tanon_values_apart as materialized (
    select "sex", count(*) as tanon_n
    from tanon_timed, (from tanon_contenders limit 1)
    group by "sex"
),
-- sql/steps/time/finest.sql:41
tanon_told_by_values as (
    select
        (
            select coalesce(log2(sum(tanon_n)) - sum(tanon_n * log2(tanon_n)) / sum(tanon_n), 0)
            from (select sum(tanon_n) as tanon_n from tanon_values_apart group by "sex")
        )
        as tanon_bits
),
-- sql/steps/time/finest.sql:52
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
-- sql/steps/release/shown.sql:10
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
-- sql/steps/time/chosen.sql:6
tanon_rows_at_nearest as not materialized (
    select
        tanon_s.*,
        case tanon_name
            when 'week' then ((tanon_t::date - date '0001-01-01') // 7 - 102737)
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
-- sql/steps/release/shown.sql:28
tanon_rows_with_values as not materialized (
    select
        tanon_s.*, tanon_v.tanon_value as tanon_raw
    from tanon_rows_at_nearest as tanon_s join tanon_numbered as tanon_v
        on
            tanon_s."sex" is not distinct from tanon_v."sex"
),
-- sql/steps/release/shown.sql:42
tanon_values_at_levels as materialized (
    select * rename (tanon_value as tanon_plain) from tanon_numbered
),
-- sql/steps/release/shown.sql:82
tanon_rows_shown as not materialized (
    select *, tanon_raw as tanon_plain, tanon_raw as tanon_value, false as tanon_is_out
    from tanon_rows_with_values
),
-- sql/steps/release/coded.sql:12
tanon_hashed as not materialized (
    select
        tanon_t, tanon_granule, tanon_s."patient" as tanon_uid, tanon_raw, tanon_plain, tanon_value,
        tanon_is_out,
        hash(columns(lambda c: c = 'tanon_nothing' or tanon._is_further(
            c, list_concat(['patient'], tanon._roles(['sex']::varchar[], 'admitted'))))::varchar)
    from (select 0 as tanon_nothing, * from tanon_rows_shown) as tanon_s
),
-- sql/steps/release/coded.sql:7
tanon_people as materialized (
    select tanon_uid, (row_number() over ())::integer as tanon_person
    from (select distinct "patient" as tanon_uid from tanon_timed)
),
-- sql/steps/release/coded.sql:23
tanon_coded as materialized (
    select
        tanon_raw, tanon_plain, tanon_value, tanon_person, tanon_granule, tanon_t, tanon_is_out,
        list_value(*columns(lambda c: c = 'tanon_nothing' or not starts_with(c, 'tanon_')))
            as tanon_told
    from tanon_hashed join tanon_people using (tanon_uid)
),
-- sql/steps/release/coded.sql:31
tanon_members_at_chosen as materialized (
    select
        tanon_value, tanon_granule, tanon_person, count(*) as tanon_n
    from tanon_coded
    group by tanon_value, tanon_granule, tanon_person
),
-- sql/steps/release/coded.sql:42
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
-- sql/steps/release/coded.sql:56
tanon_released as materialized (
    select tanon_group, tanon_person, tanon_c.tanon_value, tanon_told[2:] as tanon_told
    from tanon_coded as tanon_c join tanon_groups_at_chosen as tanon_g
        on tanon_c.tanon_value = tanon_g.tanon_value
        and tanon_c.tanon_granule = tanon_g.tanon_granule
    where tanon_is_kept
),
-- sql/steps/release/attacked.sql:15
tanon_attacked_rows as materialized (
    select
        tanon_group, tanon_person,
        hash(tanon_value, list_select(tanon_told, (select tanon_places from tanon_kept_places)))
            as tanon_key
    from tanon_released
),
-- sql/steps/release/attacked.sql:23
tanon_found_alone as (
    select count(distinct tanon_first) as tanon_alone
    from (
        select min(tanon_person) as tanon_first
        from tanon_attacked_rows
        group by tanon_group, tanon_key
        having min(tanon_person) = max(tanon_person)
    )
),
-- sql/steps/release/attacked.sql:33
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
-- sql/steps/release/people.sql:21
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
-- sql/steps/release/people.sql:35
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
-- sql/steps/release/linked.sql:43
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
-- sql/steps/release/linked.sql:20
tanon_values_in_release as materialized (
    select
        tanon_plain as tanon_value,
        [
        hash(tanon._value_text("sex"))] as tanon_known
    from tanon_values_at_levels
),
-- sql/steps/release/linked.sql:12
tanon_values_in_source as materialized (
    select
        tanon_value as tanon_raw,
        [
        hash(tanon._value_text("sex"))] as tanon_known
    from tanon_numbered
),
-- sql/steps/release/linked.sql:64
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
-- sql/steps/release/linked.sql:83
tanon_linkable as materialized (
    select
        tanon_side, tanon_known,
        case when count(*) over (partition by tanon_side, tanon_person) > 1
            then tanon_person end as tanon_person
    from tanon_rows_by_side
),
-- sql/steps/release/linked.sql:91
tanon_linkable_rows as materialized (
    select
        tanon_side, count(*) as tanon_rows, count(tanon_person) as tanon_targets,
        list_max(list_filter(range(4, 11), lambda c:
            c = 4 or count(*) * (c + c * (c - 1) // 2 + c * (c - 1) * (c - 2) // 6) <= 20000000
        )) as tanon_most
    from tanon_linkable
    group by tanon_side
),
-- sql/steps/release/linked.sql:126
tanon_sets_of_one as materialized (
    select tanon_side, [unnest(range(1, len(tanon_names[tanon_side]) + 1))] as tanon_set
    from tanon_linkable_columns, (select unnest([1, 2]) as tanon_side)
),
-- sql/steps/release/linked.sql:103
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
-- sql/steps/release/linked.sql:133
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
-- sql/steps/release/linked.sql:144
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
-- sql/steps/release/linked.sql:103
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
-- sql/steps/release/linked.sql:157
tanon_best_links as (
    select tanon_side, tanon_set, tanon_hits
    from (from tanon_linked_by_one union all from tanon_linked_by_more)
    qualify row_number() over (
        partition by tanon_side order by
            tanon_hits desc nulls last, len(tanon_set) asc nulls last, tanon_set asc nulls last
    ) = 1
),
-- sql/steps/release/linked.sql:166
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
-- sql/steps/release/linked.sql:178
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
-- sql/steps/release/told.sql:6
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
-- sql/steps/release/told.sql:41
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
-- sql/steps/release/told.sql:26
tanon_told_groups as (
    select
        tanon_place, tanon_group, count(*) = 1 as tanon_is_one,
        max(tanon_n) as tanon_most
    from tanon_told_cells
    group by tanon_place, tanon_group
),
-- sql/steps/release/told.sql:19
tanon_told_alone as (
    select tanon_place, count(distinct tanon_first) as tanon_alone
    from tanon_told_cells
    where tanon_first = tanon_last
    group by tanon_place
),
-- sql/steps/release/told.sql:34
tanon_told_alike as (
    select tanon_place, count(distinct tanon_person) as tanon_alike
    from tanon_released join tanon_told_groups using (tanon_group)
    where tanon_is_one
    group by tanon_place
),
-- sql/steps/release/told.sql:53
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
-- sql/steps/release/attacked.sql:47
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
)
-- sql/functions/k_anonymity/k_anonymity_attack.sql
select
    tanon_criterion as criterion, tanon_affects as affects, tanon_attack as attack,
    tanon_targets as targets, tanon_hits as hits, tanon_hits / nullif(tanon_targets, 0) as hit_rate,
    tanon._interval(tanon_hits / nullif(tanon_targets, 0), tanon_targets).low as low,
    tanon._interval(tanon_hits / nullif(tanon_targets, 0), tanon_targets).high as high,
    tanon_baseline as baseline, tanon_control as control
from tanon_attacked
order by tanon_place asc nulls last, tanon_affects asc nulls last
