tanon_sets as materialized (
    select row_number() over () as tanon_set, {itemset} as tanon_itemset, {support} as tanon_support
    from {collection}
),
tanon_members as (
    select tanon_set, unnest(tanon_itemset) as tanon_item from tanon_sets
),
tanon_items as materialized (
    select tanon_item, row_number() over (order by tanon_item) as tanon_code
    from (select distinct tanon_item from tanon_members)
),
tanon_dictionary as (
    select
        list(tanon_item order by tanon_code) as tanon_values,
        list(tanon_item::varchar order by tanon_code) as tanon_texts
    from tanon_items
),
tanon_coded as (
    select tanon_set, list(tanon_code::integer) as tanon_codes
    from tanon_members
    join tanon_items using (tanon_item)
    where coalesce((
        select error({function} || ': itemset must be free of NULL, got ' || count(*)
            || ' NULL in lists')
        from tanon_members
        where tanon_item is null
        having count(*) > 0
    ), true)
    group by tanon_set
),
tanon_encoded as (
    select {
        'function': {function},
        'sets': list({'codes': coalesce(tanon_codes, []), 'support': tanon_support::bigint}),
        'texts': (select tanon_texts from tanon_dictionary)
    } as tanon_collection
    from tanon_sets
    left join tanon_coded using (tanon_set)
)
