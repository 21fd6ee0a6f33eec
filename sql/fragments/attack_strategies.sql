{# The possible rows of each target for each way to use what is known, and the ways that count. #}
tanon_strategies as (
    select target, 1 as strategy, envelope, pattern, o.secret, o.rows
    from tanon_inside join tanon_coded as o using (envelope)
    where {attack} <> 'pattern'
    union all
    select target, 2, 0 as envelope, pattern, secret, rows
    from tanon_fitting join tanon_coded using (pattern)
    where {attack} in ('pattern', 'best')
    union all
    select target, 3, envelope, pattern, o.secret, o.rows
    from tanon_fitting
    join tanon_coded as o using (pattern)
    semi join tanon_inside using (target, envelope)
    where {attack} not in ('values', 'pattern')
    union all
    select target, 4, envelope, pattern, o.secret, o.rows
    from tanon_inside
    join tanon_coded as o using (envelope)
    left join tanon_fitting as f using (target, pattern)
    where {attack} not in ('values', 'pattern') and tanon_own = (f.target is not null)
),
tanon_possible as (
    from tanon_strategies
    qualify {attack} = 'best' or strategy = max(strategy) over (partition by target)
),
tanon_counted as (
    select
        target, strategy,
        {if attack = 'nearest_value'} envelope, pattern {else} 0 as envelope, 0 as pattern {end},
        secret, sum(rows) as rows
    from tanon_possible
    group by all
),
tanon_weighed as (
    select
        * exclude (strategy, share),
        {if attack = 'best'} share {else} rows {end} as weight
    from (
        select *, rows / sum(rows) over (partition by target, strategy) as share
        from tanon_counted
    )
    {if attack = 'best'}
    qualify strategy = arg_max(strategy, (share, strategy)) over (partition by target)
    {end}
)
