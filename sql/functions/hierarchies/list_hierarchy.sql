-- Values in groups that are given, or all as *: rows for a hierarchies table.
--
-- With groups, level 1 is the group of each value, and every value must be in one group; the last
-- level is * unless star is false. Without groups there is * alone. NULL stays NULL.
--
-- Cost: one pass for the distinct values.
--
-- Arguments:
--   source     relation        the table, the view or the query in parentheses
--   attribute  column          the quasi-identifier
--   groups     groups = NULL   the group of each value: {'flu': 'lung', 'asthma': 'lung'}
--   star       boolean = true  whether the last level is *, for all values
-- Checks:
--   star  star or groups is not null  true where no groups are given
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2 and so on
--   value        VARCHAR  what the column holds, as text
--   generalized  VARCHAR  what stands for it on this level
-- For: the owner
-- Example:
--   from tanon.list_hierarchy('visits', attribute := 'sex') order by all

step given_groups
    select tanon_e['key'] as tanon_value, tanon_e['value'] as tanon_group
    from (select unnest(tanon._entries({groups})) as tanon_e)
end

guard every_value_has_a_group on column_values when groups is not null
    select 'groups must hold every value, got ' || count(*) || ' that are in none, such as '
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
