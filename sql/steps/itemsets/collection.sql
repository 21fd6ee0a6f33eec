-- A collection of itemsets as codes of items, for the functions in Python. Whose items they are
-- the function says: `mentions` is listed_items.
-- Yields: listed_items, encoded_collection
-- Reads: dictionary, items, mentions
-- Takes: collection, itemset, support

step listed_sets materialized
    select row_number() over () as tanon_set, {itemset} as tanon_itemset, {support} as tanon_support
    from {collection}
end

step listed_items
    select tanon_set, unnest(tanon_itemset) as tanon_item from {listed_sets}
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

step encoded_collection
    select {
        'function': {function},
        'sets': list({'codes': coalesce(tanon_codes, []), 'support': tanon_support::bigint}),
        'texts': (select tanon_texts from {dictionary})
    } as tanon_collection
    from {listed_sets} left join {listed_codes} using (tanon_set)
end
