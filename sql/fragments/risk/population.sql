tanon_wide_timed as {if tz is null}not {end}materialized (
    select
        {tanon_s.qi}, {tanon_s.uid},
        tanon._clock({function}, {tanon_s.ts}, {tz}) as tanon_t
    from {population} as tanon_s
),
