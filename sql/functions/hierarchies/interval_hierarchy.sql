-- Returns a hierarchy table of numbers in intervals, wider on each level.
--
-- Level 1 has intervals of the first width, level 2 of the second width, and so on. The last level
-- is * unless star is false. Intervals begin at origin. Values below bottom are one group such as
-- '<18', and values from top are one group such as '90+'. Intervals of whole numbers have labels
-- such as '20-24', and other intervals such as '[0.5, 1)'. NULL stays NULL.
--
-- The function compares a DECIMAL by all of its digits, and a FLOAT or a DOUBLE by the shortest
-- text that DuckDB writes for it.
--
-- Cost: one pass for the distinct values.
--
-- Arguments:
--   source     relation        the table, the view or the query in parentheses
--   attribute  column(number)  the quasi-identifier
--   widths     widths          the width of the intervals of each level
--   origin     number = 0      the start of an interval
--   bottom     number = NULL   values below are one group
--   top        number = NULL   this value and larger values are one group
--   star       boolean = true  whether the last level replaces all values by *
-- Checks:
--   origin  tanon._has_units(origin::varchar::double::varchar)  a number of at most
--       9007199254740992, with at most 20 decimals
--   bottom  bottom is null or tanon._has_units(bottom::varchar::double::varchar)  a number of at
--       most 9007199254740992, with at most 20 decimals
--   top  top is null or tanon._has_units(top::varchar::double::varchar)  a number of at most
--       9007199254740992, with at most 20 decimals
--   top  bottom is null or top is null or bottom::varchar::double < top::varchar::double  above
--       bottom
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  the value of the column, as text
--   generalized  VARCHAR  the coarser value on this level
-- For: the owner
-- Example:
--   from tanon.interval_hierarchy('visits', attribute := 'age', widths := [5, 10, 20], top := 90)
--   order by level, value limit 3

-- Bounds as whole numbers of units of as many decimals as any of them has: sums are exact.
step bounds_in_units materialized
    select
        tanon_decimals, tanon._units(({origin})::double::varchar, tanon_decimals) as tanon_origin,
        {if bottom is null}null::hugeint{else}
        tanon._units(({bottom})::double::varchar, tanon_decimals){end} as tanon_bottom,
        {if top is null}null::hugeint{else}
        tanon._units(({top})::double::varchar, tanon_decimals){end} as tanon_top
    from (
        select list_max(list_transform(list_concat({widths}, [
            {origin} {if bottom is not null}, {bottom}{end} {if top is not null}, {top}{end}
        ]::double[]), lambda b: tanon._decimals(b::varchar))) as tanon_decimals
    )
end

step numbers_of_column materialized
    select {attribute}::varchar as tanon_value, any_value({attribute})::double as tanon_x,
        bool_and(tanon._is_integer(typeof({attribute}))) as tanon_whole
    from {source}
    where {attribute} is not null
    group by tanon_value
end

guard numbers_are_finite on numbers_in_units
    select 'attribute must hold finite numbers of at most 9007199254740992, got '
        || min(tanon_value)
    from {numbers_of_column}
    where not isfinite(tanon_x) or abs(tanon_x) > 9007199254740992
    having count(*) > 0
end

step numbers_in_units
    select *, tanon._units(tanon_value, tanon_decimals) as tanon_at
    from {numbers_of_column}, {bounds_in_units}
    where {checked numbers_are_finite}
end

step intervals
    select *, tanon_origin + tanon._down(tanon_at - tanon_origin, tanon_width) * tanon_width
        as tanon_from
    from (
        select *, tanon._units(({widths})[tanon_level]::varchar, tanon_decimals) as tanon_width
        from {numbers_in_units}, (select unnest(range(1, len({widths}) + 1)) as tanon_level)
    )
end

select
    {attribute:text} as attribute, tanon_level::integer as level, tanon_value as value,
    case
        when tanon_level is null then null
        when tanon_at < tanon_bottom
            then '<' || tanon._units_label(tanon_bottom, tanon_decimals)
        when tanon_at >= tanon_top
            then tanon._units_label(tanon_top, tanon_decimals) || '+'
        else tanon._interval_label(
            greatest(tanon_from, tanon_bottom), least(tanon_from + tanon_width, tanon_top),
            tanon_decimals, tanon_whole)
    end as generalized
from {intervals}
{if star}
union all
select {attribute:text}, len({widths})::integer + 1, tanon_value, '*'
from {numbers_of_column}
{end}
{refusals}
