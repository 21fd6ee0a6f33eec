-- Returns a hierarchy table of values in given groups, or with * only.
--
-- With groups, level 1 is the group of each value. The function refuses a value without a group.
-- The last level is * unless star is false. Without groups the only level is *. NULL stays NULL.
--
-- Cost: one pass for the distinct values.
--
-- Arguments:
--   source     relation        the table, the view or the query in parentheses
--   attribute  column          the quasi-identifier
--   groups     groups = NULL   the group of each value: {'flu': 'lung', 'asthma': 'lung'}
--   star       boolean = true  whether the last level replaces all values by *
-- Checks:
--   star  star or groups is not null  true if groups is not given
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2 and so on
--   value        VARCHAR  the value of the column, as text
--   generalized  VARCHAR  the coarser value on this level
-- For: the owner
-- Example:
--   from tanon.list_hierarchy('visits', attribute := 'sex') order by all

step given_groups
    select tanon_e['key'] as tanon_value, tanon_e['value'] as tanon_group
    from (select unnest(tanon._entries({groups})) as tanon_e)
end

guard every_value_has_a_group on column_values when groups is not null
    select 'groups must hold every value, got ' || count(*) || ' values without a group, such as '
        || min(tanon_value) || tanon._hint(min(tanon_value), (
            select list(tanon_value) from {given_groups}
            where tanon_value not in (select tanon_value from {column_values})))
    from {column_values}
    where tanon_value not in (
        select tanon_value from {given_groups} where tanon_group is not null
    )
    having count(*) > 0
end

{if groups is not null}
select
    {attribute:text} as attribute, 1 as level, tanon_value as value, tanon_group as generalized
from {column_values} join {given_groups} using (tanon_value)
where {checked every_value_has_a_group}
{if star}
union all
{end}
{end}
{if star}
select
    {attribute:text} as attribute, {if groups is null}1{else}2{end} as level,
    tanon_value as value, '*' as generalized
from {column_values}
{end}
{refusals}
    {if groups is not null}or not {checked every_value_has_a_group}{end}
