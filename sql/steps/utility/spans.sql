-- From when to when the granules of a release are; * is all of them. The function says what
-- `granules_met` are.
-- Yields: spans
-- Reads: granules_met
-- Takes: ts

step spans materialized
    select *, row_number() over (
        order by tanon_starts asc nulls last, tanon_label asc nulls last
    ) - 1 as tanon_span
    from (
        from {granules_met}
        {if ts is not null}
        union all
        select '*', min(tanon_starts), max(tanon_ends) from {granules_met} having count(*) > 0
        {end}
    )
end
