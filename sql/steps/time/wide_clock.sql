-- The rows of the population with the time that the clock shows.
-- Yields: wide_timed
-- Takes: population, respondent, qi, ts, tz

step wide_timed {if tz is null}not {end}materialized
    select
        {tanon_s.qi}, {tanon_s.respondent},
        tanon._clock({function}, {tanon_s.ts}, {tz}) as tanon_t
    from {population} as tanon_s
end
