-- Equal rows have equal hashes: as neighbours in an order they would be dealt, or moved, alike,
-- which shows who shares a value. Each copy gets a hash of its own. Hardly any hash comes twice
-- where rows tell people apart, and only those that do are numbered.
-- Yields: hashes_that_repeat, told_apart

-- `rows` have a tanon_hash.
step hashes_that_repeat(rows) materialized
    select tanon_hash from {rows} group by tanon_hash having count(*) > 1
end

-- `key` has the tanon_key of the hashes; `order` says which copy of a row is the first.
step told_apart(rows, repeated, key, order)
    from {rows} anti join {repeated} using (tanon_hash)
    union all
    select * exclude (tanon_copy) replace (
        case when tanon_copy = 1 then tanon_hash else tanon._keyed(
            (select tanon_key from {key}), concat(tanon_copy, ' of ', tanon_hash)
        ) end as tanon_hash)
    from (
        select *, row_number() over (partition by tanon_hash {order}) as tanon_copy
        from {rows} semi join {repeated} using (tanon_hash)
    )
end
