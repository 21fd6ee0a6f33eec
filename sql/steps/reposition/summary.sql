-- What repositioning does to a stream, in one row.
-- Yields: summary_of_stream
-- Reads: cells_of_persons, counts_at_home, counts_published, flows, persons_with_several,
--   posteriors, repeated_cells, stream_span, window_errors
-- Takes: l, repeats, respondent

step skewed_before
    select tanon_home
    from {counts_at_home}
    group by tanon_home
    having tanon._exceeds_share(max(tanon_records), sum(tanon_records), {l})
    {if respondent is not null and repeats = 'separate'}
    union
    select tanon_home
    from (
        select tanon_home, tanon_person, sum(tanon_records) as tanon_n
        from {cells_of_persons}
        group by tanon_home, tanon_person
    ) join (
        select tanon_home, sum(tanon_records) as tanon_size
        from {counts_at_home}
        group by tanon_home
    ) using (tanon_home)
    where tanon._exceeds_share(tanon_n, tanon_size, {l})
    {end}
end

step skewed_after
    select tanon_slot
    from {counts_published}
    group by tanon_slot
    having tanon._exceeds_share(max(tanon_n), sum(tanon_n), {l})
end

step repeats_in_all
    {if repeats = 'separate'} select 0::bigint as tanon_repeats
    {else}
    select coalesce(sum(tanon_records - tanon_is_kept::integer), 0)::bigint as tanon_repeats
    from {repeated_cells}
    {end}
end

step distances
    select tanon_slot - tanon_home as tanon_distance, sum(tanon_records)::bigint as tanon_n
    from {flows}
    where tanon_slot is not null
    group by tanon_distance
end

piece summary_of_stream
select
    coalesce(sum(tanon_records), 0)::bigint + (from {repeats_in_all}) as records,
    coalesce(sum(tanon_records) filter (tanon_slot > tanon_home), 0)::bigint as moved,
    coalesce(sum(tanon_records) filter (tanon_slot is null), 0)::bigint + (from {repeats_in_all})
        as suppressed,
    (from {repeats_in_all}) as repeats,
    (select tanon_persons from {persons_with_several}) as several,
    sum(tanon_records * (tanon_slot - tanon_home))
        / nullif(sum(tanon_records) filter (tanon_slot is not null), 0) as mean_distance,
    max(tanon_slot - tanon_home) as max_distance,
    coalesce(sum((tanon_loss * 1000000)::hugeint * tanon_records), 0) / 1000000 as information_loss,
    (select tanon_snapshots from {stream_span}) as snapshots,
    (select tanon_snapshots from {stream_span}) - (select count(*) from {skewed_before})
        as eligible_before,
    (select tanon_snapshots from {stream_span}) - (select count(*) from {skewed_after})
        as eligible_after,
    (
        select coalesce(
            map_from_entries(list(
                (tanon_distance, tanon_n) order by tanon_distance asc nulls last
            )), map {})
        from {distances}
    )::map(bigint, bigint) as distances,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 1) as window_error_1,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 7) as window_error_7,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 30) as window_error_30,
    (select tanon_worst from {posteriors}) as worst_posterior,
    (select tanon_mean from {posteriors}) as mean_posterior,
    (select tanon_by_day from {posteriors}) as day_posterior
from {flows}
end
