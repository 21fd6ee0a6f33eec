{# tanon_granules: the granules of the offered granularities of the calendar, checked. #}
{% set names = "[{for g in tanon._list(" ~ offered ~ ") joined by ', '}{g}{end}]" %}
tanon_granules_given as materialized (
    select
        tanon_c.granularity as tanon_name, tanon_c.granule::bigint as tanon_granule,
        tanon_c.label::varchar as tanon_label, tanon_c.starts::timestamp as tanon_starts,
        tanon_c.ends::timestamp as tanon_ends,
        typeof(tanon_c.starts) || ', ' || typeof(tanon_c.ends) as tanon_types
    from {calendar} as tanon_c
),
tanon_granules_compared as (
    select
        *, lag(tanon_ends) over tanon_in_time as tanon_ends_before,
        lag(tanon_granule) over tanon_in_time as tanon_granule_before,
        count(*) over (partition by tanon_name, tanon_label) as tanon_same_label
    from tanon_granules_given
    window tanon_in_time as (
        partition by tanon_name order by tanon_starts, tanon_ends, tanon_granule
    )
),
tanon_calendar_faults as (
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
    from tanon_granules_compared
    where tanon_name is null or list_contains({{ names }}, tanon_name)
),
tanon_calendar_errors as (
    select error({function} || ': calendar must ' || ([
        'have starts and ends without time zone', 'be free of NULL',
        'have granularities other than the built-in ones and buckets',
        'have granules that end after they start', 'have granules that do not overlap',
        'have granules that are numbered in order of time',
        'have labels that are unique in a granularity'
    ])[tanon_fault] || ', got ' || string_agg(tanon_row, '; ' order by tanon_row))::boolean
        as tanon_fine
    from (
        from tanon_calendar_faults
        where tanon_fault = (select min(tanon_fault) from tanon_calendar_faults)
        order by tanon_row
        limit 5
    )
    group by tanon_fault
    union all
    select error({function} || ': {{ offered }} must be of the calendar where not built in, got '''
        || min(tanon_wanted) || '''; the calendar has ' || coalesce((
            select string_agg(distinct tanon_name, ', ' order by tanon_name)
            from tanon_granules_given
        ), 'none'))::boolean
    from (
        select unnest([
            {for g in tanon._of_calendar({{ offered }}) joined by ', '}{g}{end}
        ]::varchar[]) as tanon_wanted
    )
    where tanon_wanted not in (
        select tanon_name from tanon_granules_given where tanon_name is not null
    )
    having count(*) > 0
),
tanon_granules as materialized (
    select tanon_name, tanon_granule, tanon_label, tanon_starts, tanon_ends
    from tanon_granules_compared
    where (select coalesce(bool_and(tanon_fine), true) from tanon_calendar_errors)
        and list_contains({{ names }}, tanon_name)
),
