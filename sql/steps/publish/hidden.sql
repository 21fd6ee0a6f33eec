-- What becomes of the groups below k: their rows are left out, or attributes of theirs suppressed.
-- Yields: hidden
-- Reads: groups_below_k, hiding
-- Takes: suppression

-- A mask has a bit for each attribute that is suppressed; it is NULL where the rows are left out.
step hidden materialized
    {if suppression = 'cells'}
    select tanon_b.*, tanon_mask
    from {groups_below_k} as tanon_b left join (
        select tanon_group, tanon_mask from {hiding} where tanon_mask is not null
    ) using (tanon_group)
    {else}
    select *, null::integer as tanon_mask from {groups_below_k}
    {end}
end
