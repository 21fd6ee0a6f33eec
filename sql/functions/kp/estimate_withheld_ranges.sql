-- A customized release with the withheld ranges estimated from the letters that are published.
--
-- A value's letter says that it lies above the values with smaller letters and below those with
-- larger ones, and where it lies between the row's mean and deviation; the published ranges bound
-- both. Each missing range is the exact answer of that linear programme over mean and deviation.
-- If the word is the series' own (Naive and KAPRA as this package publishes them), the true value
-- lies in the range. Where words are shared (own_pattern is false) it need not; where ranges and
-- word contradict each other, consistent is false. A range that nothing bounds is infinite: with
-- few letters (levels 1 and 2) most are. With clip it ends at the position's extent in the release:
-- domain_low and domain_high of tanon.publish_series_parts or, without them, that of the rows that
-- show the position; values of other rows may then lie beyond it.
-- A position that shows neither range nor letter stays NULL.
--
-- Cost: each distinct class is estimated once. Memory: streams.
--
-- Arguments:
--   release     relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   clip        boolean = false  whether to end ranges at the published extent of their position
-- Result:
--   release.*     as in release  the row, ranges filled in, without domain_*
--   range_estimated  BOOLEAN[]         which of the ranges are estimates
--   consistent       BOOLEAN           whether ranges and word agree
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
