-- What supports of frequent itemsets reveal about patterns that fewer than k transactions show.
--
-- A channel base -> top: from the supports of the itemsets between base and top anybody can work
-- out how many transactions hold all of the base and nothing else of the top (frequency). It is
-- listed if that number is between 1 and k - 1, and top is a maximal frequent itemset: every other
-- channel asks for less of the same. No rows means that no and/or/not sentence over the items of a
-- frequent itemset is true for 1 to k - 1 transactions. Sentences over the items of others are not
-- looked at. That an itemset is not listed says that its support is below min_support, and the
-- listed ones can leave one number for it: then fewer than k transactions may be known exactly.
--
-- Items can be of any type; a list is several of them. An item that a transaction names twice
-- counts once; a transaction with an empty list counts, and holds nothing. Of equal items spelt
-- differently, such as -0.0 and 0.0, the least text is listed.
--
-- Cost: that of the maximal tanon.frequent_itemsets, and for each of these one grouping of the
-- transactions, or inclusion-exclusion over its subsets where that is less.
-- Memory: the pairs of transaction and item, one byte per transaction and
-- frequent pair of items (at most 256 MB at a time), and the result; nothing of this can spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   transaction   column not null as respondent  which transaction a row belongs to
--   item         column(items) not null     what it holds: one item, or a list of items
--   min_support  count or share             in how many transactions an itemset must be: a count
--                                           such as 20, or with a decimal point a share of all
--   k            integer > 1                how many transactions a pattern must have
--   max_length   integer >= 0 = NULL        the largest itemsets to look for; patterns
--       that follow about larger ones are not looked for
-- Checks:
--   min_support  tanon._at_least(1, min_support) or tanon._at_least(min_support, k)  at least k,
--       because an itemset of fewer
--       transactions would itself be published
-- Result:
--   base       list of items  what the transactions hold
--   top        list of items  base, and what they do not hold
--   frequency  BIGINT         how many transactions these are
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
