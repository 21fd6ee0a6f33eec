-- Frequent items of transactions that lie in shards, each of them whole: ranked, the rarest first,
-- and cut into parts (docs/decisions/itemsets-in-shards.md). For shards alone.
-- Yields: items_met, transactions_met, thresholds, ranked_items, frequent_items
-- Reads: fields_have_other_names, items_are_there, mentions, partitions, tids
-- Takes: min_support, max_length

-- Equal items may be spelt differently in other shards: their counts are added up below.
step items_met
    select
        arg_min(tanon_item, encode(tanon._value_text(tanon_item))) as tanon_item,
        count(distinct tanon_tid)::bigint as tanon_n
    from {mentions} as tanon_m
    where {checked fields_have_other_names} and {checked items_are_there}
    group by tanon_m.tanon_item
end

step transactions_met
    select count(*)::bigint as tanon_transactions from {tids}
end

step thresholds
    select
        tanon_transactions,
        {if regexp_matches(min_support::varchar, '[.e]')}
            tanon._answer(tanon_minimum_count({min_support}::double, tanon_transactions))
        {else}
            {min_support}::bigint
        {end} as tanon_least,
        {max_length}::integer as tanon_longest
    from {transactions_met}
end

step counted_items
    select
        arg_min(tanon_item, encode(tanon._value_text(tanon_item))) as tanon_item,
        sum(tanon_n)::bigint as tanon_n
    from {items_met} as tanon_m, {thresholds}
    group by tanon_m.tanon_item, tanon_least
    having sum(tanon_n) >= tanon_least
end

-- The sixteen most frequent items, or half of fewer, are a part whose subsets are all counted. Of
-- the others a part has about as many as make one of the shards, or eight million items of rows,
-- were items there or not by chance.
step ranked_items
    select
        tanon_item, tanon_code, tanon_rank,
        case when tanon_rank >= tanon_common then 0
        else 1 + (tanon_cells // (
            select least(8e6, ceil(max(tanon_cells) filter (tanon_rank < tanon_common)
                / any_value(tanon_partitions)))
            from {estimated_items}, {partitions}
        ))::integer end as tanon_part
    from {estimated_items}
end

step estimated_items
    select
        * exclude (tanon_rows),
        sum(tanon_rows) over (order by tanon_rank asc nulls last) as tanon_cells
    from (
        select
            tanon_item, tanon_code, tanon_rank,
            count(*) over () - least(16, count(*) over () // 2) as tanon_common,
            tanon_n * (1 + (sum(tanon_n) over () - sum(tanon_n) over (
                order by tanon_rank asc nulls last
            ))
                / tanon_transactions) as tanon_rows
        from (
            select
                tanon_item, tanon_n, row_number() over (
                    order by tanon_item asc nulls last
                ) as tanon_code,
                (row_number() over (
                    order by tanon_n asc nulls last, tanon_item asc nulls last
                ) - 1)::integer as tanon_rank
            from {counted_items}
        ), {thresholds}
    )
end

step frequent_items
    select tanon_item, tanon_code from {ranked_items}
end
