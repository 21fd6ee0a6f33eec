{# Unnested to its second level a list gives its items, any other item itself; a STRUCT falls into
   its fields, none of them called tanon_item, and so the name means the whole of it. #}
tanon_pairs as (
    select tanon_whole.tanon_tid, tanon_parts.tanon_part as tanon_item
    from (select {tid} as tanon_tid, {item} as tanon_item from {source}) as tanon_whole,
    lateral (
        select tanon_item as tanon_part
        from (select unnest([tanon_whole.tanon_item], max_depth := 2) as tanon_item)
    ) as tanon_parts
),
tanon_items as materialized (
    select tanon_item, row_number() over (order by tanon_item) as tanon_code
{% if spelt_alike is defined %}
    {# Of equal items spelt differently the first spelling, whichever row comes first. #}
    from (
        select arg_min(tanon_item, encode(tanon_item::varchar)) as tanon_item
        from tanon_pairs group by tanon_pairs.tanon_item
    )
{% else %}
    from (select distinct tanon_item from tanon_pairs)
{% endif %}
),
tanon_tids as materialized (
    select tanon_tid, row_number() over () - 1 as tanon_row
    from (select distinct {tid} as tanon_tid from {source})
),
tanon_dictionary as (
    select
        list(tanon_item order by tanon_code) as tanon_values,
        list(tanon_item::varchar order by tanon_code) as tanon_texts
    from tanon_items
),
tanon_encoded as (
    select {
        'function': {function},
        'pairs': list({'row': tanon_row::integer, 'code': tanon_code::integer}),
        'n_rows': (select count(*) from tanon_tids),
        'texts': (select tanon_texts from tanon_dictionary),
        'min_support': {min_support}::double,
        'is_share': {if regexp_matches(min_support::varchar, '[.e]')}true{else}false{end},
        'max_length': {max_length}::integer
    } as tanon_transactions
    from tanon_pairs
    join tanon_items using (tanon_item)
    join tanon_tids using (tanon_tid)
    where coalesce((
        select error({function} || ': item must be free of NULL, got ' || count(*)
            || ' NULL in lists')
        from tanon_pairs
        where tanon_item is null
        having count(*) > 0
    ), true)
)
