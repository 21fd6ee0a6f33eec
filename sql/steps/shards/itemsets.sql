-- Itemsets of transactions that lie in shards, each of them whole. Frequent items are ranked, the
-- rarest first, and cut into parts; each shard hands every transaction to the parts that it has an
-- item of, from that item on; a part finds the itemsets whose first item is its own. For shards
-- alone; docs/decisions/itemsets-in-shards.md.
-- Yields: items_met, transactions_met, ranked_items, frequent_items, rows_of_parts, sets_of_parts,
--   sets_of_all, collection_of_all, thresholds
-- Reads: dictionary, fields_have_other_names, items_are_there, mentions, partitions, tids
-- Takes: min_support, max_length
-- Merges: sum transactions_met.tanon_transactions

piece sought
    case {function} when 'tanon.closed_itemsets' then 'closed'
        when 'tanon.maximal_itemsets' then 'maximal' else 'frequent' end
end

-- Equal items may be spelt differently in other shards: their counts are added up below.
step items_met
    select
        arg_min(tanon_item, encode(tanon_item::varchar)) as tanon_item,
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
            tanon_minimum_count({min_support}::double, tanon_transactions)
        {else}
            {min_support}::bigint
        {end} as tanon_least,
        {max_length}::integer as tanon_longest
    from {transactions_met}
end

step counted_items
    select
        arg_min(tanon_item, encode(tanon_item::varchar)) as tanon_item,
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
        sum(tanon_rows) over (order by tanon_rank) as tanon_cells
    from (
        select
            tanon_item, tanon_code, tanon_rank,
            count(*) over () - least(16, count(*) over () // 2) as tanon_common,
            tanon_n * (1 + (sum(tanon_n) over () - sum(tanon_n) over (order by tanon_rank))
                / tanon_transactions) as tanon_rows
        from (
            select
                tanon_item, tanon_n, row_number() over (order by tanon_item) as tanon_code,
                (row_number() over (order by tanon_n, tanon_item) - 1)::integer as tanon_rank
            from {counted_items}
        ), {thresholds}
    )
end

step frequent_items
    select tanon_item, tanon_code from {ranked_items}
end

-- The ranks of a transaction, each with its part in the lower half of a number.
step ranked_rows
    select list_sort(list_distinct(list((tanon_rank::bigint << 32) | tanon_part))) as tanon_ranks
    from {mentions} join {ranked_items} using (tanon_item)
    group by tanon_tid
end

step rows_to_parts
    select
        (tanon_ranks[tanon_at] & 4294967295)::integer as tanon_part,
        list_transform(tanon_ranks[tanon_at:], lambda r: (r >> 32)::integer) as tanon_ranks
    from (
        select tanon_ranks, unnest(list_filter(range(1, len(tanon_ranks) + 1), lambda i: i = 1
            or (tanon_ranks[i] & 4294967295) <> (tanon_ranks[i - 1] & 4294967295))) as tanon_at
        from {ranked_rows}
    )
end

-- Many transactions are alike in the most frequent items, and few in the others.
step rows_of_parts
    select tanon_part, tanon_ranks, count(*)::bigint as tanon_copies
    from {rows_to_parts} where tanon_part = 0 group by tanon_part, tanon_ranks
    union all
    select tanon_part, tanon_ranks, 1 from {rows_to_parts} where tanon_part > 0
end

step sets_of_parts
    select tanon_part, unnest(tanon_mine_part({
        'function': {function}, 'sought': {sought}, 'ranks': list(tanon_ranks),
        'copies': list(tanon_copies), 'first': any_value(tanon_first), 'own': any_value(tanon_own),
        'is_common': tanon_part = 0, 'min_count': any_value(tanon_least),
        'max_length': any_value(tanon_longest)
    })) as tanon_set
    from {rows_of_parts} join (
        select tanon_part, min(tanon_rank) as tanon_first, count(*) as tanon_own
        from {ranked_items} group by tanon_part
    ) using (tanon_part), {thresholds}
    group by tanon_part
end

step sets_of_all
    select unnest(tanon_merge_parts({
        'function': {function}, 'sought': {sought},
        'sets': (select list(tanon_set) from {sets_of_parts}),
        'codes': (select list(tanon_code::integer order by tanon_rank) from {ranked_items}),
        'n_rows': tanon_transactions, 'min_count': tanon_least, 'max_length': tanon_longest
    })) as tanon_itemset
    from {thresholds}
end

-- All frequent itemsets as a collection, for what follows from them.
step collection_of_all
    select {
        'function': {function},
        'sets': (select list(tanon_itemset) from {sets_of_all}),
        'texts': (select tanon_texts from {dictionary})
    } as tanon_collection
end
