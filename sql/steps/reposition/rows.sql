-- The rows of the source as they were moved: each with its published snapshot, NULL if suppressed.
-- Only rows of groups that split get a place, and places are drawn; whole groups go one way.
-- Yields: moved_rows
-- Reads: cells_of_persons, decided_cells, flows, flows_are_right, repeated_cells, spellings,
--   stream_values
-- Takes: source, respondent, ts, sensitive, granularity, repeats, keep, for_owner, secret

-- Which rows of a group that splits do not go the way of most, by place; who has which place
-- anybody may know. Drawn by the secret, and checked.

step key_of_places materialized
    select tanon._key({secret}, 'tanon.reposition', list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from {source:columns}
    where tanon._is_named(folded, list_concat([{ts:text}, {sensitive:text}], {keep:text}))
end

step drawn_places materialized
    select unnest(tanon._answer(tanon_draw_places(
        (select tanon_key from {key_of_places}),
        list({
            'name': concat(tanon_home, ' ', tanon._cell_text(tanon_sa)), 'tanon_group': tanon_group,
            'share': tanon_share, 'records': tanon_records
        })
    )), recursive := true)
    from {flows} join {stream_values} using (tanon_value)
    where tanon_shares > 1 and {checked flows_are_right}
end

guard places_are_right on drawn_places
    select 'as many rows must move as were planned, got others: nothing is returned'
    from (
        select tanon_group, tanon_share, tanon_records
        from {flows}
        where tanon_share > 0
        union all
        select tanon_group, tanon_share, -count(*)
        from {drawn_places}
        group by tanon_group, tanon_share
        union all
        select tanon_group, -1, count(*) - count(distinct tanon_place)
        from {drawn_places}
        group by tanon_group
    )
    group by tanon_group, tanon_share
    having sum(tanon_records) <> 0
    limit 1
end

-- Where the records of a snapshot and value go, for each way to write it; most go by share 0. Rows
-- leave in the order of tanon_cell: numbers sort faster than texts, and one faster than two.
step ways materialized
    select
        tanon_c.tanon_home, tanon_c.tanon_spelling, tanon_number::integer as tanon_number,
        tanon_group::integer as tanon_group, tanon_share, tanon_shares = 1 as tanon_whole,
        tanon._snapshot_start((select any_value({ts}) from {source}), tanon_slot, {granularity})
            as tanon_published,
        tanon_slot - tanon_f.tanon_home as tanon_distance, tanon_loss,
        dense_rank() over (
            order by tanon_slot asc nulls last, tanon_number asc nulls last
        )::integer as tanon_cell
    from {decided_cells} as tanon_c
        join {spellings} as tanon_s
            on tanon_c.tanon_spelling is not distinct from tanon_s.tanon_spelling
        join {flows} as tanon_f
            on tanon_c.tanon_home = tanon_f.tanon_home and tanon_s.tanon_value = tanon_f.tanon_value
    where {checked flows_are_right}
end

-- The rows of persons who have several near each other. Of equal values of a person in a snapshot
-- one is drawn.
step rows_of_persons materialized when repeats = 'one'
    select * exclude (tanon_person, tanon_home, tanon_spelling, tanon_drawn, tanon_turn)
        replace (tanon_is_kept and tanon_turn = 1 as tanon_is_kept)
    from (
        select
            *,
            row_number() over (
                partition by tanon_person, tanon_home, tanon_spelling
                order by tanon_drawn asc nulls last {if for_owner},
                    row(*columns(lambda c: not starts_with(c, 'tanon_')))::varchar
                        asc nulls last {end}
            ) as tanon_turn
        from (
            select
                {if for_owner} tanon_row.*
                {else} {tanon_row.ts}, {tanon_row.sensitive},
                    {tanon_row.respondent} {,tanon_row.keep} {end},
                tanon_cell.* exclude (tanon_records),
                tanon._keyed(tanon._key({secret}, 'tanon.repeats', ''), concat(
                    tanon_home, ' ', {tanon_row.respondent:encoded}, {tanon_row.sensitive:encoded},
                    {tanon_row.keep:encoded}
                )) as tanon_drawn
            from {source} as tanon_row join {repeated_cells} as tanon_cell
                on {tanon_row.respondent} = tanon_person
                and tanon._snapshot({tanon_row.ts}, {granularity}) = tanon_home
                and tanon._order_key({tanon_row.sensitive}) is not distinct from tanon_spelling
        )
    )
end

step decided_rows not materialized
    {if repeats = 'separate'} from {source}
    {else}
    select {if for_owner} tanon_row.* {else} {tanon_row.ts}, {tanon_row.sensitive},
        {tanon_row.respondent}
        {,tanon_row.keep} {end}
    from {source} as tanon_row anti join {cells_of_persons} as tanon_cell
        on {tanon_row.respondent} = tanon_person
        and tanon._snapshot({tanon_row.ts}, {granularity}) = tanon_home
        and tanon._order_key({tanon_row.sensitive}) is not distinct from tanon_spelling
    union all
    select * exclude (tanon_is_kept) from {rows_of_persons} where tanon_is_kept
    {end}
end

step placed_rows not materialized
    select
        {if for_owner} tanon_row.*
        {else} {tanon_row.sensitive} {if respondent is not null},
            {tanon_row.respondent} {end} {,tanon_row.keep} {end},
        tanon_w.* exclude (tanon_home, tanon_spelling, tanon_share)
    from {decided_rows} as tanon_row join {ways} as tanon_w
        on tanon._snapshot({tanon_row.ts}, {granularity}) = tanon_home
        and tanon._order_key({tanon_row.sensitive}) is not distinct from tanon_spelling
    where tanon_share = 0
end

-- A place is found by what is declared, so that equal rows stand for each other; the owner's view
-- tells them apart by all columns.
step rows_with_places
    select
        * exclude (tanon_whole, tanon_published, tanon_distance, tanon_loss, tanon_cell),
        row_number() over (
            partition by tanon_group
            order by
                {for k in tanon._list(keep) joined by ''}
                tanon._order_key({k:name}) asc nulls last,
                {end}
                {if respondent is not null} tanon._order_key({respondent}) asc nulls last, {end}
                tanon_number asc nulls last{if for_owner},
                tanon._cell_text(row(*columns(lambda c: not starts_with(c, 'tanon_'))))
                    asc nulls last{end}
        ) as tanon_place
    from {placed_rows}
    where not tanon_whole
end

step moved_rows
    select
        * exclude (
            tanon_group, tanon_number, tanon_whole, tanon_published, tanon_distance, tanon_loss,
            tanon_cell
        ),
        tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
        {if not for_owner} , tanon_cell {end}
    from {placed_rows}
    where tanon_whole
    union all
    select
        tanon_row.* exclude (tanon_group, tanon_number, tanon_place),
        tanon_w.tanon_published, tanon_w.tanon_distance, tanon_w.tanon_loss
        {if not for_owner} , tanon_w.tanon_cell {end}
    from {rows_with_places} as tanon_row left join {drawn_places} as tanon_d
        on tanon_row.tanon_group = tanon_d.tanon_group
        and tanon_row.tanon_place = tanon_d.tanon_place
    join {ways} as tanon_w
        on tanon_row.tanon_group = tanon_w.tanon_group
        and tanon_row.tanon_number = tanon_w.tanon_number
        and coalesce(tanon_d.tanon_share, 0) = tanon_w.tanon_share
    where {checked places_are_right}
    {if for_owner and repeats = 'one'}
    union all
    select * exclude (tanon_is_kept), null, null, null
    from {rows_of_persons}
    where not tanon_is_kept
    {end}
end
