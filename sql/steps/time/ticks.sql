-- Which granule of the calendar covers each time: looked up once for all times of one tick, the
-- widest of day, hour, quarter of an hour and minute at whose multiples all granules of the
-- calendar begin and end.
-- Yields: tick, found
-- Reads: granules, timed
-- Takes: granularities

step tick when len(tanon._of_calendar(granularities)) > 0
    select case
        when coalesce(bool_and(epoch_us(tanon_edge) % 86400000000 = 0), true) then 86400000000
        when bool_and(epoch_us(tanon_edge) % 3600000000 = 0) then 3600000000
        when bool_and(epoch_us(tanon_edge) % 900000000 = 0) then 900000000
        when bool_and(epoch_us(tanon_edge) % 60000000 = 0) then 60000000
        else 1
    end as tanon_width
    from (select unnest([tanon_starts, tanon_ends]) as tanon_edge from {granules})
end

step ticks materialized when len(tanon._of_calendar(granularities)) > 0
    select
        tanon._us_since_year_1(tanon_t) // tanon_width as tanon_tick,
        min(tanon_t) as tanon_first,
        any_value(tanon_is_date) as tanon_is_date
    from {timed}, {tick}
    group by all
end

step found materialized when len(tanon._of_calendar(granularities)) > 0
    select
        tanon_wanted.tanon_name, tanon_tick, tanon_first, tanon_starts,
        tanon._covered(tanon_first, case when tanon_first + case when tanon_is_date
            then interval 1 day else interval 1 microsecond end <= tanon_ends
            then tanon_granule end) as tanon_granule,
        tanon_label
    from (
        select tanon_name, tanon_tick, tanon_first, tanon_is_date
        from {ticks}, (select distinct tanon_name from {granules})
    ) as tanon_wanted
    asof left join {granules} as tanon_g
        on tanon_wanted.tanon_name = tanon_g.tanon_name
        and tanon_first >= tanon_starts
end
