-- What becomes of the groups below k: their rows are left out, or attributes of theirs suppressed.
-- Yields: hidden
-- Reads: groups_below_k, regulars, rows_in_choice
-- Takes: suppression, qi, k, respondent

-- Which attributes are suppressed in the rows of each group below k, so that they look like rows of
-- others and k respondents share what is left; time stays. A group is treated as one. Fewer cells a
-- row are tried first, and of as many those that save the most rows; what is saved is done with,
-- so that a set of attributes that saves nothing need not be looked at again.

-- Groups below k in numbers: values of each attribute, who is in them, how many rows they have.

-- Those with several rows, who may be in several groups; others add up.
step small_members materialized
    select distinct tanon_group, tanon_who
    from {rows_in_choice} as tanon_r join {regulars} on {tanon_r.respondent} = tanon_uid
    join {groups_below_k} as tanon_b
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
end

step small_groups materialized
    select
        {for q in tanon._list(qi) joined by ''}
        (dense_rank() over (order by {q:name} asc nulls first))::integer as {q:name},
        {end}
        tanon_granule, tanon_group, tanon_tuples,
        tanon_frequency - coalesce(tanon_members, 0) as tanon_alone
    from {groups_below_k} left join (
        select tanon_group, count(*) as tanon_members from {small_members} group by tanon_group
    ) using (tanon_group)
end

-- A row without a group knows which sets of attributes are done with.
step hiding recursive
    select tanon_group, null::integer as tanon_mask, null::integer[] as tanon_tried
    from {small_groups}
    union all
    select null, null, []
    union all
    (
        with tanon_state as materialized (from {hiding} where tanon_mask is null),
        tanon_open as materialized (
            select * exclude (tanon_mask, tanon_tried)
            from tanon_state join {small_groups} using (tanon_group)
        ),
        tanon_masks as materialized (
            select tanon_mask
            from (select unnest(range(1, 1 << {tanon._number_of(qi)}))::integer as tanon_mask)
            where not list_contains((select any_value(tanon_tried) from tanon_state), tanon_mask)
            qualify bit_count(tanon_mask) = min(bit_count(tanon_mask)) over ()
        ),
        tanon_shown as materialized (
            select
                {for q in tanon._list(qi) joined by ''}
                case when tanon_mask & {tanon._bit_text(q, qi)} = 0 then {q:name} end as {q:name},
                {end}
                tanon_granule, tanon_mask, tanon_group, tanon_tuples, tanon_alone
            from tanon_open, tanon_masks
        ),
        tanon_classes as materialized (
            select {qi}, tanon_granule, tanon_mask
            from (
                select {qi}, tanon_granule, tanon_mask, sum(tanon_alone) as tanon_f
                from tanon_shown
                group by all
                union all
                select {qi}, tanon_granule, tanon_mask, count(distinct tanon_who)
                from tanon_shown join {small_members} using (tanon_group)
                group by all
            )
            group by all
            having sum(tanon_f) >= {k}
        ),
        tanon_saved as materialized (
            select tanon_group, o.tanon_mask, tanon_tuples
            from tanon_shown as o join tanon_classes as c
                on o.tanon_granule = c.tanon_granule and o.tanon_mask = c.tanon_mask
                {for q in tanon._list(qi) joined by ''}
                and o.{q:name} is not distinct from c.{q:name}
                {end}
        ),
        tanon_best as materialized (
            select tanon_mask from tanon_saved group by tanon_mask
            order by sum(tanon_tuples) desc nulls last, tanon_mask asc nulls last
            limit 1
        )
        select tanon_group, s.tanon_mask, null
        from tanon_open left join (
            from tanon_saved where tanon_mask in (from tanon_best)
        ) as s using (tanon_group)
        where (select count(*) > 0 from tanon_masks)
        union all
        select null, null, list_concat(tanon_tried, (
            select list(tanon_mask)
            from tanon_masks
            where tanon_mask in (from tanon_best)
                or tanon_mask not in (select tanon_mask from tanon_saved)
        ))
        from tanon_state
        where tanon_group is null and (select count(*) > 0 from tanon_masks)
            and (select count(*) > 0 from tanon_open)
    )
end

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
