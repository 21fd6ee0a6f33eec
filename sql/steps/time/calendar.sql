-- The granules of the offered granularities of the calendar, checked.
-- Yields: granules
-- Takes: calendar, granularities

-- A list, although some functions take a single granularity.
piece offered
[{for g in tanon._list(granularities) joined by ', '}{g}{end}]
end

step granules_given materialized
    select
        tanon_c.granularity as tanon_name, tanon_c.granule::bigint as tanon_granule,
        tanon_c.label::varchar as tanon_label, tanon_c.starts::timestamp as tanon_starts,
        tanon_c.ends::timestamp as tanon_ends,
        typeof(tanon_c.starts) || ', ' || typeof(tanon_c.ends) as tanon_types
    from {calendar} as tanon_c
end

step granules_compared
    select
        *, lag(tanon_ends) over tanon_in_time as tanon_ends_before,
        lag(tanon_granule) over tanon_in_time as tanon_granule_before,
        count(*) over (partition by tanon_name, tanon_label) as tanon_same_label
    from {granules_given}
    window tanon_in_time as (
        partition by tanon_name
        order by
            tanon_starts asc nulls last,
            tanon_ends asc nulls last,
            tanon_granule asc nulls last
    )
end

step calendar_faults
    select
        case
            when contains(tanon_types, 'ZONE') then 1
            when tanon_name is null or tanon_granule is null or tanon_label is null
                or tanon_starts is null or tanon_ends is null then 2
            when tanon._is_granularity(tanon_name) then 3
            when tanon_starts >= tanon_ends then 4
            when tanon_starts < tanon_ends_before then 5
            when tanon_granule <= tanon_granule_before then 6
            when tanon_same_label > 1 then 7
        end as tanon_fault,
        concat_ws(' ', coalesce(tanon_name, 'NULL'), coalesce(tanon_granule::varchar, 'NULL'),
            coalesce(tanon_label, 'NULL'), 'from', coalesce(tanon_starts::varchar, 'NULL'),
            'to', coalesce(tanon_ends::varchar, 'NULL')) as tanon_row
    from {granules_compared}
    where tanon_name is null or list_contains({offered}, tanon_name)
end

guard calendar_is_right on granules
    select 'calendar must ' || ([
            'have starts and ends without time zone', 'be free of NULL',
            'have granularities other than the built-in ones and buckets',
            'have granules that end after they start', 'have granules that do not overlap',
            'have granules that are numbered in order of time',
            'have labels that are unique in a granularity'
        ])[tanon_fault] || ', got ' || string_agg(tanon_row, '; ' order by tanon_row asc nulls last)
    from (
        from {calendar_faults}
        where tanon_fault = (select min(tanon_fault) from {calendar_faults})
        order by tanon_row asc nulls last
        limit 5
    )
    group by tanon_fault
end

guard calendar_has_all on granules
    select {granularities:argument} || ' must be of the calendar where not built in, got '''
        || min(tanon_wanted) || '''; the calendar has ' || coalesce((
            select string_agg(distinct tanon_name, ', ' order by tanon_name asc nulls last)
            from {granules_given}
        ), 'none') || tanon._hint(min(tanon_wanted), tanon._built_in())
    from (
        select unnest([
            {for g in tanon._of_calendar(granularities) joined by ', '}{g}{end}
        ]::varchar[]) as tanon_wanted
    )
    where tanon_wanted not in (
        select tanon_name from {granules_given} where tanon_name is not null
    )
    having count(*) > 0
end

step granules materialized
    select tanon_name, tanon_granule, tanon_label, tanon_starts, tanon_ends
    from {granules_compared}
    where {checked calendar_is_right} and {checked calendar_has_all}
        and list_contains({offered}, tanon_name)
end
