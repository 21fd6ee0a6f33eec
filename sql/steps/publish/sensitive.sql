-- Which sensitive columns leave without limits: those of keep that are declared sensitive, or named
-- as such, and that no limits look at.
-- Yields: sensitive_is_limited, sensitive_without_limits
-- Reads: held_roles
-- Takes: source, keep, sensitive, limits, without_limits

step sensitive_without_limits
    {if len(tanon._list(keep)) = 0}
    select null::varchar as tanon_column where false
    {else}
    select column_name as tanon_column
    from {source:columns}
    where tanon._is_named(folded, {keep:text})
        {if limits is null}
        and (tanon._is_named(folded, tanon._list({sensitive:text})) or folded in (
        {else}
        and not tanon._is_named(folded, tanon._list({sensitive:text})) and (folded in (
        {end}
            select tanon_role['folded'] from {held_roles} where tanon_role['role'] = 'sensitive'
        ))
    {end}
end

guard sensitive_is_limited
    {if without_limits}
    select '' where false
    {else}
    select 'limits must be given for what keep releases of sensitive columns, got none for '
        || string_agg(tanon_column, ', ' order by tanon_column asc nulls last)
        || '; without_limits := true releases it without limits'
    from {sensitive_without_limits}
    having count(*) > 0
    {end}
end
