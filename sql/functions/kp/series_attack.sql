-- Returns how often a simulated adversary guesses the sensitive values of a release of series.
--
-- For each series of the source the adversary finds the rows that can belong to the series, and
-- guesses one sensitive value. hit_rate is the share of right guesses. promised is 1/P, where P is
-- the size of the smallest class. tanon.series_breach returns probabilities for each series.
--
-- Values of attack:
--
--   'unified'        knows the readings and the shape and guesses the most frequent value. If no
--                    row matches both, it uses the readings. It uses own_pattern if release has it.
--   'values'         knows the readings only.
--   'pattern'        knows the shape only.
--   'best'           makes the most certain of the three guesses for each series.
--   'nearest_value'  knows the class and guesses the number that is nearest to the last reading.
--   'nearest_any'    does the same with all rows that can belong to the series.
--
-- (k,P)-anonymity promises 1/P only against an adversary who has no idea of the sensitive values.
-- If a sensitive value continues the series, 'nearest_value' is right more often.
--
-- Cost: the cost of tanon.series_breach, and one row for each series and possible sensitive value.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   source     relation                       the original series
--   series_id  column not null as respondent  the series
--   series     columns(list, number) not null  a list column, or one column for each position
--   sensitive  columns(plain) of source and release as sensitive  the sensitive columns that the
--       adversary wants to know
--   attack  one of 'unified', 'best', 'values', 'pattern', 'nearest_value', 'nearest_any' =
--       'unified'  the adversary, as described above
--   seed       integer = 0                    decides between equally likely values
-- Checks:
--   sensitive  attack not like 'near%' or len(tanon._list(sensitive)) = 1  one column for
--       this attack
-- Result:
--   attack      VARCHAR  the adversary
--   targets     BIGINT   the number of series in the source
--   candidates  DOUBLE   the mean number of rows that can belong to a series
--   hits        DOUBLE   the number of right guesses
--   hit_rate    DOUBLE   the share of right guesses
--   low         DOUBLE   the lower end of the 95 % interval of hit_rate
--   high        DOUBLE   the upper end
--   promised    DOUBLE   1/P, where P is the size of the smallest class
-- For: the owner
-- Example:
--   from tanon.series_attack(
--       'published_incomes', '(select name, incomes as yearly, charity from incomes)',
--       series_id := 'name', series := 'yearly', sensitive := 'charity'
--   )

-- The possible rows of each target for each way to use what is known, and the ways that count:
-- 1 its values, 2 its pattern, 3 both together, 4 values and what own_pattern tells.

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

step targets
    select
        row_number() over () as target, {series_id} as tanon_id, {readings} as tanon_values,
        row({s.sensitive}) as tanon_value
    from {source} as s
end

step known_positions
    select range(1, points + 1)::integer[] as tanon_known
    from {points_of_targets}
    where {checked release_is_whole} and {checked targets_fit}
end

-- NULL is near to nothing.
step numbers
    select secret, case
        when struct_extract_at(tanon_value, 1) is null
            or try_cast(struct_extract_at(tanon_value, 1) as double) is not null
            then coalesce(try_cast(struct_extract_at(tanon_value, 1) as double), 'inf')
        else error(
            {function} || ': sensitive must be a number for this attack, got '
            || struct_extract_at(tanon_value, 1)::varchar
        ) end as tanon_number
    from {possible_secrets}
end

step guesses
    select
        target, sum(rows) as candidates, any_value(own.secret) as truth,
        bool_or(w.secret = own.secret) as has_truth,
        arg_max(w.secret, (
            {if attack in ('nearest_value', 'nearest_any')}
            -abs(g.tanon_number - tanon_values[-1])
            {else} weight {end},
            hash(hash(tanon_id), hash(s.tanon_value), {seed})
        )) as guess
    from {weighed_guesses} as w
    join {possible_secrets} as s using (secret)
    {if attack in ('nearest_value', 'nearest_any')} join {numbers} as g using (secret) {end}
    join {targets} using (target)
    left join {marked_targets} as own using (target)
    group by target, envelope, pattern
end

step scored
    select target, sum(candidates) as candidates,
        coalesce(avg((guess = truth)::integer) filter (
            {if attack = 'nearest_value'} has_truth {else} true {end}
        ), 0) as hit
    from {guesses}
    group by target
end

step totals
    select
        count(*) as n, coalesce(sum(candidates), 0) / greatest(count(*), 1) as candidates,
        coalesce(list_sum(list(hit order by hit asc nulls last)), 0)::double as hits,
        coalesce(list_sum(list(hit order by hit asc nulls last)), 0) / greatest(count(*), 1) as p
    from {targets} left join {scored} using (target)
end

select
    {attack} as attack, n as targets, candidates, hits, p as hit_rate,
    greatest(0, centre - reach) as low, least(1, centre + reach) as high,
    1 / smallest as promised
from (
    select
        *, (p + 1.920729 / m) / (1 + 3.841459 / m) as centre,
        1.959964 * sqrt(p * (1 - p) / m + 0.960365 / m / m) / (1 + 3.841459 / m)
            as reach
    from (select *, nullif(n, 0) as m from {totals})
), (
    select min(rows) as smallest
    from (select sum(rows) as rows from {possible_classes} group by envelope, pattern)
)
