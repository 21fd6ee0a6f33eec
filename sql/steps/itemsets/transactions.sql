-- Transactions as rows and codes of items, for the functions in Python. Whose items they are the
-- function says: `mentions` is held_items.
-- Yields: held_items, transactions
-- Reads: dictionary, items, mentions
-- Takes: source, transaction, item, min_support, max_length

-- Unnested to its second level a list gives its items, any other item itself; but a STRUCT falls
-- into its fields, none of them called tanon_part, and so this name means the whole of it.
step held_items
    select tanon_tid, tanon_item
    from (
        select tanon_tid, tanon_whole as tanon_part, tanon_part as tanon_item
        from (
            select
                {transaction} as tanon_tid, {item} as tanon_whole,
                unnest([{item}], max_depth := 2) as tanon_part
            from {source}
        )
    )
end

step tids materialized
    select tanon_tid, row_number() over () - 1 as tanon_row
    from (select distinct {transaction} as tanon_tid from {source})
end

guard fields_have_other_names on transactions
    select 'item must be free of a field called tanon_part, got ' || typeof({item})
    from {source}
    where regexp_matches(typeof({item}), '^STRUCT\(.*\)$')
        and contains(lower(typeof({item})), 'tanon_part')
    limit 1
end

guard items_are_there on transactions
    select 'item must be free of NULL, got ' || count(*) || ' NULL in lists'
    from {mentions}
    where tanon_item is null
    having count(*) > 0
end

step transactions
    select {
        'function': {function},
        'pairs': list({'row': tanon_row::integer, 'code': tanon_code::integer}),
        'n_rows': (select count(*) from {tids}),
        'texts': (select tanon_texts from {dictionary}),
        'min_support': {min_support}::double,
        'is_share': {if regexp_matches(min_support::varchar, '[.e]')}true{else}false{end},
        'max_length': {max_length}::integer
    } as tanon_transactions
    from {mentions} join {items} using (tanon_item) join {tids} using (tanon_tid)
    where {checked fields_have_other_names} and {checked items_are_there}
end
