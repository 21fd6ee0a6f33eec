-- What each combination of k, P and algorithm loses, risks and answers, to choose from.
--
-- One row per setting, tried as tanon.publish_series does it, ties decided by secret: losses as in
-- tanon.series_loss, errors of random queries as in tanon.evaluate_series (all settings get the
-- same queries and tolerance). worst_breach is the largest share of one sensitive value in a class:
-- no adversary who counts rows, whatever of values and pattern is used, learns a value with a
-- higher probability; without sensitive columns each series counts as different. A setting that
-- cannot be tried has a reason and no figures. On a large table, try a sample first: '(from
-- readings using sample 20000 rows (reservoir, 1))'.
--
-- Cost: one release and one evaluation per setting. Memory: as tanon.publish_series.
--
-- Arguments:
--   source      relation                        the original series
--   series_id   column not null as respondent  names a series
--   series      columns(list, number) not null  a list column, or one column for each position
--   k           sizes                           the sizes of k-groups to try
--   p           sizes                           the sizes of P-groups to try
--   algorithms  texts = ['shared']              of naive, kapra, kapra_refined and shared
--   sensitive   columns(plain) or none as sensitive = []  the sensitive values
--   queries     integer in [1, 100000] = 200    random queries of each kind
--   tolerance   number in [0, 2] = 0.25         how far a similar pattern may be
--   seed        integer = 0                     another seed, other queries
--   secret      secret = NULL                   what decides ties, as in tanon.publish_series
--   scale       one of 'none', 'position', 'series' = 'none'  as in tanon.publish_series
-- Result:
--   algorithm      VARCHAR  the setting: how groups are found
--   k              INTEGER  the setting: series that share their ranges
--   p              INTEGER  the setting: series that share their word
--   reason         VARCHAR  why the setting cannot be tried, empty if it was
--   records        BIGINT   series published
--   suppressed     BIGINT   series that could not be published
--   value_loss     DOUBLE   mean width of the published ranges
--   pattern_loss   DOUBLE   mean distance of patterns, 1 means no information
--   worst_breach   DOUBLE   largest share of one sensitive value in a class
--   precision      DOUBLE   of pattern similarity queries
--   recall         DOUBLE   of pattern similarity queries
--   range_error    DOUBLE   mean relative error of range counts
--   complex_error  DOUBLE   mean relative error of counts by pattern and ranges
--   seconds        DOUBLE   time to find the groups
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
