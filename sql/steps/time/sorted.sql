-- The one sort: each row with the previous time of its respondent among equal quasi-identifiers. A
-- row is the first of its respondent in a granule unless that time lies in the same granule, so
-- that frequencies are sums of firsts, whatever the granularity. Rows of one value stay together,
-- which makes the sums quicker. Where all granularities are measured, times count in beats.
-- Yields: numbered, sorted
-- Reads: timed
-- Takes: source, respondent, qi, ts, granularities

step numbered materialized
    select *, (row_number() over ())::integer as tanon_value
    from (select distinct {qi} from {if ts is null}{source}{else}{timed}{end})
end

step sorted materialized
    select
        tanon_value, tanon_beat,
        case when lag(tanon_uid) over tanon_in_order = tanon_uid
            then lag(tanon_beat) over tanon_in_order end as tanon_previous
    from (
        select
            tanon_value, {tanon_s.respondent} as tanon_uid,
            {tanon._beat_text(granularities)} as tanon_beat
        from {timed} as tanon_s join {numbered} as tanon_v
            on {for q in tanon._list(qi) joined by ' and '}
                tanon_s.{q:name} is not distinct from tanon_v.{q:name}
            {end}
    )
    window tanon_in_order as (
        partition by tanon_value order by tanon_uid asc nulls last, tanon_beat asc nulls last
    )
end
