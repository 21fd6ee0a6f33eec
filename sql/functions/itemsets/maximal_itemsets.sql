-- The frequent itemsets that no larger itemset contains.
--
-- Every frequent itemset is a subset of one of them; their supports do not tell its own.
--
-- Items can be of any type; a list is several of them. An item that a transaction names twice
-- counts once; a transaction with an empty list counts, and holds nothing. Of equal items spelt
-- differently, such as -0.0 and 0.0, the least text is listed.
--
-- Cost: bit-parallel, whole levels of itemsets at a time; about linear in the transactions. All
-- closed itemsets are looked at. More than 30 million itemsets, or 300 million to look at, are
-- refused within a second or so where they are surely more, as some random ones show; where that
-- is not sure, near the limits or with few closed of many frequent itemsets, the search goes on.
-- Memory: the pairs of transaction and item, one byte per transaction and
-- frequent pair of items (at most 256 MB at a time), and the result; nothing of this can spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   tid          column not null as respondent  which transaction a row belongs to
--   item         column(items) not null     what it holds: one item, or a list of items
--   min_support  count or share             in how many transactions an itemset must be: a count
--                                           such as 20, or with a decimal point a share of all
--   max_length   integer >= 0 = NULL        the largest itemsets to look for
-- Result:
--   itemset  list of items  the items, sorted
--   support  BIGINT         how many transactions hold all of them
-- For: the owner
-- Shards:
--   items_met, transactions_met  by tid      how many have each item, and how many there are
--   ranked_items    decided                  frequent ones, and how they are cut into parts
--   frequent_items as items  decided         what their codes stand for
--   rows_of_parts   left by tid              a transaction goes to each part that it has items of
--   sets_of_parts   by tanon_part of rows_of_parts  itemsets of each part, and their true counts
--   sets_of_all as maximal_sets  decided  put together
-- Example:
--   from tanon.maximal_itemsets('visits', tid := 'patient', item := 'diagnosis',
--       min_support := 10)
--   order by all

use mentions = held_items()
use result = itemsets_in_items(itemsets = maximal_sets)

step maximal_sets
    select unnest(tanon._answer(tanon_mine_itemsets(tanon_transactions, 'maximal')))
        as tanon_itemset
    from {transactions}
end

{result}
