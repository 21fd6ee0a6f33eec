-- That series can be worked with: each id once, finite readings, all of one length of two or more.
-- The function says what `series_rows` is: tanon_id and tanon_values. Ids are named, few of them.
-- Yields: series_are_fine
-- Reads: series_rows

step series_length
    select max(len(tanon_values)) as tanon_points from {series_rows}
end

step series_faults
    select tanon_id, 1 as tanon_order, 'series_id must be unique, got ' as tanon_fault,
        ' ids that repeat' as tanon_what
    from {series_rows} group by tanon_id having count(*) > 1
    union all
    select
        tanon_id,
        case when tanon_values is null or tanon_values is distinct from list_filter(
            tanon_values, lambda v: coalesce(isfinite(v), false)) then 2
        when len(tanon_values) <> tanon_points then 3
        when tanon_points < 2 then 4 else 5 end as tanon_order,
        case tanon_order
            when 2 then 'series must be free of NULL, NaN and infinity, got '
            when 3 then 'series must be of one length (' || tanon_points || ' readings), got '
            when 4 then 'series must be at least 2 readings, got '
            else 'series must be at most 16384 readings, got ' end,
        case tanon_order when 2 then ' series that are not'
            when 3 then ' of other lengths' when 4 then ' shorter series'
            else ' of ' || tanon_points end
    from {series_rows}, {series_length}
    where tanon_values is null or tanon_points not between 2 and 16384
        or len(tanon_values) <> tanon_points
        or not list_bool_and(list_transform(
            tanon_values, lambda v: coalesce(isfinite(v), false)))
end

guard series_are_fine on series_rows
    select any_value(tanon_fault) || count(*) || any_value(tanon_what)
        || ': ' || array_to_string(
            list(tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
        || case when count(*) > 5 then ', ...' else '' end
        || case when min(tanon_order) = 1
            then '; tanon.series_from_rows makes one series of several rows' else '' end
    from {series_faults}
    where tanon_order = (select min(tanon_order) from {series_faults})
    having count(*) > 0
end
