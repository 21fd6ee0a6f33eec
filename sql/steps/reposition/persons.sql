-- Records of one person that could be published in one snapshot, as they lie less than w snapshots
-- apart: without them (repeats 'one'), or with a check that no person has too many.
-- Yields: cells_of_persons, decided_cells, persons_with_several, repeated_cells
-- Reads: counts_published, flows, spelled_cells, spellings, times_can_be_cut
-- Takes: source, respondent, ts, sensitive, l, w, granularity, repeats, secret

step records_by_person when respondent is not null
    select {respondent} as tanon_person, count(*) as tanon_n from {source} group by {respondent}
end

step persons_with_several materialized
    {if respondent is null} select null::bigint as tanon_persons, null::bigint as tanon_records
    {else}
    select count(*) as tanon_persons, coalesce(sum(tanon_n), 0)::bigint as tanon_records
    from {records_by_person}
    where tanon_n > 1
    {end}
end

-- The draw hangs on the person, the snapshot and the value alone, so that every way to publish the
-- same stream keeps the same records.
step cells_of_several when respondent is not null
    select
        tanon_person,
        tanon._snapshot({tanon_row.ts}, {granularity}) as tanon_home,
        tanon._order_key({tanon_row.sensitive}) as tanon_spelling,
        count(*) as tanon_records
        {if repeats = 'one'}
        , min(tanon._keyed(
            tanon._key({secret}, 'tanon.repeats', ''), concat(
                tanon._snapshot({tanon_row.ts}, {granularity}), ' ',
                {tanon_row.respondent:encoded}, {tanon_row.sensitive:encoded})
        )) as tanon_drawn
        {end}
    from {source} as tanon_row join {records_by_person} on {tanon_row.respondent} = tanon_person
    where tanon_n > 1 and {checked times_can_be_cut}
    group by tanon_person, tanon_home, tanon_spelling
end

step cells_of_persons materialized
    {if respondent is null}
    select
        null::bigint as tanon_person, null::bigint as tanon_home, null::varchar as tanon_spelling,
        null::bigint as tanon_records
    where false
    {else}
    select * exclude (tanon_before, tanon_after, tanon_here)
    from (
        select
            *,
            tanon_home - lag(tanon_home) over tanon_in_time as tanon_before,
            lead(tanon_home) over tanon_in_time - tanon_home as tanon_after,
            tanon_records as tanon_here
        from {cells_of_several}
        window tanon_in_time as (
            partition by tanon_person
            order by tanon_home asc nulls last, tanon_spelling asc nulls last
        )
    )
    where tanon_here > 1 or tanon_before < {w} or tanon_after < {w}
    {end}
end

-- Of each person the first snapshot, then the first that is w or more later, and so on.
step homes_kept when repeats = 'one'
    select
        tanon_person,
        unnest(list_reduce(
            list_transform(tanon_homes, lambda tanon_at: [tanon_at]),
            lambda tanon_kept, tanon_next:
                if(tanon_next[1] >= tanon_kept[-1] + {w}, tanon_kept || tanon_next, tanon_kept)
        )) as tanon_home
    from (
        select
            tanon_person,
            list(distinct tanon_home order by tanon_home asc nulls last) as tanon_homes
        from {cells_of_persons}
        group by tanon_person
    )
end

-- What is kept of each cell: one record, or none.
step repeated_cells materialized when repeats = 'one'
    select
        tanon_cell.* exclude (tanon_drawn),
        tanon_homes.tanon_home is not null and row_number() over (
            partition by tanon_cell.tanon_person, tanon_cell.tanon_home
            order by tanon_drawn asc nulls last, tanon_spelling asc nulls last
        ) = 1 as tanon_is_kept
    from {cells_of_persons} as tanon_cell left join {homes_kept} as tanon_homes
        on tanon_cell.tanon_person = tanon_homes.tanon_person
        and tanon_cell.tanon_home = tanon_homes.tanon_home
end

step decided_cells materialized
    {if repeats = 'separate'} from {spelled_cells}
    {else}
    select tanon_c.* replace (
        (tanon_records - coalesce(tanon_repeats, 0))::bigint as tanon_records)
    from {spelled_cells} as tanon_c left join (
        select
            tanon_home, tanon_spelling,
            sum(tanon_records - tanon_is_kept::integer) as tanon_repeats
        from {repeated_cells}
        group by tanon_home, tanon_spelling
    ) as tanon_r on tanon_c.tanon_home = tanon_r.tanon_home
        and tanon_c.tanon_spelling is not distinct from tanon_r.tanon_spelling
    where tanon_records > coalesce(tanon_repeats, 0)
    {end}
end

-- As many records of a person may come together in a published snapshot, whichever of equal
-- records move.
step records_together when respondent is not null
    select tanon_slot, tanon_person, sum(tanon_n) as tanon_n
    from (
        select
            tanon_f.tanon_slot, tanon_p.tanon_person,
            least(sum(tanon_p.tanon_records), any_value(tanon_f.tanon_records)) as tanon_n
        from (
            {if repeats = 'separate'} from {cells_of_persons}
            {else}
            select * replace (1 as tanon_records) from {repeated_cells} where tanon_is_kept
            {end}
        ) as tanon_p join {spellings} as tanon_s
            on tanon_p.tanon_spelling is not distinct from tanon_s.tanon_spelling
        join {flows} as tanon_f
            on tanon_p.tanon_home = tanon_f.tanon_home and tanon_s.tanon_value = tanon_f.tanon_value
        where tanon_slot is not null
        group by tanon_f.tanon_slot, tanon_p.tanon_person, tanon_f.tanon_home, tanon_f.tanon_value
    )
    group by tanon_slot, tanon_person
    having sum(tanon_n) > 1
end

guard persons_are_apart on flows
    {if respondent is null} select null::varchar where false
    {else}
    select 'no person must hold more than one l-th of a published snapshot, got '
        || count(distinct tanon_person) || ' persons who could in ' || count(distinct tanon_slot)
        || ' snapshots: repeats := ''one'' publishes a person once in w snapshots'
    from {records_together} join (
        select tanon_slot, sum(tanon_n) as tanon_size from {counts_published} group by tanon_slot
    ) using (tanon_slot)
    where tanon._exceeds_share(tanon_n, tanon_size, {l})
    having count(*) > 0
    {end}
end
