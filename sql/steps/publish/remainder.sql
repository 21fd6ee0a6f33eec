-- Under which label rows left out are shown: under that of their period, or, where fewer than k
-- respondents are left out in it, under '*' with those of other such periods; where these are too
-- few, with the period that has the fewest, and where all together are, not at all.
-- Yields: remainder_labels
-- Reads: hidden, rows_in_choice
-- Takes: uid, qi, k

step people_left_out materialized
    select {tanon_r.uid} as tanon_uid, coalesce(tanon_r.tanon_label, '') as tanon_period
    from {rows_in_choice} as tanon_r join {hidden} as tanon_b
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
    where tanon_mask is null
    group by {tanon_r.uid}, tanon_period
end

step periods_left_out
    select
        tanon_period, count(*) < {k} as tanon_is_small,
        row_number() over (
            order by
                count(*) < {k} asc nulls last,
                count(*) asc nulls last,
                tanon_period asc nulls last
        ) as tanon_rank
    from {people_left_out}
    group by tanon_period
end

step small_periods
    select count(distinct tanon_uid) as tanon_f
    from {people_left_out} join {periods_left_out} using (tanon_period)
    where tanon_is_small
end

step periods_shown
    select
        tanon_period,
        case when tanon_is_small or tanon_rank = 1 and tanon_f between 1 and {k} - 1
            then '*' else tanon_period end as tanon_shown
    from {periods_left_out}, {small_periods}
end

step remainder_labels materialized
    select *
    from {periods_shown}
    where tanon_shown in (
        select tanon_shown
        from {people_left_out} join {periods_shown} using (tanon_period)
        group by tanon_shown
        having count(distinct tanon_uid) >= {k}
    )
end
