-- The items that are mentioned, sorted and numbered from 1. Of equal ones spelt differently, such
-- as -0.0 and 0.0 or texts of a collation, the least text stands for all, whichever row comes
-- first. The function says what `mentions` is.
-- Yields: items, dictionary
-- Reads: mentions

step items materialized
    select tanon_item, row_number() over (order by tanon_item asc nulls last) as tanon_code
    from (
        select arg_min(tanon_item, encode(tanon._value_text(tanon_item))) as tanon_item
        from {mentions} as tanon_m
        group by tanon_m.tanon_item
    )
end

step dictionary
    select
        list(tanon_item order by tanon_code asc nulls last) as tanon_values,
        list(tanon._value_text(tanon_item) order by tanon_code asc nulls last) as tanon_texts
    from {items}
end
