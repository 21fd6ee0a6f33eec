-- How far estimates of random queries are from the truth, by the share of the rows that they ask
-- for, and of all queries together.
-- Yields: errors_by_selectivity
-- Takes: source

step selectivities
    from (values
        (1, 'none', -1, 0), (2, 'below 0.1 %', 0, 0.001), (3, '0.1 to 1 %', 0.001, 0.01),
        (4, '1 to 10 %', 0.01, 0.1), (5, '10 % and more', 0.1, 2), (6, 'all', -1, 2)
    ) as tanon_v(tanon_place, tanon_class, tanon_above, tanon_upto)
end

piece errors_by_selectivity(answers)
    select
        tanon_class as selectivity, count(truth) as queries,
        median(abs(estimate - truth) / nullif(truth, 0)) as median_relative_error,
        quantile_cont(abs(estimate - truth) / nullif(truth, 0), 0.9) as ninth_decile,
        median(abs(estimate - truth)) as median_absolute_error
    from {selectivities} left join (
        select truth, estimate, truth / (select count(*) from {source}) as tanon_share
        from {answers}
    )
        on case tanon_class when 'all' then true when 'none' then truth = 0
            else truth > 0 and tanon_share >= tanon_above and tanon_share < tanon_upto end
    group by tanon_place, tanon_class
    order by tanon_place asc nulls last
end
