-- Which rows of a group that splits do not go the way of most, by place; who has which place
-- anybody may know. Drawn by the secret, and checked.
-- Yields: drawn_places, places_are_right
-- Reads: flows, flows_are_right, stream_values
-- Takes: source, ts, sa, secret, keep

step key_of_places materialized
    select tanon._key({secret}, {function}, list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from {source:columns}
    where tanon._is_named(folded, list_concat([{ts:text}, {sa:text}], {keep:text}))
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
