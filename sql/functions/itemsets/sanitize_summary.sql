-- What tanon.sanitize_itemsets would change, in one row.
--
-- The rows that would explain the published supports are mined again, to count the itemsets that
-- are frequent there and were not before (spurious) and those that are no longer (lost).
--
-- Items can be of any type; a list is several of them. An item that a transaction names twice
-- counts once; a transaction with an empty list counts, and holds nothing. Of equal items spelt
-- differently, such as -0.0 and 0.0, the least text stands for all.
--
-- Cost: about twice tanon.sanitize_itemsets.
-- Memory: the pairs of transaction and item, one byte per transaction and
-- frequent pair of items (at most 256 MB at a time), and the result; nothing of this can spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   tid          column not null as respondent  which transaction a row belongs to
--   item         column(items) not null     what it holds: one item, or a list of items
--   min_support  count or share             in how many transactions an itemset must be: a count
--                                           such as 20, or with a decimal point a share of all
--   k            integer > 1                how many transactions a pattern must have
--   method       one of 'additive', 'real_rows', 'suppressive', 'paper' = 'additive'  how
--   max_length   integer >= 0 = NULL        the largest itemsets to look for
--   added        one of 'drawn', 'k' = 'drawn'  how many transactions each group of channels gets
--   secret       secret = NULL              what draws them; NULL: the one that the process holds
-- Checks:
--   min_support  tanon._at_least(1, min_support) or tanon._at_least(min_support, k)  at least k,
--       because an itemset of fewer
--       transactions would itself be published
-- Result:
--   transactions       BIGINT   how many there are
--   rows_added         BIGINT   transactions imagined or repeated
--   rows_removed       BIGINT   transactions left out
--   itemsets           BIGINT   how many are published
--   share_touched      DOUBLE   share of them whose support is not the true one (NULL: no itemsets)
--   mean_change        DOUBLE   mean of |support - original_support| / original_support, or NULL
--   worst_change       DOUBLE   the largest of these, or NULL
--   itemsets_lost      BIGINT   frequent before and not after
--   itemsets_spurious  BIGINT   frequent after and not before (they are not published)
--   warning            VARCHAR  a sentence if more than a tenth of the transactions changed
-- For: the owner
-- Shards:
--   method          refused                  others than 'additive' look at single transactions
--   items_met, transactions_met  by tid      how many have each item, and how many there are
--   ranked_items    decided                  frequent ones, and how they are cut into parts
--   frequent_items as items  decided         what their codes stand for
--   rows_of_parts   left by tid              a transaction goes to each part that it has items of
--   sets_of_parts   by tanon_part of rows_of_parts  itemsets of each part, and their true counts
--   sets_of_all, collection_of_all, summarized_of_all as summarized  decided  put together
-- Example:
--   from tanon.sanitize_summary('visits', tid := 'patient', item := 'diagnosis',
--       min_support := 8, k := 5)

use mentions = held_items()

step summarized
    select tanon._answer(
        tanon_summarize_sanitization(tanon_transactions, {k}::bigint, {method}, tanon_key))
        as tanon_summary
    from {transactions}, {imagined}
end

select unnest(tanon_summary) from {summarized}
