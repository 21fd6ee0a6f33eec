-- What somebody who knows the true day learns of a value from where a record went.
-- Yields: gone_alike, posteriors, shares_by_day
-- Reads: counts_at_home, flows

step gone_alike
    select
        tanon_home, tanon_slot, tanon_slot is not distinct from tanon_home as tanon_stayed,
        sum(tanon_n) as tanon_late, max(tanon_n) as tanon_most
    from (
        select tanon_home, tanon_slot, tanon_value, sum(tanon_records) as tanon_n
        from {flows}
        group by tanon_home, tanon_slot, tanon_value
    )
    group by tanon_home, tanon_slot
end

step shares_by_day
    select tanon_home, max(tanon_records) / sum(tanon_records) as tanon_share
    from {counts_at_home}
    group by tanon_home
end

step posteriors
    select
        max(tanon_most / tanon_late) as tanon_worst,
        sum(tanon_most) / sum(tanon_late) as tanon_mean,
        -- whole numbers add up to the same in any order
        sum((tanon_share * tanon_late * 1e12)::hugeint) / 1e12 / sum(tanon_late) as tanon_by_day
    from {gone_alike} join {shares_by_day} using (tanon_home)
    where not tanon_stayed
end
