-- What the functions of a stream say of the rows of a report, which has checked them itself.
-- Yields: eligibility_before, moved, summed, warned_of_moves
-- Reads: times_can_be_cut
-- Takes: source, respondent, rows_are_persons, repeats, ts, sensitive, l, w, granularity,
--   move_cost, suppress_cost, method,
--   start, lateness, qi, secret

step rows_to_report not materialized
    from {source} where {checked times_can_be_cut}
end

piece settings_of_stream
    '(from tanon_rows_to_report)', respondent := {respondent:text},
        rows_are_persons := {rows_are_persons},
    repeats := {repeats}, ts := {ts:text}, sensitive := {sensitive:text}, l := {tanon._text(l)},
        w := {w},
    granularity := {tanon._text(granularity)}, move_cost := {tanon._text(move_cost)},
    suppress_cost := {tanon._text(suppress_cost)}, method := {method}, start := {start},
        lateness := {lateness},
    secret := {tanon._text(secret)}
end

-- Whoever reads them waits for the checks.
piece once_checked
(select count(*) >= 0 from {rows_to_report})
end

step summed materialized
    from tanon.publish_stream({settings_of_stream}, result := 'summary') where {once_checked}
end

step moved materialized
    from tanon.publish_stream({settings_of_stream}, keep := {qi:text}, for_owner := true)
    where {once_checked}
end

step eligibility_before materialized
    select 'before' as tanon_when, {ts} as tanon_start, records, max_l, eligible
    from tanon.l_eligibility('(from tanon_rows_to_report)', {ts:text}, {sensitive:text},
        {tanon._text(l)},
        {tanon._text(granularity)}, {respondent:text}, {rows_are_persons})
    where {once_checked}
end

step warned_of_moves
    from tanon.publish_stream({settings_of_stream}, result := 'warnings') where {once_checked}
end
