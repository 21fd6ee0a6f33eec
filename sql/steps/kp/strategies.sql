-- The possible rows of each target for each way to use what is known, and the ways that count:
-- 1 its values, 2 its pattern, 3 both together, 4 values and what own_pattern tells.
-- Yields: weighed_guesses
-- Reads: coded_cells, fitting_patterns, inside
-- Takes: attack

step strategies
    select target, 1 as strategy, envelope, pattern, o.secret, o.rows
    from {inside} join {coded_cells} as o using (envelope)
    where {attack} <> 'pattern'
    union all
    select target, 2, 0 as envelope, pattern, secret, rows
    from {fitting_patterns} join {coded_cells} using (pattern)
    where {attack} in ('pattern', 'best')
    union all
    select target, 3, envelope, pattern, o.secret, o.rows
    from {fitting_patterns}
    join {coded_cells} as o using (pattern)
    semi join {inside} using (target, envelope)
    where {attack} not in ('values', 'pattern')
    union all
    select target, 4, envelope, pattern, o.secret, o.rows
    from {inside}
    join {coded_cells} as o using (envelope)
    left join {fitting_patterns} as f using (target, pattern)
    where {attack} not in ('values', 'pattern') and tanon_own = (f.target is not null)
end

step strategies_that_count
    from {strategies}
    qualify {attack} = 'best' or strategy = max(strategy) over (partition by target)
end

step counted_guesses
    select
        target, strategy,
        {if attack = 'nearest_value'} envelope, pattern {else} 0 as envelope, 0 as pattern {end},
        secret, sum(rows) as rows
    from {strategies_that_count}
    group by all
end

step weighed_guesses
    select
        * exclude (strategy, share),
        {if attack = 'best'} share {else} rows {end} as weight
    from (
        select *, rows / sum(rows) over (partition by target, strategy) as share
        from {counted_guesses}
    )
    {if attack = 'best'}
    qualify strategy = arg_max(strategy, (share, strategy)) over (partition by target)
    {end}
end
