-- The rows as whole numbers, at the granularity that a release would take: values of the
-- quasi-identifiers, respondents, granules, and of every other column a hash of the text of each
-- value. Where no granularity is acceptable it is the one that leaves out the least.
-- Yields: coded, further_columns, groups_at_chosen, members_at_chosen, nearest_granularity,
--     released, rows_at_nearest
-- Reads: judged, least, numbered, rows_at, timed
-- Takes: source, uid, qi, ts, k

step nearest_granularity materialized
    select tanon_name
    from {judged}
    where tanon_reason is null and (tanon_name in (select tanon_name from {least})
        or (select count(*) = 0 from {least}))
    order by case when tanon_acceptable then 0 else tanon_share end, tanon_length, tanon_name
    limit 1
end

use rows_at_nearest = rows_at(chosen = nearest_granularity)

step people materialized
    select tanon_uid, (row_number() over ())::integer as tanon_person
    from (select distinct {uid} as tanon_uid from {timed})
end

step hashed not materialized
    select
        tanon_t, tanon_granule, {tanon_s.uid} as tanon_uid, tanon_v.tanon_value,
        hash(columns(lambda c: c = 'tanon_nothing' or tanon._is_further(
            c, list_concat([{uid:text}, {ts:text}], {qi:text})))::varchar)
    from (select 0 as tanon_nothing, * from {rows_at_nearest}) as tanon_s join {numbered} as tanon_v
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_s.{q:name} is not distinct from tanon_v.{q:name}
        {end}
end

-- Of every further column, in the order of the table, what stands for the value of the row; nothing
-- comes first, as there must be something.
step coded materialized
    select
        tanon_value, tanon_person, tanon_granule, tanon_t,
        list_value(*columns(lambda c: c = 'tanon_nothing' or not starts_with(c, 'tanon_')))
            as tanon_told
    from {hashed} join {people} using (tanon_uid)
end

step members_at_chosen materialized
    select tanon_value, tanon_granule, tanon_person, count(*) as tanon_n
    from {coded}
    group by tanon_value, tanon_granule, tanon_person
end

step groups_at_chosen materialized
    select *, (row_number() over ())::integer as tanon_group
    from (
        select tanon_value, tanon_granule, count(*) as tanon_f, sum(tanon_n)::bigint as tanon_n
        from {members_at_chosen}
        group by tanon_value, tanon_granule
    )
end

step released materialized
    select tanon_group, tanon_person, tanon_c.tanon_value, tanon_told[2:] as tanon_told
    from {coded} as tanon_c join {groups_at_chosen} as tanon_g
        on tanon_c.tanon_value = tanon_g.tanon_value
        and tanon_c.tanon_granule = tanon_g.tanon_granule
    where tanon_f >= {k}
end

step further_columns materialized
    select
        column_name as tanon_column, folded as tanon_folded, column_type as tanon_type,
        (row_number() over ())::integer as tanon_place
    from {source:columns}
    where tanon._is_further(folded, list_concat([{uid:text}, {ts:text}], {qi:text}))
end
