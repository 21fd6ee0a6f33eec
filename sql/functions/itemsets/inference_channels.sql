-- Returns the inference channels of frequent itemsets: patterns of fewer than k transactions.
--
-- Use this function to see what a release of exact supports would reveal. To release itemsets
-- without channels, use tanon.publish_itemsets. For itemsets without their transactions, use
-- tanon.published_channels.
--
-- A channel has two itemsets, base and top. Recipients can compute from supports how many
-- transactions contain all items of base and no other item of top. The function returns the channel
-- if this frequency is between 1 and k - 1 and top is a maximal frequent itemset. All other
-- channels follow from these.
--
-- No rows means that no pattern over the items of a frequent itemset has 1 to k - 1 transactions.
-- The function does not examine other patterns. An itemset that the result does not list has a
-- support below min_support, and sometimes only one number fits.
--
-- Items can have any type. A list is several items. A transaction that names an item twice counts
-- once. A transaction with an empty list counts and has no items. If equal items have different
-- spellings, such as -0.0 and 0.0, the result has the smallest text.
--
-- Cost: the cost of tanon.frequent_itemsets with 'maximal', and one grouping of the transactions
-- for each maximal itemset. Memory: the pairs of transaction and item, one byte for each
-- transaction and frequent pair of items with at most 256 MB at a time, and the result. This memory
-- cannot spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   transaction   column not null as respondent  the transaction of the row
--   item         column(items) not null     one item, or a list of items
--   min_support  count or share             the fewest transactions with the itemset: a count such
--       as 20, or a share such as 0.05
--   k            integer > 1                the fewest transactions that a pattern may have
--   max_length   integer >= 0 = NULL        the size of the largest itemsets; the function does not
--       look for patterns of larger itemsets
-- Checks:
--   min_support  tanon._at_least(1, min_support) or tanon._at_least(min_support, k)  at least k,
--       because the result would otherwise contain itemsets of fewer than k transactions
-- Result:
--   base       list of items  the items that the transactions contain
--   top        list of items  base and the items that the transactions do not contain
--   frequency  BIGINT         the number of such transactions
-- For: the owner
-- Example:
--   from tanon.inference_channels('cases', transaction := 'day', item := 'disease',
--       min_support := 8, k := 5)
--   order by all

use mentions = held_items()
use result = channels_in_items(channels = channels_found)

step channels_found
    select unnest(tanon._answer(tanon_find_channels(tanon_transactions, {k}::bigint)))
        as tanon_channel
    from {transactions}
end

{result}
