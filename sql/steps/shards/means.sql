-- Series of near values: those whose means begin with the same five digits, and the next.
-- Yields: means_met, near_means, series_by_mean
-- Reads: near, series_rows
-- Merges: sum means_met.tanon_n

step averaged
    select
        * exclude (tanon_mean),
        case when tanon_mean = 0 then 0 else
            round(tanon_mean / pow(10, floor(log10(abs(tanon_mean))) - 4))
                * pow(10, floor(log10(abs(tanon_mean))) - 4) end as tanon_like
    from (
        select *, list_sum(list_transform(tanon_values, lambda v: v / len(tanon_values)))
            as tanon_mean
        from {series_rows}
    )
end

step means_met
    select tanon_like, count(*)::bigint as tanon_n from {averaged} group by tanon_like
end

use near_means = near(alike = means_met)

step series_by_mean
    select a.* exclude (tanon_like), tanon_near
    from {averaged} as a join {near_means} using (tanon_like)
end
