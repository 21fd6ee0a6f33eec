-- What follows from the frequent itemsets of all shards, as one machine has it. For shards alone.
-- Yields: channels_of_all, sanitized_of_all, summarized_of_all
-- Reads: collection_of_all, imagined, thresholds
-- Takes: k

guard k_is_reached on reached
    select 'min_support must be at least k = ' || {k}
        || ' transactions, because an itemset of fewer would itself be published, got '
        || tanon_least
    from {thresholds}
    where tanon_transactions > 0 and tanon_least < {k}
end

step reached
    select tanon_collection, tanon_transactions
    from {collection_of_all}, {thresholds}
    where {checked k_is_reached}
end

step channels_of_all
    select unnest(tanon._answer(tanon_read_channels(tanon_collection, {k}::bigint, false)))
        as tanon_channel
    from {reached}
end

step sanitization_of_all
    select tanon._answer(tanon_sanitize_collection(
        tanon_collection, tanon_transactions, {k}::bigint,
        {function} = 'tanon.publish_itemsets', tanon_key
    )) as tanon_result
    from {reached}, {imagined}
end

step sanitized_of_all
    select unnest(tanon_result['itemsets']) as tanon_itemset from {sanitization_of_all}
end

step summarized_of_all
    select tanon_result['summary'] as tanon_summary from {sanitization_of_all}
end
