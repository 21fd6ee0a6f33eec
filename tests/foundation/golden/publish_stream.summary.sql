with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "cases")
    union all by name select null as "age", null as "day", null as "disease", null as "district", null as "person" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.publish_stream: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "cases")
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
                (0, 'day', 'day',
                    'tanon.publish_stream: ts must be an integer column or a DATE or TIMESTAMP column of source',
                    'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("day"::timestamp as "day") from ...)'),
                (1000000, 'disease', 'disease', 'tanon.publish_stream: sensitive must be a column of source', '', ''),
                (2000000, 'person', 'person', 'tanon.publish_stream: respondent must be a column of source', '', ''),
                (3000001, 'age', 'age', 'tanon.publish_stream: keep must be columns of source, none twice', '', ''),
                (3000002, 'district', 'district', 'tanon.publish_stream: keep must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.publish_stream: ts must be free of NULL, got ' || count(*) || ' rows with NULL in day'
        from tanon_given_source where "day" is null
        having count(*) > 0),
        (select 'tanon.publish_stream: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in person'
        from tanon_given_source where "person" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/reposition/persons.sql
tanon_records_by_person as (
    select "person" as tanon_person, count(*) as tanon_n from tanon_source group by "person"
),
-- sql/steps/reposition/cells.sql
tanon_times_can_be_cut as (
select coalesce(error('tanon.publish_stream' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select tanon_problem || ', got ' || case when starts_with(tanon_problem, 'granularity')
        then coalesce(NULL, 'NULL')
        else min("day"::varchar) || ' and ' || count(*) - 1 || ' more' end
    from (
        select "day",
            tanon._snapshot_problem("day",
            struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) as tanon_problem from tanon_source
    )
    where tanon_problem is not null
    group by tanon_problem
    order by tanon_problem asc nulls last
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/steps/reposition/persons.sql
tanon_cells_of_several as (
    select
        tanon_person,
        tanon._snapshot(tanon_row."day", struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) as tanon_home,
        tanon._order_key(tanon_row."disease") as tanon_spelling,
        count(*) as tanon_records
    from tanon_source as tanon_row join tanon_records_by_person on tanon_row."person" = tanon_person
    where tanon_n > 1 and (select tanon_fine from tanon_times_can_be_cut)
    group by tanon_person, tanon_home, tanon_spelling
),
-- sql/steps/reposition/persons.sql
tanon_cells_of_persons as materialized (
    select * exclude (tanon_before, tanon_after, tanon_here)
    from (
        select
            *,
            tanon_home - lag(tanon_home) over tanon_in_time as tanon_before,
            lead(tanon_home) over tanon_in_time - tanon_home as tanon_after,
            tanon_records as tanon_here
        from tanon_cells_of_several
        window tanon_in_time as (
            partition by tanon_person
            order by tanon_home asc nulls last, tanon_spelling asc nulls last
        )
    )
    where tanon_here > 1 or tanon_before < 4 or tanon_after < 4
),
-- sql/steps/reposition/cells.sql
tanon_spelled_cells as materialized (
    select
        tanon._snapshot("day", struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) as tanon_home,
        tanon._order_key("disease") as tanon_spelling,
        "disease" as tanon_sa,
        count(*) as tanon_records
    from tanon_source
    where (select tanon_fine from tanon_times_can_be_cut)
    group by all
),
-- sql/steps/reposition/persons.sql
tanon_decided_cells as materialized (
     from tanon_spelled_cells
),
-- sql/steps/reposition/flows.sql
tanon_stream_values as materialized (
    select tanon_sa, row_number() over (order by tanon_sa asc nulls last) - 1 as tanon_value
    from (
        select arg_min_null(tanon_sa, tanon_spelling) as tanon_sa
        from tanon_spelled_cells as tanon_c
        group by tanon_c.tanon_sa
    )
),
-- sql/steps/reposition/flows.sql
tanon_spellings as (
    select
        tanon_spelling, tanon_value,
        row_number() over (
            order by tanon_value asc nulls last, tanon_spelling asc nulls last
        ) as tanon_number
    from (select distinct tanon_spelling, tanon_sa from tanon_spelled_cells) as tanon_c
        join tanon_stream_values as tanon_v on tanon_c.tanon_sa is not distinct from tanon_v.tanon_sa
),
-- sql/steps/reposition/flows.sql
tanon_counts_at_home as materialized (
    select tanon_value, tanon_home, sum(tanon_records)::bigint as tanon_records
    from tanon_decided_cells as tanon_c join tanon_stream_values as tanon_v
        on tanon_c.tanon_sa is not distinct from tanon_v.tanon_sa
    group by tanon_value, tanon_home
),
-- sql/steps/reposition/flows.sql
tanon_costs_of_suppressing as (
     select null::double[] as tanon_betas
),
-- sql/steps/reposition/flows.sql
tanon_flows as materialized (
    select unnest(tanon._answer("_tanon_reposition"(
        'tanon.publish_stream',
        (select list({'home': tanon_home, 'value': tanon_value, 'records': tanon_records})
            from tanon_counts_at_home),
        tanon_betas,
         null
        ,
        '2', 4, 'd', 'step', 'stream', 'any'
    )), recursive := true)
    from tanon_costs_of_suppressing
),
-- sql/steps/reposition/flows.sql
tanon_counts_published as (
    select tanon_slot, tanon_value, sum(tanon_records) as tanon_n
    from tanon_flows
    where tanon_slot is not null
    group by tanon_slot, tanon_value
),
-- sql/steps/reposition/summary.sql
tanon_repeats_in_all as (
     select 0::bigint as tanon_repeats
),
-- sql/steps/reposition/persons.sql
tanon_persons_with_several as materialized (
    select count(*) as tanon_persons, coalesce(sum(tanon_n), 0)::bigint as tanon_records
    from tanon_records_by_person
    where tanon_n > 1
),
-- sql/steps/reposition/errors.sql
tanon_stream_span as (
    select
        min(tanon_home) as tanon_first, max(tanon_home) as tanon_last,
        coalesce(max(tanon_home) - min(tanon_home) + 1, 0) as tanon_snapshots
    from tanon_counts_at_home
),
-- sql/steps/reposition/summary.sql
tanon_skewed_before as (
    select tanon_home
    from tanon_counts_at_home
    group by tanon_home
    having tanon._exceeds_share(max(tanon_records), sum(tanon_records), '2')
    union
    select tanon_home
    from (
        select tanon_home, tanon_person, sum(tanon_records) as tanon_n
        from tanon_cells_of_persons
        group by tanon_home, tanon_person
    ) join (
        select tanon_home, sum(tanon_records) as tanon_size
        from tanon_counts_at_home
        group by tanon_home
    ) using (tanon_home)
    where tanon._exceeds_share(tanon_n, tanon_size, '2')
),
-- sql/steps/reposition/summary.sql
tanon_skewed_after as (
    select tanon_slot
    from tanon_counts_published
    group by tanon_slot
    having tanon._exceeds_share(max(tanon_n), sum(tanon_n), '2')
),
-- sql/steps/reposition/summary.sql
tanon_distances as (
    select tanon_slot - tanon_home as tanon_distance, sum(tanon_records)::bigint as tanon_n
    from tanon_flows
    where tanon_slot is not null
    group by tanon_distance
),
-- sql/steps/reposition/errors.sql
tanon_changed_counts as (
    select tanon_value, tanon_at, sum(tanon_was) as tanon_was, sum(tanon_is) as tanon_is
    from (
        select tanon_value, tanon_home as tanon_at, tanon_records as tanon_was, 0 as tanon_is
        from tanon_counts_at_home
        union all
        select tanon_value, tanon_slot, 0, tanon_n from tanon_counts_published
    )
    group by tanon_value, tanon_at
),
-- sql/steps/reposition/errors.sql
tanon_query_windows as (
    select tanon_length, sum(tanon_was) as tanon_was, sum(tanon_is) as tanon_is
    from (
        select tanon_length, tanon_value, tanon_was, tanon_is, unnest(range(
            greatest(tanon_at - tanon_length + 1, tanon_first),
            least(tanon_at, tanon_last - tanon_length + 1) + 1
        )) as tanon_opens
        from tanon_changed_counts, tanon_stream_span, unnest([1, 7, 30]) as tanon_lengths(tanon_length)
    )
    group by tanon_length, tanon_value, tanon_opens
    having sum(tanon_was) > 0
),
-- sql/steps/reposition/errors.sql
tanon_window_errors as (
    select
        tanon_length,
        sum((abs(tanon_is - tanon_was) / tanon_was * 1e12)::hugeint) / 1e12 / count(*)
            as tanon_error
    from tanon_query_windows
    group by tanon_length
),
-- sql/steps/reposition/posteriors.sql
tanon_gone_alike as (
    select
        tanon_home, tanon_slot, tanon_slot is not distinct from tanon_home as tanon_stayed,
        sum(tanon_n) as tanon_late, max(tanon_n) as tanon_most
    from (
        select tanon_home, tanon_slot, tanon_value, sum(tanon_records) as tanon_n
        from tanon_flows
        group by tanon_home, tanon_slot, tanon_value
    )
    group by tanon_home, tanon_slot
),
-- sql/steps/reposition/posteriors.sql
tanon_shares_by_day as (
    select tanon_home, max(tanon_records) / sum(tanon_records) as tanon_share
    from tanon_counts_at_home
    group by tanon_home
),
-- sql/steps/reposition/posteriors.sql
tanon_posteriors as (
    select
        max(tanon_most / tanon_late) as tanon_worst,
        sum(tanon_most) / sum(tanon_late) as tanon_mean,
        sum((tanon_share * tanon_late * 1e12)::hugeint) / 1e12 / sum(tanon_late) as tanon_by_day
    from tanon_gone_alike join tanon_shares_by_day using (tanon_home)
    where not tanon_stayed
),
-- sql/steps/reposition/persons.sql
tanon_records_together as (
    select tanon_slot, tanon_person, sum(tanon_n) as tanon_n
    from (
        select
            tanon_f.tanon_slot, tanon_p.tanon_person,
            least(sum(tanon_p.tanon_records), any_value(tanon_f.tanon_records)) as tanon_n
        from (
             from tanon_cells_of_persons
        ) as tanon_p join tanon_spellings as tanon_s
            on tanon_p.tanon_spelling is not distinct from tanon_s.tanon_spelling
        join tanon_flows as tanon_f
            on tanon_p.tanon_home = tanon_f.tanon_home and tanon_s.tanon_value = tanon_f.tanon_value
        where tanon_slot is not null
        group by tanon_f.tanon_slot, tanon_p.tanon_person, tanon_f.tanon_home, tanon_f.tanon_value
    )
    group by tanon_slot, tanon_person
    having sum(tanon_n) > 1
),
-- sql/steps/reposition/persons.sql
tanon_persons_are_apart as (
select coalesce(error('tanon.publish_stream' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'no person must hold more than one l-th of a published snapshot, got '
        || count(distinct tanon_person) || ' persons who could in ' || count(distinct tanon_slot)
        || ' snapshots: repeats := ''one'' publishes a person once in w snapshots'
    from tanon_records_together join (
        select tanon_slot, sum(tanon_n) as tanon_size from tanon_counts_published group by tanon_slot
    ) using (tanon_slot)
    where tanon._exceeds_share(tanon_n, tanon_size, '2')
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/reposition/publish_stream.sql
from (
select
    coalesce(sum(tanon_records), 0)::bigint + (from tanon_repeats_in_all) as records,
    coalesce(sum(tanon_records) filter (tanon_slot > tanon_home), 0)::bigint as moved,
    coalesce(sum(tanon_records) filter (tanon_slot is null), 0)::bigint + (from tanon_repeats_in_all)
        as suppressed,
    (from tanon_repeats_in_all) as repeats,
    (select tanon_persons from tanon_persons_with_several) as several,
    sum(tanon_records * (tanon_slot - tanon_home))
        / nullif(sum(tanon_records) filter (tanon_slot is not null), 0) as mean_distance,
    max(tanon_slot - tanon_home) as max_distance,
    coalesce(sum((tanon_loss * 1000000)::hugeint * tanon_records), 0) / 1000000 as information_loss,
    (select tanon_snapshots from tanon_stream_span) as snapshots,
    (select tanon_snapshots from tanon_stream_span) - (select count(*) from tanon_skewed_before)
        as eligible_before,
    (select tanon_snapshots from tanon_stream_span) - (select count(*) from tanon_skewed_after)
        as eligible_after,
    (
        select coalesce(
            map_from_entries(list(
                (tanon_distance, tanon_n) order by tanon_distance asc nulls last
            )), map {})
        from tanon_distances
    )::map(bigint, bigint) as distances,
    (select any_value(tanon_error) from tanon_window_errors where tanon_length = 1) as window_error_1,
    (select any_value(tanon_error) from tanon_window_errors where tanon_length = 7) as window_error_7,
    (select any_value(tanon_error) from tanon_window_errors where tanon_length = 30) as window_error_30,
    (select tanon_worst from tanon_posteriors) as worst_posterior,
    (select tanon_mean from tanon_posteriors) as mean_posterior,
    (select tanon_by_day from tanon_posteriors) as day_posterior
from tanon_flows
)
where (select tanon_fine from tanon_persons_are_apart)
