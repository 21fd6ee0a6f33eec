with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "diagnosis", null as "patient" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.frequent_itemsets: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
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
                from tanon_columns_of_source, (values
                (0, 'patient', 'patient', 'tanon.frequent_itemsets: transaction must be a column of source', '', ''),
                (1000000, 'diagnosis', 'diagnosis', 'tanon.frequent_itemsets: item must be a column of items or of lists of items of source', '.*', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.frequent_itemsets: transaction must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.frequent_itemsets: item must be free of NULL, got ' || count(*) || ' rows with NULL in diagnosis'
        from tanon_given_source where "diagnosis" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/itemsets/transactions.sql
tanon_tids as materialized (
    select tanon_tid, row_number() over () - 1 as tanon_row
    from (select distinct "patient" as tanon_tid from tanon_source)
),
-- sql/steps/itemsets/transactions.sql
tanon_mentions as (
    select tanon_tid, tanon_item
    from (
        select tanon_tid, tanon_whole as tanon_part, tanon_part as tanon_item
        from (
            select
                "patient" as tanon_tid, "diagnosis" as tanon_whole,
                unnest(["diagnosis"], max_depth := 2) as tanon_part
            from tanon_source
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
-- sql/steps/itemsets/transactions.sql
tanon_fields_have_other_names as (
select coalesce(error('tanon.frequent_itemsets' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'item must be free of a field called tanon_part, got ' || typeof("diagnosis")
    from tanon_source
    where regexp_matches(typeof("diagnosis"), '^STRUCT\(.*\)$')
        and contains(lower(typeof("diagnosis")), 'tanon_part')
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/steps/itemsets/transactions.sql
tanon_items_are_there as (
select coalesce(error('tanon.frequent_itemsets' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'item must be free of NULL, got ' || count(*) || ' NULL in lists'
    from tanon_mentions
    where tanon_item is null
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/itemsets/transactions.sql
tanon_transactions as (
    select {
        'function': 'tanon.frequent_itemsets',
        'pairs': list({'row': tanon_row::integer, 'code': tanon_code::integer}),
        'n_rows': (select count(*) from tanon_tids),
        'texts': (select tanon_texts from tanon_dictionary),
        'min_support': 10::double,
        'is_share': false,
        'max_length': NULL::integer
    } as tanon_transactions
    from tanon_mentions join tanon_items using (tanon_item) join tanon_tids using (tanon_tid)
    where (select tanon_fine from tanon_fields_have_other_names) and (select tanon_fine from tanon_items_are_there)
),
-- sql/functions/itemsets/frequent_itemsets.sql
tanon_frequent_sets as (
    select unnest(tanon._answer("_tanon_mine_itemsets"(tanon_transactions, 'closed')))
        as tanon_itemset
    from tanon_transactions
)
-- sql/functions/itemsets/frequent_itemsets.sql
select
    coalesce(list_select(tanon_values, tanon_itemset['codes']), []) as itemset,
    tanon_itemset['support'] as support
from tanon_frequent_sets, tanon_dictionary
