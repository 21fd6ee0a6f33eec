-- For each set of groups that is known, how many respondents are in all of them. Candidates come
-- from the group of fewest respondents and must be in the next five too, the last one again where
-- there are fewer; sets that begin alike share them. The few that are left are held against the
-- whole set. A condition that needs the candidate keeps DuckDB from looking for others first.
-- Yields: followed_trails
-- Reads: source_members, source_sizes
-- Takes: qi, trail, seed

-- The sets of groups that respondents are in, and what somebody knows of them. Cells number the
-- groups, those of few respondents first. A passage is a trail that goes through a cell, as one
-- number; the price of trails is what it takes to look at all of them.

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
        {if trail is not null}
        -- In how many ways so many cells can be chosen, all of them where there are fewer.
        , sum(coalesce(list_product(list_transform(
            range(1, 1 + least({trail}, len(tanon_cells) - {trail})),
            lambda i: (len(tanon_cells) - i + 1) / i
        )), 1)) as tanon_choices
        {end}
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

step questions materialized
    select *, (row_number() over ())::integer as tanon_question,
        {for i in ['1', '2', '3', '4', '5', '6'] joined by ', '}
        tanon_known[least({i}::integer, len(tanon_known))]::bigint as {i:name}
        {end}
    from (select distinct tanon_known from {known_sets})
end

step in_two materialized
    select "1", "2", tanon_trail
    from (select distinct "1", "2" from {questions}) join {passages} on "1" = tanon_cell
    where ("2" << 32) + tanon_trail in (select tanon_step from {passages})
end

step in_three materialized
    select "1", "2", "3", tanon_trail
    from (select distinct "1", "2", "3" from {questions}) join {in_two} using ("1", "2")
    where ("3" << 32) + tanon_trail in (select tanon_step from {passages})
end

step in_six materialized
    select tanon_question, tanon_trail
    from {questions} join {in_three} using ("1", "2", "3")
    where ("4" << 32) + tanon_trail in (select tanon_step from {passages})
        and ("5" << 32) + tanon_trail in (select tanon_step from {passages})
        and ("6" << 32) + tanon_trail in (select tanon_step from {passages})
end

step answers materialized
    select tanon_known, sum(tanon_n)::bigint as tanon_f
    from {in_six} join {questions} using (tanon_question) join {trails} using (tanon_trail)
    where len(tanon_known) <= 6 or list_has_all(tanon_cells, tanon_known)
    group by tanon_known
end

step counted_answers
    select
        tanon_name, tanon_is_all, bool_or(tanon_is_drawn) as tanon_is_drawn, tanon_of,
        sum(tanon_n)::bigint as tanon_n,
        coalesce(sum(tanon_n) filter (tanon_f < 2), 0)::bigint as tanon_alone,
        coalesce(sum(tanon_n) filter (tanon_f < 5), 0)::bigint as tanon_below_5
    from {known_sets} join {answers} using (tanon_known)
    group by tanon_name, tanon_is_all, tanon_of
end

step followed_trails
    select
        tanon_name, tanon_is_all,
        list_sum(list(
            tanon_alone / tanon_of order by tanon_of asc nulls last
        )) / tanon_all as tanon_alone,
        list_sum(list(
            tanon_below_5 / tanon_of order by tanon_of asc nulls last
        )) / tanon_all as tanon_below_5,
        case when bool_or(tanon_is_drawn) then 0.98 / sqrt(tanon_all) else 0 end as tanon_margin
    from (
        select *, list_sum(list(tanon_n / tanon_of order by tanon_of asc nulls last) over (
            partition by tanon_name, tanon_is_all
        )) as tanon_all
        from {counted_answers}
    )
    group by tanon_name, tanon_is_all, tanon_all
end
