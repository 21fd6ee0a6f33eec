-- The rows of the source as they were moved: each with its published snapshot, NULL if suppressed.
-- Only rows of groups that split get a place, and places are drawn; whole groups go one way.
-- Yields: moved_rows
-- Reads: flows, flows_are_right, stream_values
-- Takes: source, ts, sa, granularity, secret, keep, for_owner

-- How many of the records of a snapshot and value go where; most of them are share 0.
step shares materialized
    select
        tanon_sa, tanon_value, tanon_home, tanon_records, tanon_loss,
        tanon._snapshot_start((select any_value({ts}) from {source}), tanon_slot, {granularity})
            as tanon_published,
        tanon_slot - tanon_home as tanon_distance,
        tanon_group, tanon_share, tanon_shares
    from {flows} join {stream_values} using (tanon_value)
    where {checked flows_are_right}
end

-- Whole groups go one way; of the others each row gets a place.
step placed_groups materialized
    select
        tanon_group, tanon_home, tanon_sa, tanon_value::integer as tanon_value,
        tanon_shares = 1 as tanon_whole, tanon_published, tanon_distance, tanon_loss
    from {shares}
    where tanon_share = 0
end

step placed_rows not materialized
    select
        {if for_owner} tanon_row.* {else} {tanon_row.ts}, {tanon_row.sa} {,tanon_row.keep} {end},
        tanon_group::integer as tanon_group, tanon_whole, tanon_value, tanon_published,
        tanon_distance, tanon_loss
    from {source} as tanon_row join {placed_groups}
        on tanon._snapshot({tanon_row.ts}, {granularity}) = tanon_home
        and {tanon_row.sa} is not distinct from tanon_sa
end

step key_of_places materialized
    select tanon._key({secret}, {function}, list(column_type order by column_type)) as tanon_key
    from {source:columns}
    where tanon._is_named(folded, list_concat([{ts:text}, {sa:text}], {keep:text}))
end

-- Who does not go the way of most, by place; who has which place anybody may know.
step drawn_places materialized
    select unnest(tanon_draw_places(
        (select tanon_key from {key_of_places}),
        list({
            'name': concat(tanon_home, ' ', tanon_sa::varchar), 'tanon_group': tanon_group,
            'share': tanon_share, 'records': tanon_records
        })
    ), recursive := true)
    from {shares}
    where tanon_shares > 1
end

guard places_are_right on drawn_places
    select 'as many rows must move as were planned, got others: nothing is returned'
    from (
        select tanon_group, tanon_share, tanon_records from {shares} where tanon_share > 0
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

-- A place is found by what is declared, so that equal rows stand for each other; the owner's view
-- tells them apart by all columns. The value is one in a group but for its spelling, and a text is
-- slow to sort by: it comes last.
step rows_with_places
    select *, row_number() over (
        partition by tanon_group
        order by
            {for k in tanon._list(keep) joined by ''} tanon._order_key({k:name}), {end}
            tanon._order_key({sa})
            {if for_owner}
            , row(*columns(* exclude (
                tanon_group, tanon_whole, tanon_value, tanon_published, tanon_distance, tanon_loss
            )))::varchar
            {end}
    ) as tanon_place
    from {placed_rows}
    where not tanon_whole
end

step moved_rows
    select
        * exclude (
            tanon_group, tanon_whole, {if for_owner} tanon_value, {end}
            tanon_published, tanon_distance, tanon_loss
        ),
        tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
    from {placed_rows}
    where tanon_whole
    union all
    select
        tanon_row.* exclude (
            tanon_group, tanon_whole, {if for_owner} tanon_value, {end}
            tanon_published, tanon_distance, tanon_loss, tanon_place
        ),
        tanon_s.tanon_published, tanon_s.tanon_distance, tanon_s.tanon_loss
    from {rows_with_places} as tanon_row left join {drawn_places} as tanon_d
        on tanon_row.tanon_group = tanon_d.tanon_group
        and tanon_row.tanon_place = tanon_d.tanon_place
    join {shares} as tanon_s
        on tanon_row.tanon_group = tanon_s.tanon_group
        and coalesce(tanon_d.tanon_share, 0) = tanon_s.tanon_share
    where {checked places_are_right}
end
