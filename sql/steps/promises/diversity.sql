-- How diverse each sensitive column is among the rows of which the same is known. The function says
-- what `known_rows` are: the rows with tanon_known and tanon_times, how many rows one stands for. A
-- further measure is a further column here, and a row of `told_of_values`.
-- Yields: told_of_limits, told_of_values
-- Reads: group_figures, known_people, known_rows, promised_limits, sensitive_values,
--   shares_of_secrets
-- Takes: sensitive, l, distinct_l, limits, source, owner, respondent

-- Whether sensitive values are within limits wherever the same is known: of respondents, each once
-- for each of their values, or else of rows. The function says what `known_rows` are, and
-- `known_people`: those of the owner's copy.

step values_known not materialized when limits is not null
    select tanon_known, {sensitive} as tanon_sensitive,
        {if owner is null} sum(tanon_times)::bigint {else} count(distinct tanon_whose) {end}
            as tanon_n
    from {if owner is null} {known_rows} {else} {known_people} {end}
    group by tanon_known, {sensitive}
end

step known_numbered materialized when limits is not null
    select tanon_known, row_number() over () as tanon_group
    from {values_known}
    group by tanon_known
end

step counts_known materialized when limits is not null
    select tanon_group, tanon_value, tanon_n
    from {values_known} as tanon_k join {known_numbered} using (tanon_known)
    join {sensitive_values} as tanon_v
        on tanon_k.tanon_sensitive is not distinct from tanon_v.tanon_sensitive
end

step secrets_of_whole not materialized when limits is not null
    select {sensitive} as tanon_sensitive,
        {if owner is null} count(*) {else} count(distinct {respondent}) {end} as tanon_n
    from {source}
    group by {sensitive}
end

use whole_shares = shares_of_secrets(secrets = secrets_of_whole, values = sensitive_values)

step shares_of_whole materialized when limits is not null
    {whole_shares}
end

use figures_known = group_figures(counts = counts_known, shares = shares_of_whole)

step limits_known materialized when limits is not null
    {figures_known}
end

guard values_are_of_source on limits_known
    select 'source must hold all values that sensitive has in release, got one that lacks '
        || count(*)
    from (select distinct tanon_sensitive from {values_known}) as tanon_k
    anti join {sensitive_values} as tanon_v
        on tanon_k.tanon_sensitive is not distinct from tanon_v.tanon_sensitive
    having count(*) > 0
end

use limits_reached = promised_limits(groups = limits_known)

step told_of_limits
    select 7 as place,
        property || {if owner is null} ', in rows' {else} ', of respondents' {end} as property,
        promise, found, holds
    from (
        {limits_reached}
    )
    where {checked values_are_of_source}
end

step diversity materialized
    select null::varchar as tanon_column, null::bigint as tanon_distinct, null::double as tanon_l,
        null::boolean as tanon_is_diverse
    where false
    {for c in tanon._list(sensitive) joined by ''}
    union all
    select {c}, min(tanon_values), min(tanon_size / tanon_level)
        {if l is null}, null {else}
        , bool_and(not tanon._exceeds_share(tanon_level, tanon_size, {l}))
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
