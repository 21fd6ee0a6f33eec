-- Returns the loss, the risk and the utility of a release of series for each setting.
--
-- Use this function to choose k, p and algorithm of tanon.publish_series. Losses are the figures of
-- tanon.series_loss. Errors are the figures of tanon.evaluate_series, with the same queries for
-- every setting. worst_breach is the largest share of one sensitive value in a class. No adversary
-- who counts rows learns a value with a higher probability. Without sensitive, each series counts
-- as a different value. If a setting is impossible, reason says why.
--
-- Cost: one release and one evaluation for each setting. Memory: as tanon.publish_series. Try a
-- sample of a large table first: '(from readings using sample 20000 rows (reservoir, 1))'.
--
-- Arguments:
--   source      relation                        the original series
--   series_id   column not null as respondent  the series
--   series      columns(list, number) not null  a list column, or one column for each position
--   k           sizes                           the values of k to try
--   p           sizes                           the values of p to try
--   algorithms  texts = ['shared']              the algorithms to try: naive, kapra, kapra_refined
--       and shared
--   sensitive   columns(plain) or none as sensitive = []  the sensitive columns
--   queries     integer in [1, 100000] = 200    the number of random queries of each kind
--   tolerance   number in [0, 2] = 0.25         the largest distance of a similar series
--   seed        integer = 0                     the seed of the random queries
--   secret      secret = NULL                   the secret that decides ties, as in
--       tanon.publish_series
--   scale       one of 'none', 'position', 'series' = 'none'  as in tanon.publish_series
-- Result:
--   algorithm      VARCHAR  the setting: algorithm
--   k              INTEGER  the setting: k
--   p              INTEGER  the setting: p
--   reason         VARCHAR  the reason why the setting is impossible; empty if it is possible
--   records        BIGINT   the number of series in the release
--   suppressed     BIGINT   the number of suppressed series
--   value_loss     DOUBLE   the mean value loss
--   pattern_loss   DOUBLE   the mean pattern loss; 1 means that words say nothing
--   worst_breach   DOUBLE   the largest share of one sensitive value in a class
--   precision      DOUBLE   the precision of queries by similar shape
--   recall         DOUBLE   the recall of queries by similar shape
--   range_error    DOUBLE   the mean relative error of counts by ranges
--   complex_error  DOUBLE   the mean relative error of counts by shape and ranges
--   seconds        DOUBLE   the seconds to find the groups
-- For: the owner
-- Example:
--   from tanon.tune_series(
--       '(select name, incomes as yearly, charity from incomes)', series_id := 'name',
--       series := 'yearly', k := [6, 12], p := [3, 6], algorithms := ['kapra', 'shared']
--   ) order by algorithm, k, p

step series_to_try
    select
        {series_id} as tanon_id, {readings} as tanon_values
        {if len(tanon._list(sensitive)) > 0}
        , dense_rank() over (order by row({sensitive}) asc nulls last) as tanon_secret
        {else} , null::bigint as tanon_secret {end}
    from {source}
end

guard series_have_one_length on series_to_try
    select 'series must be finite values of one length (' || any_value(coalesce(points, 0))
        || '), two or more, got ' || count(*) || ' others'
    from {series_to_try}, (select max(len(tanon_values)) as points from {series_to_try})
    where (
        len(tanon_values) = points and points > 1 and list_bool_and(list_transform(
            tanon_values, lambda v: coalesce(isfinite(v), false)
        ))
    ) is not true
    having count(*) > 0
end

guard ids_are_unique on series_to_try
    select 'series_id must be unique, got ' || count(*) || ' that repeat'
    from (
        select tanon_id from {series_to_try}
        where {checked series_have_one_length}
        group by tanon_id having count(*) > 1
    )
    having count(*) > 0
end

step listed_series
    select
        list(
            tanon_values
            order by
                tanon._keyed(tanon_key, tanon._cell_text(tanon_id)) asc nulls last,
                tanon_id asc nulls last
        ) as series_lists,
        list(
            tanon_secret
            order by
                tanon._keyed(tanon_key, tanon._cell_text(tanon_id)) asc nulls last,
                tanon_id asc nulls last
        ) as secrets
    from {series_to_try}, (
        select tanon._key(
            {secret}, 'tanon.kp_anonymize', any_value(typeof(tanon_id))) as tanon_key
        from {series_to_try}
    )
    where {checked series_have_one_length} and {checked ids_are_unique}
end

step settings
    select unnest(tanon._answer(tanon_try_settings(
        series_lists, {if len(tanon._list(sensitive)) > 0} secrets {else} null {end},
        {k}, {p}, {algorithms}, {queries}, {tolerance}, {seed}, {scale}
    )), recursive := true)
    from {listed_series}
end

from {settings}
