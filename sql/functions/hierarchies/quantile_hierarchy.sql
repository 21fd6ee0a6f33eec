-- Numbers or times in bins of about as many rows each: rows for a hierarchies table.
--
-- Of bins [8, 4, 2] level 1 has eight of them; the last level is * unless star is false. A value is
-- in one bin, however often it occurs, so that bins differ in size, and may be fewer. The first is
-- labelled '<23', the last '57+', those between by where they begin and where the next one does:
-- '[23, 35)'. The smallest and the largest value are in no label, the bounds between are values of
-- the table. NULL stays NULL.
--
-- Cost: one pass for the distinct values, and a sort of them.
--
-- Arguments:
--   source     relation              the table, the view or the query in parentheses
--   attribute  column(number, time)  the quasi-identifier
--   bins       sizes                 how many bins each level has: fewer on each, a divisor
--   star       boolean = true        whether the last level is *, for all values
-- Checks:
--   bins  tanon._are_divisors(bins)  fewer on each level, each a divisor of the one before
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  what the column holds, as text
--   generalized  VARCHAR  what stands for it on this level
-- For: the owner
-- Shards: not offered: its result lists the values of a column, and fits one machine
-- Example:
--   from tanon.quantile_hierarchy('visits', attribute := 'age', bins := [4, 2])
--   order by level, value limit 3

step ranked_values materialized
    select
        tanon_value, tanon_x,
        least(({bins})[1] - 1, floor(
            (sum(tanon_n) over (order by tanon_x) - tanon_n / 2) * ({bins})[1]
            / sum(tanon_n) over ()))::bigint as tanon_bin
    from (
        select any_value({attribute}::varchar) as tanon_value, {attribute} as tanon_x,
            count(*) as tanon_n
        from {source}
        where {attribute} is not null
        group by {attribute}
    )
end

-- By its text, as any type has one: a column of no number is told to be none, once this is bound.
guard values_are_finite on ranked_values
    select 'attribute must hold finite values, got ' || min(tanon_value)
    from {ranked_values}
    where ltrim(tanon_value, '-') in ('nan', 'inf', 'infinity')
    having count(*) > 0
end

-- Bins of a level are whole bins of the first one, so that they are nested.
step bins_of_levels materialized
    select *, lead(tanon_least) over (partition by tanon_level order by tanon_bin_of) as tanon_more,
        row_number() over (partition by tanon_level order by tanon_bin_of) as tanon_rank
    from (
        select tanon_level, tanon_bin // (({bins})[1] // ({bins})[tanon_level]) as tanon_bin_of,
            min(tanon_x) as tanon_least
        from {ranked_values}, (select unnest(range(1, len({bins}) + 1)) as tanon_level)
        group by all
    )
end

select
    {attribute:text} as attribute, tanon_level::integer as level, tanon_value as value,
    case
        when tanon_rank = 1 and tanon_more is null then 'all'
        when tanon_rank = 1 then '<' || tanon_more::varchar
        when tanon_more is null then tanon_least::varchar || '+'
        else '[' || tanon_least::varchar || ', ' || tanon_more::varchar || ')'
    end as generalized
from {ranked_values} join {bins_of_levels}
    on tanon_bin_of = tanon_bin // (({bins})[1] // ({bins})[tanon_level])
where {checked values_are_finite}
{if star}
union all
select {attribute:text}, len({bins})::integer + 1, tanon_value, '*'
from {ranked_values}
{end}
{refusals}
