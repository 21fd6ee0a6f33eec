-- The sets of groups that respondents are in, and what somebody knows of them. Cells number the
-- groups, those of few respondents first. A passage is a trail that goes through a cell, as one
-- number; the price of trails is what it takes to look at all of them.
-- Yields: trails, passages, known_sets
-- Reads: source_members, source_sizes
-- Takes: qi, trail, seed

step numbered_groups materialized
    select *, (row_number() over (
        order by
            tanon_f asc nulls last, tanon_name asc nulls last,
            tanon_granule asc nulls last, {qi:ordered}
    ))::integer as tanon_cell
    from {source_sizes}
end

step trails materialized
    select (row_number() over ())::integer as tanon_trail, tanon_name, tanon_cells,
        count(*) as tanon_n
    from (
        select m.tanon_name, list(tanon_cell order by tanon_cell asc nulls last) as tanon_cells
        from {source_members} as m join {numbered_groups} as s
            on m.tanon_name = s.tanon_name and m.tanon_granule = s.tanon_granule
            {for q in tanon._list(qi) joined by ''}
            and m.{q:name} is not distinct from s.{q:name}
            {end}
        group by m.tanon_name, m.tanon_uid
    )
    group by tanon_name, tanon_cells
end

step passages materialized
    select tanon_cell, tanon_trail, (tanon_cell::bigint << 32) + tanon_trail as tanon_step
    from (select unnest(tanon_cells) as tanon_cell, tanon_trail from {trails})
end

step prices_of_trails materialized
    select
        tanon_name, sum(tanon_n)::bigint as tanon_people,
        sum(tanon_through) as tanon_looks
        {if trail is not null}, sum(tanon._choices(len(tanon_cells), {trail})) as tanon_choices{end}
    from {trails} join (
        select tanon_cell, count(*) as tanon_through from {passages} group by tanon_cell
    ) on tanon_cells[1] = tanon_cell
    group by tanon_name
end

-- Respondents in an order that is drawn, where not all can be looked at.
step drawn_trails materialized
    select tanon_name, tanon_cells, tanon_mark, tanon_people, tanon_looks, row_number() over (
        partition by tanon_name order by tanon_mark asc nulls last, tanon_cells asc nulls last
    ) as tanon_rank
    from (
        select *, sha256(concat_ws(' ', {seed}, tanon_cells, tanon_copy)) as tanon_mark
        from (
            select *, unnest(range(tanon_n)) as tanon_copy
            from {trails} join {prices_of_trails} using (tanon_name)
            where tanon_looks > 134217728
                {if trail is not null} or tanon_choices > 100000 {end}
        )
    )
end

-- What is known: all groups of a respondent, or some; how many know it, of how many choices.
step known_sets materialized
    select tanon_name, true as tanon_is_all, false as tanon_is_drawn, tanon_cells as tanon_known,
        tanon_n, 1 as tanon_of
    from {trails} join {prices_of_trails} using (tanon_name)
    where tanon_looks <= 134217728
    union all
    select tanon_name, true, true, tanon_cells, 1, 1
    from {drawn_trails}
    where tanon_looks > 134217728
        and tanon_rank <= greatest(1000, tanon_people * 134217728 / tanon_looks)
    {if trail is not null}
    union all
    from (
        with recursive tanon_grown as (
            select
                tanon_name, tanon_trail, tanon_cells, tanon_n, least({trail}, len(tanon_cells)) as
                tanon_wanted, 0::bigint as tanon_place, []::integer[] as tanon_known
            from {trails} join {prices_of_trails} using (tanon_name)
            where tanon_choices <= 100000
            union all
            select
                tanon_name, tanon_trail, tanon_cells, tanon_n, tanon_wanted, tanon_next,
                list_append(tanon_known, tanon_cells[tanon_next])
            from (
                select *, unnest(range(
                    tanon_place + 1,
                    len(tanon_cells) - (tanon_wanted - len(tanon_known)) + 2
                )) as tanon_next
                from tanon_grown
                where len(tanon_known) < tanon_wanted
            )
        )
        select tanon_name, false, false, tanon_known, tanon_n,
            count(*) over (partition by tanon_trail)
        from tanon_grown
        where len(tanon_known) = tanon_wanted
    )
    union all
    select
        tanon_name, false, true, list_sort(list_transform(list_sort(list_transform(
            tanon_cells, lambda c: (sha256(concat_ws(' ', tanon_mark, tanon_draw, c)), c)
        ), 'ASC', 'NULLS LAST')[:{trail}], lambda d: d[2]), 'ASC', 'NULLS LAST'), 1, 1
    from (
        select *, unnest(range(1 + 9999 // tanon_people)) as tanon_draw
        from {drawn_trails} join {prices_of_trails} using (tanon_name, tanon_people, tanon_looks)
        where tanon_choices > 100000 and tanon_rank <= 10000
    )
    {end}
end
