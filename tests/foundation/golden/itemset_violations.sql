with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "published")
    union all by name select null as "itemset", null as "support" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.itemset_violations: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_release, (values
                (0, 'itemset', 'itemset', 'tanon.itemset_violations: itemset must be a list column of release', '.*\[\d*\]', ''),
                (1000000, 'support', 'support',
                    'tanon.itemset_violations: support must be an integer column of release', 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.itemset_violations: itemset must be free of NULL, got ' || count(*) || ' rows with NULL in itemset'
        from tanon_given_release where "itemset" is null
        having count(*) > 0),
        (select 'tanon.itemset_violations: support must be free of NULL, got ' || count(*) || ' rows with NULL in support'
        from tanon_given_release where "support" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- sql/steps/itemsets/collection.sql
tanon_listed_sets as materialized (
    select
        row_number() over () as tanon_set, "itemset" as tanon_itemset,
        try_cast("support"::varchar as bigint) as tanon_support
    from tanon_release
),
-- sql/steps/itemsets/collection.sql
tanon_mentions as (
    select tanon_set, tanon_item
    from (
        select tanon_set, tanon_itemset as tanon_part, tanon_part as tanon_item
        from (
            select tanon_set, tanon_itemset, unnest([tanon_itemset], max_depth := 2) as tanon_part
            from tanon_listed_sets
        )
    )
),
-- sql/steps/itemsets/items.sql
tanon_items as materialized (
    select tanon_item, row_number() over (order by tanon_item asc nulls last) as tanon_code
    from (
        select arg_min(tanon_item, encode(tanon._value_text(tanon_item))) as tanon_item
        from tanon_mentions as tanon_m
        group by tanon_m.tanon_item
    )
),
-- sql/steps/itemsets/items.sql
tanon_dictionary as (
    select
        list(tanon_item order by tanon_code asc nulls last) as tanon_values,
        list(tanon._value_text(tanon_item) order by tanon_code asc nulls last) as tanon_texts
    from tanon_items
),
-- sql/steps/itemsets/collection.sql
tanon_listed_items_are_there as (
select coalesce(error('tanon.itemset_violations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'itemset must be free of NULL, got ' || count(*) || ' NULL in lists'
    from tanon_mentions
    where tanon_item is null
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/itemsets/collection.sql
tanon_listed_codes as (
    select tanon_set, list(tanon_code::integer) as tanon_codes
    from tanon_mentions join tanon_items using (tanon_item)
    where (select tanon_fine from tanon_listed_items_are_there)
    group by tanon_set
),
-- sql/steps/itemsets/collection.sql
tanon_supports_are_counts as (
select coalesce(error('tanon.itemset_violations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'support must be at most 9223372036854775807, got ' || count(*) || ' rows with more'
    from tanon_listed_sets
    where tanon_support is null
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/itemsets/collection.sql
tanon_encoded_collection as (
    select {
        'function': 'tanon.itemset_violations',
        'sets': list({'codes': coalesce(tanon_codes, []), 'support': tanon_support}),
        'texts': (select tanon_texts from tanon_dictionary)
    } as tanon_collection
    from tanon_listed_sets left join tanon_listed_codes using (tanon_set)
    where (select tanon_fine from tanon_supports_are_counts)
),
-- sql/steps/itemsets/channels.sql
tanon_channels_read as (
    select unnest(tanon._answer("_tanon_read_channels"(tanon_collection, 5::bigint, false)))
        as tanon_channel
    from tanon_encoded_collection
)
-- sql/functions/itemsets/itemset_violations.sql
select
    coalesce(list_select(tanon_values, tanon_channel['base']), []) as base,
    coalesce(list_select(tanon_values, tanon_channel['top']), []) as top,
    tanon_channel['frequency'] as frequency
from tanon_channels_read, tanon_dictionary
