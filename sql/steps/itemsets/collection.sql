-- A collection of itemsets as codes of items, for the functions in Python. Whose items they are
-- the function says: `mentions` is listed_items.
-- Yields: listed_items, encoded_collection
-- Reads: dictionary, items, mentions
-- Takes: release, itemset, support

step listed_sets materialized
    select
        row_number() over () as tanon_set, {itemset} as tanon_itemset,
        try_cast({support}::varchar as bigint) as tanon_support
    from {release}
end

-- What is no list has to bind, so that its check can speak: see held_items of transactions.
step listed_items
    select tanon_set, tanon_item
    from (
        select tanon_set, tanon_itemset as tanon_part, tanon_part as tanon_item
        from (
            select tanon_set, tanon_itemset, unnest([tanon_itemset], max_depth := 2) as tanon_part
            from {listed_sets}
        )
    )
end

guard listed_items_are_there on listed_codes
    select 'itemset must be free of NULL, got ' || count(*) || ' NULL in lists'
    from {mentions}
    where tanon_item is null
    having count(*) > 0
end

step listed_codes
    select tanon_set, list(tanon_code::integer) as tanon_codes
    from {mentions} join {items} using (tanon_item)
    where {checked listed_items_are_there}
    group by tanon_set
end

guard supports_are_counts on encoded_collection
    select 'support must be at most 9223372036854775807, got ' || count(*) || ' rows with more'
    from {listed_sets}
    where tanon_support is null
    having count(*) > 0
end

step encoded_collection
    select {
        'function': {function},
        'sets': list({'codes': coalesce(tanon_codes, []), 'support': tanon_support}),
        'texts': (select tanon_texts from {dictionary})
    } as tanon_collection
    from {listed_sets} left join {listed_codes} using (tanon_set)
    where {checked supports_are_counts}
end
