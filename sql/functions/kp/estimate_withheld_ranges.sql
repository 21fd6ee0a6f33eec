-- Returns a release of parts with estimates of the withheld ranges.
--
-- Use this function on releases of tanon.publish_series_parts. tanon.estimate_withheld_words
-- estimates withheld letters.
--
-- A letter bounds a value relative to the other values of the series and to their mean and
-- deviation. The published ranges bound the mean and the deviation. The function returns the
-- tightest range that follows from all bounds of the row.
--
-- If the word is the word of the series itself, the true value lies in the estimated range. This is
-- the case for the algorithms naive and kapra. With shared words the true value may lie outside. If
-- ranges and word contradict each other, consistent is false. A range without any bound is
-- infinite, which is frequent at levels 1 and 2. With clip it ends at the smallest or largest value
-- of the position in the release, and the true value may lie outside. A position without range and
-- letter stays NULL.
--
-- Cost: one estimate for each distinct class. Memory: constant.
--
-- Arguments:
--   release     relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   clip        boolean = false  whether infinite ranges end at the published extent of the
--       position
-- Result:
--   release.*     as in release  the row with estimated ranges, without domain_low and domain_high
--   range_estimated  BOOLEAN[]         which ranges are estimates
--   consistent       BOOLEAN           whether the ranges and the word agree
-- For: anybody
-- Example:
--   from tanon.estimate_withheld_ranges(
--       '(from tanon.publish_series_parts(''published_incomes'', [1, 2, 3, 4, 5], [3, 4, 5, 6, 7,
--       8],
--           keep := ''charity'', allow_identifying := ''charity''))',
--       clip := true
--   ) order by charity limit 5

piece what
    'ranges'
end

piece earlier_flags
    letter_estimated
end

step extent
    select
        list(l order by position asc nulls last) as lows,
        list(h order by position asc nulls last) as highs
    from (
        select
            position,
            coalesce(min(domain_low[position]), min(low[position])) as l,
            coalesce(max(domain_high[position]), max(high[position])) as h
        from {release_widened}, {release_length},
            unnest(range(1, points + 1)) as positions(position)
        group by position
    )
end

step filled_classes
    select
        tanon_low, tanon_high, tanon_pr, tanon_level,
        tanon_found['estimated'] as range_estimated, tanon_found['consistent'] as consistent,
        {if clip::varchar::boolean}
        list_transform(tanon_found['low'], lambda x, i: case
            when range_estimated[i] then least(greatest(x, lows[i]), coalesce(highs[i], 'inf'))
            else x end) as new_low,
        list_transform(tanon_found['high'], lambda x, i: case
            when range_estimated[i] then greatest(least(x, highs[i]), coalesce(lows[i], '-inf'))
            else x end) as new_high
        {else}
        tanon_found['low'] as new_low, tanon_found['high'] as new_high
        {end}
    from {estimates}, {extent}
end

select columns(lambda c: c not in ('domain_low', 'domain_high'))
from (
    select
        c.* replace (f.new_low as low, f.new_high as high), f.range_estimated, f.consistent
    from {release} as c
    join {filled_classes} as f on
        c.low = tanon_low and c.high = tanon_high and c.word = tanon_pr and c.level = tanon_level
)
