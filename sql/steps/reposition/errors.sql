-- What queries notice: errors of counts of each value over windows of 1, 7 and 30 snapshots.
-- Yields: stream_span, window_errors
-- Reads: counts_at_home, counts_published

step stream_span
    select
        min(tanon_home) as tanon_first, max(tanon_home) as tanon_last,
        coalesce(max(tanon_home) - min(tanon_home) + 1, 0) as tanon_snapshots
    from {counts_at_home}
end

step changed_counts
    select tanon_value, tanon_at, sum(tanon_was) as tanon_was, sum(tanon_is) as tanon_is
    from (
        select tanon_value, tanon_home as tanon_at, tanon_records as tanon_was, 0 as tanon_is
        from {counts_at_home}
        union all
        select tanon_value, tanon_slot, 0, tanon_n from {counts_published}
    )
    group by tanon_value, tanon_at
end

step query_windows
    select tanon_length, sum(tanon_was) as tanon_was, sum(tanon_is) as tanon_is
    from (
        select tanon_length, tanon_value, tanon_was, tanon_is, unnest(range(
            greatest(tanon_at - tanon_length + 1, tanon_first),
            least(tanon_at, tanon_last - tanon_length + 1) + 1
        )) as tanon_opens
        from {changed_counts}, {stream_span}, unnest([1, 7, 30]) as tanon_lengths(tanon_length)
    )
    group by tanon_length, tanon_value, tanon_opens
    having sum(tanon_was) > 0
end

-- Whole numbers add up to the same in any order.
step window_errors
    select
        tanon_length,
        sum((abs(tanon_is - tanon_was) / tanon_was * 1e12)::hugeint) / 1e12 / count(*)
            as tanon_error
    from {query_windows}
    group by tanon_length
end
