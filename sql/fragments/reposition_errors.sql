{# What queries notice: errors of counts of each value over windows of 1, 7 and 30 snapshots. #}
tanon_changes as (
    select tanon_value, tanon_at, sum(tanon_was) as tanon_was, sum(tanon_is) as tanon_is
    from (
        select tanon_value, tanon_home as tanon_at, tanon_records as tanon_was, 0 as tanon_is
        from tanon_counts
        union all
        select tanon_value, tanon_slot, 0, tanon_n from tanon_slots
    )
    group by all
),
tanon_windows as (
    select tanon_length, sum(tanon_was) as tanon_was, sum(tanon_is) as tanon_is
    from (
        select tanon_length, tanon_value, tanon_was, tanon_is, unnest(range(
            greatest(tanon_at - tanon_length + 1, tanon_first),
            least(tanon_at, tanon_last - tanon_length + 1) + 1
        )) as tanon_opens
        from tanon_changes, tanon_span, unnest([1, 7, 30]) as tanon_lengths(tanon_length)
    )
    group by tanon_length, tanon_value, tanon_opens
    having sum(tanon_was) > 0
),
tanon_errors as (
    select
        tanon_length,
        -- whole numbers add up to the same in any order
        sum((abs(tanon_is - tanon_was) / tanon_was * 1e12)::hugeint) / 1e12 / count(*)
            as tanon_error
    from tanon_windows
    group by tanon_length
)
