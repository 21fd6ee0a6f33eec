-- What simulated adversaries find in a release, by the three questions of the Article 29 Working
-- Party (WP216): is somebody singled out, can rows of one person be linked, a value be inferred.
-- Each with the same attack on the table as it stands, where it must work, and with what guessing
-- without the release gets right.
-- Yields: attacked
-- Reads: coded, counted_people, further_columns, groups_at_chosen, numbered, released,
--   told_by_column, values_at_levels, values_shown
-- Takes: ts, keep, qi, suppression

-- An adversary has one row of somebody and picks another one at random among those that are equal
-- in some columns. He chooses the columns: the set of at most three by which he is right most
-- often, in the release and in the source each. Sets are made of the columns that link best alone,
-- ten of them, or fewer in large tables; a column whose values nobody has twice is in no set that
-- could be better. Respondents with a single row are counted in each set of equal rows, and not
-- named.

step values_in_source materialized
    select
        tanon_value as tanon_raw,
        [{for q in tanon._list(qi) joined by ', '}
        hash(tanon._value_text({q:name})){end}] as tanon_known
    from {numbered}
end

step values_in_release materialized
    {if suppression = 'cells'}
    select
        tanon_value,
        [
            {for q in tanon._list(qi) joined by ', '}
            hash(case when tanon_hides & {tanon._bit_text(q, qi)} <> 0 then '*'
                else tanon._value_text({q:name}) end)
            {end}
        ] as tanon_known
    from {values_shown} join {values_at_levels} using (tanon_plain)
    where not tanon_is_out
    {else}
    select
        tanon_plain as tanon_value,
        [{for q in tanon._list(qi) joined by ', '}
        hash(tanon._value_text({q:name})){end}] as tanon_known
    from {values_at_levels}
    {end}
end

-- What can be known of a row: its quasi-identifiers, its time, and columns that are kept; in the
-- source all columns.
step linkable_columns materialized
    select
        coalesce(list(tanon_place order by tanon_place asc nulls last)
            filter (where tanon_is_kept), [])
            as tanon_places,
        list_concat({qi:text}, {if ts is null}[]{else}[{ts:text}]{end}) as tanon_first,
        [
            list_concat(tanon_first, coalesce(
                list(tanon_column order by tanon_place asc nulls last)
                    filter (where tanon_is_kept), []
            )),
            list_concat(tanon_first, coalesce(
                list(tanon_column order by tanon_place asc nulls last), []
            ))
        ] as tanon_names
    from (
        select *, tanon._is_named(tanon_folded, {keep:text}) as tanon_is_kept
        from {further_columns}
    )
end

step rows_by_side not materialized
    select
        1 as tanon_side, tanon_person,
        list_concat(
            tanon_known {if ts is not null}, [hash(tanon_granule)]{end},
            list_select(tanon_told, (select tanon_places from {linkable_columns}))
        ) as tanon_known
    from {released} join (select tanon_group, tanon_granule from {groups_at_chosen})
        using (tanon_group)
    join {values_in_release} using (tanon_value)
    union all
    select
        2, tanon_person,
        list_concat(
            tanon_known {if ts is not null}, [hash(tanon_t)]{end}, tanon_told[2:]
        )
    from {coded} join {values_in_source} using (tanon_raw)
end

step linkable materialized
    select
        tanon_side, tanon_known,
        case when count(*) over (partition by tanon_side, tanon_person) > 1
            then tanon_person end as tanon_person
    from {rows_by_side}
end

step linkable_rows materialized
    select
        tanon_side, count(*) as tanon_rows, count(tanon_person) as tanon_targets,
        list_max(list_filter(range(4, 11), lambda c:
            c = 4 or count(*) * (c + c * (c - 1) // 2 + c * (c - 1) * (c - 2) // 6) <= 20000000
        )) as tanon_most
    from {linkable}
    group by tanon_side
end

-- How often he is right with a set of columns; and of how many rows some other one of the same
-- respondent is equal, which no larger set makes more.
step linked_by(sets) materialized
    select
        tanon_side, tanon_set,
        coalesce(sum((tanon_right / greatest(tanon_all - 1, 1) * 1e9)::hugeint), 0) / 1e9
            as tanon_hits,
        coalesce(sum(tanon_reached), 0)::bigint as tanon_reached
    from (
        select
            tanon_side, tanon_set, sum(tanon_n) as tanon_all,
            sum(tanon_n * (tanon_n - 1)) filter (where tanon_person is not null) as tanon_right,
            sum(tanon_n) filter (where tanon_person is not null and tanon_n > 1) as tanon_reached
        from (
            select
                tanon_side, tanon_set, hash(list_select(tanon_known, tanon_set)) as tanon_key,
                tanon_person, count(*) as tanon_n
            from {linkable} join {sets} using (tanon_side)
            group by tanon_side, tanon_set, tanon_key, tanon_person
        )
        group by tanon_side, tanon_set, tanon_key
    )
    group by tanon_side, tanon_set
end

step sets_of_one materialized
    select tanon_side, [unnest(range(1, len(tanon_names[tanon_side]) + 1))] as tanon_set
    from {linkable_columns}, (select unnest([1, 2]) as tanon_side)
end

use linked_by_one = linked_by(sets = sets_of_one)

step columns_to_combine materialized
    select tanon_side, tanon_set[1] as tanon_at
    from {linked_by_one} as o join {linkable_rows} using (tanon_side)
    where tanon_reached > (
        select max(tanon_hits) from {linked_by_one} as b where b.tanon_side = o.tanon_side
    )
    qualify row_number() over (
        partition by tanon_side order by tanon_hits desc nulls last, tanon_at asc nulls last
    ) <= tanon_most
end

step sets_of_more materialized
    select tanon_side, [a.tanon_at, b.tanon_at] as tanon_set
    from {columns_to_combine} as a join {columns_to_combine} as b using (tanon_side)
    where a.tanon_at < b.tanon_at
    union all
    select tanon_side, [a.tanon_at, b.tanon_at, c.tanon_at]
    from {columns_to_combine} as a join {columns_to_combine} as b using (tanon_side)
    join {columns_to_combine} as c using (tanon_side)
    where a.tanon_at < b.tanon_at and b.tanon_at < c.tanon_at
end

use linked_by_more = linked_by(sets = sets_of_more)

step best_links
    select tanon_side, tanon_set, tanon_hits
    from (from {linked_by_one} union all from {linked_by_more})
    qualify row_number() over (
        partition by tanon_side order by
            tanon_hits desc nulls last, len(tanon_set) asc nulls last, tanon_set asc nulls last
    ) = 1
end

step lucky_links
    select
        tanon_side, sum(tanon_n * (tanon_n - 1)) / any_value(tanon_rows - 1) as tanon_lucky
    from (
        select tanon_side, count(*) as tanon_n
        from {linkable}
        where tanon_person is not null
        group by tanon_side, tanon_person
    ) join {linkable_rows} using (tanon_side)
    group by tanon_side
end

step linked materialized
    select
        s.tanon_side, coalesce(tanon_targets, 0) as tanon_targets,
        coalesce(tanon_hits, 0) as tanon_hits, coalesce(tanon_lucky, 0) as tanon_lucky,
        case when tanon_hits > 0 then array_to_string(list_transform(
            tanon_set, lambda p: tanon_names[s.tanon_side][p]
        ), ', ') end as tanon_columns
    from (select unnest([1, 2]) as tanon_side) as s cross join {linkable_columns}
    left join {linkable_rows} using (tanon_side) left join {best_links} using (tanon_side)
    left join {lucky_links} using (tanon_side)
end

step kept_places materialized
    select coalesce(list(tanon_place order by tanon_place asc nulls last), []) as tanon_places
    from {further_columns}
    where tanon._is_named(tanon_folded, {keep:text})
end

step attacked_rows materialized
    select
        tanon_group, tanon_person,
        hash(tanon_value, list_select(tanon_told, (select tanon_places from {kept_places})))
            as tanon_key
    from {released}
end

step found_alone
    select count(distinct tanon_first) as tanon_alone
    from (
        select min(tanon_person) as tanon_first
        from {attacked_rows}
        group by tanon_group, tanon_key
        having min(tanon_person) = max(tanon_person)
    )
end

step source_alone materialized
    select
        count(distinct tanon_first) filter (tanon_first = tanon_last) as tanon_alone,
        count(*) filter (tanon_n = 1) as tanon_alone_rows,
        sum(tanon_n) as tanon_rows
    from (
        select
            count(*) as tanon_n, min(tanon_person) as tanon_first,
            max(tanon_person) as tanon_last
        from {coded}
        group by hash(tanon_raw, tanon_t)
    )
end

step attacked materialized
    select
        1 as tanon_place, 'singling out' as tanon_criterion, null::varchar as tanon_affects,
        'knows quasi-identifiers' {if ts is not null}|| ', time'{end}
            || ' and all that is kept; wants a row that is nobody else''s'
            as tanon_attack,
        tanon_released as tanon_targets, f.tanon_alone::double as tanon_hits,
        0::double as tanon_baseline, s.tanon_alone / nullif(tanon_everybody, 0) as tanon_control
    from {found_alone} as f, {source_alone} as s, {counted_people}
    union all
    select
        2, 'linkability', r.tanon_columns,
        'has one row of somebody and picks another that is equal in up to three columns of choice',
        r.tanon_targets, r.tanon_hits, r.tanon_lucky / nullif(r.tanon_targets, 0),
        s.tanon_hits / nullif(s.tanon_targets, 0)
    from {linked} as r, {linked} as s
    where r.tanon_side = 1 and s.tanon_side = 2
    union all
    select
        3, 'inference', tanon_column,
        'knows quasi-identifiers' {if ts is not null}|| ' and time'{end}
            || ' and guesses the most frequent value of the group',
        coalesce(c.tanon_rows, 0), coalesce(tanon_most, 0)::double, tanon_usual / c.tanon_rows,
        tanon_alone_rows / s.tanon_rows
    from {told_by_column} as c, {source_alone} as s
    where tanon._is_named(tanon_folded, {keep:text})
end
