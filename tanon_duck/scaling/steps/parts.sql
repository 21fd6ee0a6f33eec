-- Itemsets of transactions that lie in shards: each shard hands every transaction to the parts that
-- it has an item of, from that item on; a part finds the itemsets whose first item is its own
-- (docs/decisions/itemsets-in-shards.md). For shards alone.
-- Yields: rows_of_parts, sets_of_parts, sets_of_all, closed_of_parts, closed_of_all,
--   maximal_of_parts, maximal_of_all, collection_of_all
-- Reads: dictionary, mentions, ranked_items, thresholds

piece all_of_them
    'frequent'
end

piece closed_ones
    'closed'
end

piece maximal_ones
    'maximal'
end

-- The ranks of a transaction, each with its part in the lower half of a number.
step ranked_rows
    select list_sort(
        list_distinct(list((tanon_rank::bigint << 32) | tanon_part)), 'ASC', 'NULLS LAST'
    ) as tanon_ranks
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

step mined_in_parts(sought)
    select tanon_part, unnest(tanon._answer(tanon_mine_part({
        'function': {function}, 'sought': {sought}, 'ranks': list(tanon_ranks),
        'copies': list(tanon_copies), 'first': any_value(tanon_first), 'own': any_value(tanon_own),
        'is_common': tanon_part = 0, 'min_count': any_value(tanon_least),
        'max_length': any_value(tanon_longest)
    }))) as tanon_set
    from {rows_of_parts} join (
        select tanon_part, min(tanon_rank) as tanon_first, count(*) as tanon_own
        from {ranked_items} group by tanon_part
    ) using (tanon_part), {thresholds}
    group by tanon_part
end

step merged_from_parts(sought, sets)
    select unnest(tanon._answer(tanon_merge_parts({
        'function': {function}, 'sought': {sought},
        'sets': (select list(tanon_set) from {sets}),
        'codes': coalesce(
            (select list(
                tanon_code::integer order by tanon_rank asc nulls last
            ) from {ranked_items}), []
        ),
        'n_rows': tanon_transactions, 'min_count': tanon_least, 'max_length': tanon_longest
    }))) as tanon_itemset
    from {thresholds}
end

use sets_of_parts = mined_in_parts(sought = all_of_them)
use sets_of_all = merged_from_parts(sought = all_of_them, sets = sets_of_parts)
use closed_of_parts = mined_in_parts(sought = closed_ones)
use closed_of_all = merged_from_parts(sought = closed_ones, sets = closed_of_parts)
use maximal_of_parts = mined_in_parts(sought = maximal_ones)
use maximal_of_all = merged_from_parts(sought = maximal_ones, sets = maximal_of_parts)

-- All frequent itemsets as a collection, for what follows from them.
step collection_of_all
    select {
        'function': {function},
        'sets': (select list(tanon_itemset) from {sets_of_all}),
        'texts': (select tanon_texts from {dictionary})
    } as tanon_collection
end
