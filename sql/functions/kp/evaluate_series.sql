-- Returns how accurately a release of series answers random queries of its source.
--
-- The result has one row for each kind of query:
--
--   'pattern similarity'  series whose shape is within tolerance of a random series, as
--                         tanon.similar_series finds them.
--   'pattern range'       series with two random differences of normalized values in ranges, as
--                         tanon.correlated_series finds them.
--   'value range'         the number of series in ranges at two random positions, as
--                         tanon.count_series_in_ranges estimates it.
--   'complex'             the number of series that satisfy a similarity and these ranges.
--
-- precision and recall are means over the queries for which they are defined. relative_error is
-- |true - estimated| / true, over the queries with a true count above 0. undefined counts the other
-- queries. The source and the seed determine the queries. Therefore the figures of several releases
-- of one source can be compared.
--
-- Pass the owner's copy of the release, made with for_owner := true, because the function needs
-- series_id. Do not release this copy. To compare settings, use tanon.tune_series.
--
-- Memory: the series, the classes and about 200 MB for the queries.
--
-- Arguments:
--   release  relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the owner's copy
--       of the release
--   source       relation                             the original series
--   series_id    column not null of source and release as respondent  the series
--   series       columns(list, number) not null  a list column, or one column for each position
--   queries      integer in [1, 1000000] = 1000       the number of queries of each kind
--   tolerance    number in [0, 2] = 0.25              the largest distance of a similar series
--   selectivity  number in (0, 1] = 0.05         the approximate share of the series that a range
--       selects
--   seed         integer = 0                          the seed of the random queries
-- Checks:
--   series_id  not tanon._share_a_name(series_id, ['low', 'high', 'word', 'level'])  a column with
--       another name than low, high, word and level, which are columns of the release
-- Result:
--   query                  VARCHAR  the kind of query
--   queries                BIGINT   the number of queries
--   precision              DOUBLE   the share of right series among the returned series
--   recall                 DOUBLE   the share of returned series among the right series
--   relative_error         DOUBLE   the mean relative error of counts
--   median_relative_error  DOUBLE   the median relative error of counts
--   undefined              BIGINT   queries for which a figure is undefined
-- For: the owner
-- Example:
--   from tanon.evaluate_series(
--       '(select name, p.* from incomes join published_incomes as p using (charity))',
--       '(select name, incomes as yearly from incomes)',
--       series_id := 'name', series := 'yearly', queries := 200
--   )

step targets
    select row_number() over () as target, {series_id} as tanon_id, {readings} as tanon_values
    from {source} as s
end

guard ids_match on targets
    select 'release must be made of source, each series_id once, got ' || count(*)
        || ' ids that are not in source or repeat; make it with for_owner := true'
    from (
        select {series_id} as tanon_id, count(*) as times from {release} group by all
    ) as p
    left join (
        select tanon_id, count(*) as known from {targets} group by all
    ) as t using (tanon_id)
    where times > 1 or coalesce(known, 0) <> 1
    having count(*) > 0
end

guard cells_are_whole on targets
    select 'release must have whole ranges and words, got ' || count(*)
        || ' rows with withheld cells; see tanon.estimate_withheld_ranges,'
        || ' tanon.estimate_withheld_words'
    from {release}
    where {checked ids_match} and (
        list_contains(string_split(word, ''), '.')
        or not coalesce(isfinite(list_sum(low) + list_sum(high)), false)
        or len(low) <> list_count(low) or len(high) <> list_count(high)
    )
    having count(*) > 0
end

step answering_classes
    select low, high, word, level, row_number() over (
        order by low asc nulls last, high asc nulls last, word asc nulls last, level asc nulls last
    ) - 1 as class
    from (select distinct low, high, word, level from {release})
    where {checked ids_match} and {checked cells_are_whole} and {checked release_is_whole}
        and {checked targets_fit}
end

step placed_ids
    select {series_id} as tanon_id, class
    from {release} join {answering_classes} using (low, high, word, level)
end

step originals
    select
        list(tanon_values order by tanon_id asc nulls last) as series_lists,
        list(coalesce(class, -1) order by tanon_id asc nulls last) as class_of
    from {targets} left join {placed_ids} using (tanon_id)
end

step listed_classes
    select
        list(low order by class asc nulls last) as lows,
        list(high order by class asc nulls last) as highs,
        list(word order by class asc nulls last) as words,
        list(level order by class asc nulls last) as levels
    from {answering_classes}
end

step scores
    select unnest(tanon._answer(tanon_evaluate_workload(
        series_lists, class_of, lows, highs, words, levels,
        {queries}, {tolerance}, {selectivity}, {seed}
    ))) as score
    from {originals}, {listed_classes}
end

select
    score['kind'] as query, score['queries'] as queries, score['precision'] as precision,
    score['recall'] as recall, score['relative_error'] as relative_error,
    score['median_relative_error'] as median_relative_error, score['undefined'] as undefined
from {scores}
