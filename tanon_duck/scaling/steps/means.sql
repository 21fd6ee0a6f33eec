-- Series of near values: those whose means begin with the same five digits, and the next.
-- Yields: mean_of_readings, means_met, near_means, series_by_mean
-- Reads: near, series_rows

piece mean_of_readings
    list_sum(list_transform(tanon_values, lambda v: v / len(tanon_values)))
end

step averaged
    select * exclude (tanon_mean), tanon._digits(tanon_mean, 5) as tanon_like
    from (select *, {mean_of_readings} as tanon_mean from {series_rows})
end

step means_met
    select tanon_like, count(*)::bigint as tanon_n from {averaged} group by tanon_like
end

use near_means = near(alike = means_met)

step series_by_mean
    select a.* exclude (tanon_like), tanon_near
    from {averaged} as a join {near_means} using (tanon_like)
end
