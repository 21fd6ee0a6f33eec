-- How well a release answers random queries, against the answers of the original series.
--
-- One row for each kind of query of the (k,P) model. 'pattern similarity': series within the
-- tolerance of a random series' pattern (tanon.similar_series); 'pattern range': two
-- random differences of normalized values in ranges (tanon.correlated_series); precision and
-- recall are averages over the queries with an answer and with a truth. 'value range': counts in
-- ranges at two random positions (tanon.count_series_in_ranges); 'complex': a similarity and these
-- ranges; relative_error is |true - estimated| / true, over the queries whose true count is not 0.
-- undefined counts the queries left out. The tolerance is the same for every release: one that grew
-- with a release's own loss, as in the paper, would reward loss. Which queries are asked depends on
-- the source and the seed only. The release must carry the id (for_owner := true): evaluate
-- that copy, publish another.
--
-- Memory: the series and the classes, and about 200 MB for the queries at work.
--
-- Arguments:
--   release      relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   source       relation                             the original series
--   series_id    column not null of source and release as respondent  names a series
--   series       columns(list, number) not null  a list column, or one column for each position
--   queries      integer in [1, 1000000] = 1000       how many queries of each kind
--   tolerance    number in [0, 2] = 0.25              how far a similar pattern may be
--   selectivity  number in (0, 1] = 0.05         about which share of the series a range selects
--   seed         integer = 0                          another seed, other queries
-- Checks:
--   series_id  not tanon._share_a_name(series_id, ['low', 'high', 'word', 'level'])  a column of
--       none of the names low, high, word, level, which are the release's own
-- Result:
--   query                  VARCHAR  the kind of query
--   queries                BIGINT   how many were asked
--   precision              DOUBLE   right answers among the answers
--   recall                 DOUBLE   right answers among the true ones
--   relative_error         DOUBLE   error of counts, on average
--   median_relative_error  DOUBLE   error of counts, of the middle query
--   undefined              BIGINT   queries without an answer or a truth
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
