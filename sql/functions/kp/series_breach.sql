-- Returns the probability that an adversary links each series to its sensitive value.
--
-- The adversary knows the readings of a series, its shape, or both. The readings can be limited to
-- the positions of known. The adversary finds the rows that can belong to the series: their ranges
-- contain the readings, and their word is the word of the series. The probability is the share of
-- these rows with the true sensitive value. tanon.series_attack simulates guesses.
--
-- by_both is the best of readings, shape, and both together, so it is never below by_values. With
-- shared words a row can have another word than its series. If release has own_pattern, the
-- adversary uses it too. The probability is 0 if no row can belong to the series, for example if
-- the series is suppressed. Several sensitive columns count as one value.
--
-- (k,P)-anonymity promises at most 1/P only if no sensitive value repeats within a class.
--
-- Cost: one inequality join of the series with the distinct sets of ranges. Memory: 16 bytes for
-- each series and possible set of ranges. DuckDB spills to disk what does not fit in memory.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   source     relation                       the original series
--   series_id  column not null as respondent  the series
--   series     columns(list, number) not null  a list column, or one column for each position
--   sensitive  columns(plain) of source and release as sensitive  the sensitive columns that the
--       adversary wants to know
--   known      positions = NULL               the positions with known readings; NULL: all
--       positions
-- Result:
--   {series_id}                 as in source  the series
--   by_values            DOUBLE        the probability for an adversary who knows the readings
--   by_pattern           DOUBLE        the probability for an adversary who knows the shape
--   by_both              DOUBLE        the probability for an adversary who knows both
--   possible_by_values   BIGINT        the number of rows that match the readings
--   possible_by_pattern  BIGINT        the number of rows that match the shape
--   possible_by_both     BIGINT        the number of rows that match both
-- For: the owner
-- Example:
--   from tanon.series_breach(
--       'published_incomes', '(select name, incomes as yearly, charity from incomes)',
--       series_id := 'name', series := 'yearly', sensitive := 'charity', known := [1, 8]
--   ) order by by_both desc, name limit 5

step targets
    select
        row_number() over () as target, {series_id} as tanon_id, {readings} as tanon_values,
        row({s.sensitive}) as tanon_value
    from {source} as s
end

step known_positions
    select
        {if known is null} range(1, points + 1)::integer[] {else} case
            when list_max({known}) <= points then {known}
            else error(
                {function} || ': known must be positions from 1 to ' || points
                || ', got ' || {known}::varchar
            ) end {end} as tanon_known
    from {points_of_targets}
    where {checked release_is_whole} and {checked targets_fit}
end

step by_values
    select target, sum(rows) as possible, sum(others) as others
    from {inside}
    join (
        select envelope, sum(rows) as rows, sum(others) as others
        from {possible_classes} group by envelope
    ) using (envelope)
    group by target
end

step hits_by_values
    select
        target, sum(rows) as hits, sum(rows) filter (f.pattern is not null) as both,
        sum(rows) filter (tanon_own = (f.pattern is not null)) as told
    from {inside}
    join {coded_cells} using (envelope, secret)
    left join {fitting_patterns} as f using (target, pattern)
    group by target
end

step by_both
    select target, sum(rows) as possible, sum(own - others) as own
    from {inside}
    join {possible_classes} using (envelope)
    semi join {fitting_patterns} using (target, pattern)
    group by target
end

step by_pattern
    select target, sum(c.rows) as possible, sum(o.rows) as hits
    from {fitting_patterns}
    join (
        select pattern, sum(rows) as rows from {possible_classes} group by all
    ) as c using (pattern)
    left join {marked_targets} using (target)
    left join (
        select pattern, secret, sum(rows) as rows from {coded_cells} group by pattern, secret
    ) as o using (pattern, secret)
    group by target
end

select
    tanon_id as {series_id},
    coalesce(h.hits / v.possible, 0) as by_values,
    coalesce(p.hits / p.possible, 0) as by_pattern,
    greatest(
        by_values, by_pattern, coalesce(h.both / b.possible, 0),
        coalesce(h.told / nullif(v.others + coalesce(b.own, 0), 0), 0)
    ) as by_both,
    coalesce(v.possible, 0)::bigint as possible_by_values,
    coalesce(p.possible, 0)::bigint as possible_by_pattern,
    coalesce(b.possible, 0)::bigint as possible_by_both
from {targets}
left join {by_values} as v using (target)
left join {by_pattern} as p using (target)
left join {by_both} as b using (target)
left join {hits_by_values} as h using (target)
