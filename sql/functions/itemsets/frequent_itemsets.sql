-- Returns the sets of items that at least min_support transactions contain.
--
-- The result is for the owner, because supports can reveal patterns of a few transactions. See
-- tanon.inference_channels. To release itemsets, use tanon.publish_itemsets. The empty itemset
-- comes first, and its support is the number of transactions.
--
-- Other values of result return fewer itemsets:
--
--   'closed'   itemsets of which no larger itemset has the same support. The support of any
--              frequent itemset is the largest support of a closed one that contains it. With
--              max_length, every itemset of this size is closed.
--   'maximal'  itemsets that no larger frequent itemset contains. Every frequent itemset is a
--              subset of a maximal one. Their supports do not determine other supports.
--
-- Items can have any type. A list is several items. A transaction that names an item twice counts
-- once. A transaction with an empty list counts and has no items. If equal items have different
-- spellings, such as -0.0 and 0.0, the result has the smallest text.
--
-- The function refuses more than 30 million itemsets, and more than 300 million closed itemsets for
-- 'maximal'.
--
-- Cost: about linear in the number of transactions. Memory: the pairs of transaction and item, one
-- byte for each transaction and frequent pair of items with at most 256 MB at a time, and the
-- result. This memory cannot spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   transaction   column not null as respondent  the transaction of the row
--   item         column(items) not null     one item, or a list of items
--   min_support  count or share             the fewest transactions with the itemset: a count such
--       as 20, or a share such as 0.05
--   max_length   integer >= 0 = NULL        the size of the largest itemsets
--   result  one of 'frequent', 'closed', 'maximal' = 'frequent'  the itemsets that the function
--       returns
-- Result frequent:
--   itemset  list of items  the items, sorted
--   support  BIGINT         the number of transactions with all items
-- For: the owner
-- Result closed:
--   itemset  list of items  the items, sorted
--   support  BIGINT         the number of transactions with all items
-- For: the owner
-- Result maximal:
--   itemset  list of items  the items, sorted
--   support  BIGINT         the number of transactions with all items
-- For: the owner
-- Example:
--   from tanon.frequent_itemsets('visits', transaction := 'patient', item := 'diagnosis',
--       min_support := 10)
--   order by all

use mentions = held_items()
use listed = itemsets_in_items(itemsets = frequent_sets)

step frequent_sets
    select unnest(tanon._answer(tanon_mine_itemsets(tanon_transactions, {result})))
        as tanon_itemset
    from {transactions}
end

{listed}
