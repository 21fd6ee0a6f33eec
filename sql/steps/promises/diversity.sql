-- How diverse each sensitive column is among the rows of which the same is known. The function says
-- what `known_rows` are: the rows with tanon_known and tanon_times, how many rows one stands for. A
-- further measure is a further column here, and a row of `told_of_values`.
-- Yields: told_of_values
-- Reads: known_rows
-- Takes: sensitive, l, distinct_l, limits

step diversity materialized
    select null::varchar as tanon_column, null::bigint as tanon_distinct, null::double as tanon_l,
        null::boolean as tanon_is_diverse
    where false
    {for c in tanon._list(sensitive) joined by ''}
    union all
    select {c}, min(tanon_values), min(tanon_size / tanon_level)
        {if l is null}, null {else}
        , bool_and(tanon_level * tanon._numerator({l}) <= tanon_size * tanon._denominator({l}))
        {end}
    from (
        select count(*) as tanon_values, sum(tanon_n) as tanon_size, max(tanon_n) as tanon_level
        from (
            select tanon_known, sum(tanon_times) as tanon_n
            from {known_rows}
            group by tanon_known, {c:name}
        )
        group by tanon_known
    )
    {end}
end

step told_of_values
    select null::integer as place, null::varchar as property, null::varchar as promise,
        null::varchar as found, null::boolean as holds
    where false
    {if l is not null}
    union all
    select 5, 'l-diversity of ' || tanon_column, 'at least ' || {l},
        tanon._figure(tanon_l), coalesce(tanon_is_diverse, true)
    from {diversity}
    {end}
    {if l is null and distinct_l is null and limits is null}
    union all
    select 6, 'distinct values of ' || tanon_column, 'not promised', tanon._figure(tanon_distinct),
        true
    from {diversity}
    {end}
    {if distinct_l is not null}
    union all
    select 6, 'distinct values of ' || tanon_column, 'at least ' || {distinct_l},
        tanon._figure(tanon_distinct), coalesce(tanon_distinct >= {distinct_l}, true)
    from {diversity}
    {end}
end
