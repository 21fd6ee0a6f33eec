-- Returns a hierarchy table of dates in granules, coarser on each level.
--
-- Use it for a date that is a quasi-identifier other than the time, such as a date of birth. With
-- granularities ['month', 'year', 'decade'], 1961-07-23 becomes 1961-07, 1961 and 1960. The last
-- level is * unless star is false. NULL stays NULL. For ages use tanon.age_in_years and
-- tanon.interval_hierarchy, and for years of birth tanon.interval_hierarchy.
--
-- The function refuses a granule that lies in two granules of the next level. Weeks and then months
-- are an example.
--
-- Cost: one pass for the distinct values.
--
-- Arguments:
--   source         relation        the table, the view or the query in parentheses
--   attribute      column(time)    the quasi-identifier
--   granularities  texts           the granularity of each level
--   star           boolean = true  whether the last level replaces all values by *
--   tz             text = NULL     the time zone of the granules, for TIMESTAMP WITH TIME ZONE
-- Checks:
--   granularities  tanon._not_granularities(granularities) among tanon._built_in()  built-in ones
--       or buckets such as '5 years'
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  the value of the column, as text
--   generalized  VARCHAR  the coarser value on this level
-- For: the owner
-- Example:
--   from tanon.date_hierarchy('visits', attribute := 'admitted',
--       granularities := ['month', 'year'])
--   order by level, value limit 3

step dates_of_column
    select distinct
        tanon._clock({function}, {attribute}, {tz}) as tanon_t,
        tanon._value_text({attribute}) as tanon_value
    from {source}
    where {attribute} is not null
end

step dates_on_levels materialized
    {for g in tanon._list(granularities) joined by ' union all '}
    select tanon_value, list_position({granularities:text}, {g}) as tanon_level,
        tanon._covered(tanon_t, tanon._label(tanon_t, {g})) as tanon_label
    from {dates_of_column}
    {end}
end

guard every_date_is_covered on dates_on_levels
    select 'granularities must cover every date, got ' || ({granularities:text})[tanon_level]
        || ' and ' || tanon_value
    from {dates_on_levels}
    where tanon_label is null
    order by tanon_value asc nulls last
    limit 1
end

guard dates_are_nested on dates_on_levels
    select 'granularities must be coarser on each level, got ' || a.tanon_label || ' of '
        || ({granularities:text})[a.tanon_level] || ' in more than one '
        || ({granularities:text})[a.tanon_level + 1]
    from {dates_on_levels} as a join {dates_on_levels} as b using (tanon_value)
    where b.tanon_level = a.tanon_level + 1 and a.tanon_label is not null
    group by a.tanon_level, a.tanon_label
    having count(distinct b.tanon_label) > 1
    order by a.tanon_level asc nulls last, a.tanon_label asc nulls last
    limit 1
end

select
    {attribute:text} as attribute, tanon_level::integer as level, tanon_value as value,
    tanon_label as generalized
from {dates_on_levels}
where {checked every_date_is_covered} and {checked dates_are_nested}
{if star}
union all
select {attribute:text}, len({granularities:text})::integer + 1, tanon_value, '*'
from {dates_of_column}
{end}
{refusals}
