-- The rows with the time that the clock shows.
-- Yields: timed
-- Takes: source, ts, tz

step timed {if tz is null}not {end}materialized
    select
        tanon_s.*, tanon._clock({function}, {tanon_s.ts}, {tz}) as tanon_t,
        typeof({tanon_s.ts}) = 'DATE' as tanon_is_date
    from {source} as tanon_s
end
