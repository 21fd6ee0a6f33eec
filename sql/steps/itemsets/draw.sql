-- The key that draws how many transactions are imagined, one for a release and its summary.
-- Yields: imagined
-- Reads: items
-- Takes: method, added, secret

step imagined
    select
        {if added = 'drawn' and method = 'additive'}
            tanon._key({secret}, 'tanon.sanitize_itemsets', any_value(typeof(tanon_item)))
        {else}
            any_value(null::blob)
        {end} as tanon_key
    from {items}
end
