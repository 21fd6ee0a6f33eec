-- How likely an adversary who holds the release links each series to its sensitive value.
--
-- The adversary knows a person's values (all, or those at the known positions), the pattern, or
-- both, and counts: of the published rows that may be the person's, how many carry the person's
-- sensitive value. The rows that may be the person's have ranges that hold the known values, and a
-- word that is the person's at the published level. Who knows both may leave either aside: by_both
-- is the best of values, pattern and both together, so never below by_values. That matters where
-- words are shared, and a row need not be found by its own word. If the release has own_pattern,
-- who knows both reads it too: where it is true the word must fit, where it is false it must not.
-- The probability is 0 where no row is possible, as for a suppressed series; by_pattern also where
-- words are shared and none is the person's own: then the word alone leads nowhere. (k,P)-anonymity
-- promises at most 1/P only while no sensitive value repeats within a class. An adversary who also
-- guesses which sensitive value is likely does better: tanon.series_attack. Several sensitive
-- columns count as one value.
--
-- Cost: one inequality join of the series with the distinct envelopes, not with the rows.
-- Memory: 16 bytes per series and possible envelope; DuckDB spills what does not fit.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   source     relation                       the original series
--   series_id  column not null as respondent  names a series
--   series     columns(list, number) not null  a list column, or one column for each position
--   sensitive  columns(plain) of source and release as sensitive  what the adversary wants to
--       know
--   known      positions = NULL               positions whose values are known (NULL: all)
-- Result:
--   {series_id}                 as in source  the series
--   by_values            DOUBLE        probability for who knows the values
--   by_pattern           DOUBLE        probability for who knows the pattern
--   by_both              DOUBLE        probability for who knows both, and uses what tells most
--   possible_by_values   BIGINT        rows that may be the person's, by values
--   possible_by_pattern  BIGINT        the same by pattern
--   possible_by_both     BIGINT        the same by both
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
