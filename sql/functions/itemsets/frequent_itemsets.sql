-- The sets of items that many transactions have in common.
--
-- The empty itemset comes first in size; its support is the number of transactions. Supports of
-- frequent itemsets can reveal what only a few transactions hold: see tanon.inference_channels.
--
--   'closed'   the frequent itemsets that no larger itemset matches in support. They are fewer and
--              say the same: the support of any frequent itemset is the largest support of a
--              closed one that contains it. With max_length, larger itemsets count as not there, so
--              every itemset of exactly that size is closed
--   'maximal'  the frequent itemsets that no larger itemset contains. Every frequent itemset is a
--              subset of one of them; their supports do not give its own
--
-- Items can be of any type; a list is several of them. An item that a transaction names twice
-- counts once; a transaction with an empty list counts, and holds nothing. Of equal items spelt
-- differently, such as -0.0 and 0.0, the least text is listed.
--
-- Cost: bit-parallel, whole levels of itemsets at a time; about linear in the transactions. More
-- than 30 million itemsets are refused: within a second or so where they are surely more, as some
-- random ones show; near the limit, once so many are found. 'closed' finds all frequent itemsets
-- before it refuses where few of them are closed. 'maximal' looks at all closed itemsets, at most
-- at 300 million; where few of many frequent itemsets are closed, the search goes on.
-- Memory: the pairs of transaction and item, one byte per transaction and
-- frequent pair of items (at most 256 MB at a time), and the result; nothing of this can spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   transaction   column not null as respondent  which transaction a row belongs to
--   item         column(items) not null     what it holds: one item, or a list of items
--   min_support  count or share             in how many transactions an itemset must be: a count
--                                           such as 20, or with a decimal point a share of all
--   max_length   integer >= 0 = NULL        the largest itemsets to look for
--   result       one of 'frequent', 'closed', 'maximal' = 'frequent'  which of them are listed
-- Result frequent:
--   itemset  list of items  the items, sorted
--   support  BIGINT         how many transactions hold all of them
-- For: the owner
-- Result closed:
--   itemset  list of items  the items, sorted
--   support  BIGINT         how many transactions hold all of them
-- For: the owner
-- Result maximal:
--   itemset  list of items  the items, sorted
--   support  BIGINT         how many transactions hold all of them
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
