-- Numbers in intervals, wider on each level: rows for a hierarchies table.
--
-- Level 1 has intervals of the first width, level 2 of the second, and so on; the last level is *
-- unless star is false. Intervals begin at origin. What is bottom or lies below is a group, '<18',
-- what is top or lies above another, '90+', on every level. Whole numbers in intervals of whole
-- numbers are labelled by their ends, '20-24', others as '[0.5, 1)'. NULL stays NULL.
--
-- Cost: one pass for the distinct values.
--
-- Arguments:
--   source     relation        the table, the view or the query in parentheses
--   attribute  column(number)  the quasi-identifier
--   widths     widths          how wide the intervals of each level are
--   origin     number = 0      where an interval begins
--   bottom     number = NULL   values below are one group
--   top        number = NULL   this value and those above are one group
--   star       boolean = true  whether the last level is *, for all values
-- Checks:
--   top  bottom is null or top is null or bottom::varchar::double < top::varchar::double  above
--       bottom
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  what the column holds, as text
--   generalized  VARCHAR  what stands for it on this level
-- For: the owner
-- Shards: not offered: its result lists the values of a column, and fits one machine
-- Example:
--   from tanon.interval_hierarchy('visits', attribute := 'age', widths := [5, 10, 20], top := 90)
--   order by level, value limit 3

step numbers_of_column materialized
    select {attribute}::varchar as tanon_value, any_value({attribute})::double as tanon_x,
        bool_and(tanon._is_integer(typeof({attribute}))) as tanon_whole
    from {source}
    where {attribute} is not null
    group by tanon_value
end

guard numbers_are_finite on numbers_of_column
    select 'attribute must hold finite numbers of at most 9007199254740992, got '
        || min(tanon_value)
    from {numbers_of_column}
    where not isfinite(tanon_x) or abs(tanon_x) > 9007199254740992
    having count(*) > 0
end

-- The number of the narrowest interval; those of wider ones follow from it, so that they nest.
-- 0.3 begins the interval [0.3, 0.4), though three times 0.1 is a little more.
step narrowest_intervals
    select *, case
        when not tanon_whole and abs(tanon_steps - round(tanon_steps)) < 1e-9
        then round(tanon_steps) else floor(tanon_steps) end::bigint as tanon_place
    from (
        select *, (tanon_x - {origin}) / ({widths})[1] as tanon_steps
        from {numbers_of_column}
        where {checked numbers_are_finite}
    )
end

step wider_intervals
    select
        tanon_value, tanon_x, tanon_level,
        tanon_whole and {origin} = floor({origin}) and tanon_width = floor(tanon_width)
            as tanon_whole,
        {origin} + tanon_wide * tanon_width as tanon_from,
        {origin} + (tanon_wide + 1) * tanon_width as tanon_to
    from (
        select *, ({widths})[tanon_level]::double as tanon_width,
            floor(tanon_place / round(({widths})[tanon_level] / ({widths})[1]))::bigint
                as tanon_wide
        from {narrowest_intervals}, (select unnest(range(1, len({widths}) + 1)) as tanon_level)
    )
end

select
    {attribute:text} as attribute, tanon_level::integer as level, tanon_value as value,
    case
        when tanon_level is null then null
        {if bottom is not null}
        when tanon_x < {bottom} then '<' || tanon._number_label({bottom})
        {end}
        {if top is not null}
        when tanon_x >= {top} then tanon._number_label({top}) || '+'
        {end}
        else tanon._interval_label(
            {if bottom is null}tanon_from{else}greatest(tanon_from, {bottom}){end},
            {if top is null}tanon_to{else}least(tanon_to, {top}){end}, tanon_whole)
    end as generalized
from {wider_intervals}
{if star}
union all
select {attribute:text}, len({widths})::integer + 1, tanon_value, '*'
from {numbers_of_column}
{end}
{refusals}
