-- Returns a hierarchy table of values and their parents, from a table of parents.
--
-- For example, a table of districts with region and country gives the region on level 1 and the
-- country on level 2. The last level is * unless star is false. NULL stays NULL. For a table with a
-- column of values and a column of parents, join the table with itself to get further levels.
--
-- The function refuses a value that parents does not contain. It refuses a value with several
-- parents on one level, and levels that are not nested.
--
-- Cost: one pass for the distinct values, and one join.
--
-- Arguments:
--   source     relation                    the table, the view or the query in parentheses
--   attribute  column                      the quasi-identifier
--   parents    relation                    a table of values and their parents
--   child      column not null of parents  the column of parents with the values of attribute
--   levels     columns of parents          the columns of parents for each level, from the nearest
--       to the furthest
--   star       boolean = true              whether the last level replaces all values by *
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  the value of the column, as text
--   generalized  VARCHAR  the coarser value on this level
-- For: the owner
-- Example:
--   from tanon.parent_hierarchy('visits', attribute := 'diagnosis',
--       parents := '(select distinct diagnosis as child, left(diagnosis::text, 1) as letter
--           from visits)', child := 'child', levels := ['letter'])
--   order by level, value limit 3

step parents_by_level materialized
    select distinct
        tanon._value_text({child}) as tanon_value, tanon_level,
        tanon_parents[tanon_level] as tanon_parent,
        tanon_parents[tanon_level + 1] as tanon_next
    from (
        select {child}, [
            {for p in tanon._list(levels) joined by ', '}tanon._value_text({p:name}){end}
        ] as tanon_parents
        from {parents}
        where tanon._value_text({child}) in (select tanon_value from {column_values})
    ), (select unnest(range(1, len({levels:text}) + 1)) as tanon_level)
end

guard every_value_has_a_parent on parents_by_level
    select 'parents must hold every value, got ' || count(*) || ' missing values, such as '
        || min(tanon_value)
    from {column_values}
    where tanon_value not in (select tanon_value from {parents_by_level})
    having count(*) > 0
end

guard parents_are_there on parents_by_level
    select 'parents must be free of NULL, got ' || tanon_value || ' without a parent in '
        || ({levels:text})[tanon_level]
    from {parents_by_level}
    where tanon_parent is null
    order by tanon_value asc nulls last
    limit 1
end

guard parents_are_one on parents_by_level
    select 'parents must be one for each value, got several in ' || ({levels:text})[tanon_level]
        || ' for ' || tanon_value
    from {parents_by_level}
    group by tanon_value, tanon_level
    having count(distinct tanon_parent) > 1
    order by tanon_value asc nulls last
    limit 1
end

guard parents_are_nested on parents_by_level
    select 'levels must be nested, got ' || tanon_parent || ' of '
        || ({levels:text})[tanon_level] || ' in more than one of '
        || ({levels:text})[tanon_level + 1]
    from {parents_by_level}
    group by tanon_level, tanon_parent
    having count(distinct tanon_next) > 1
    order by tanon_level asc nulls last, tanon_parent asc nulls last
    limit 1
end

select
    {attribute:text} as attribute, tanon_level::integer as level, tanon_value as value,
    tanon_parent as generalized
from {parents_by_level}
where {checked every_value_has_a_parent} and {checked parents_are_there}
    and {checked parents_are_one} and {checked parents_are_nested}
{if star}
union all
select {attribute:text}, len({levels:text})::integer + 1, tanon_value, '*'
from {column_values}
{end}
{refusals}
    or not {parents:checked} or not {checked every_value_has_a_parent}
