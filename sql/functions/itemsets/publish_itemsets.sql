-- Returns frequent itemsets whose supports reveal no pattern of 1 to k - 1 transactions.
--
-- A pattern says that some items occur in a transaction and some do not. If exact supports reveal
-- that fewer than k transactions have a pattern, the function changes supports. Itemsets are
-- sorted. To see such patterns in the source, use tanon.inference_channels.
--
-- Values of method:
--
--   'additive'     adds artificial transactions for each group of channels. The release has the
--                  same itemsets, and supports only grow.
--   'real_rows'    repeats existing transactions. It adds fewer transactions and none that cannot
--                  occur. Other itemsets can become frequent, but the release omits them.
--   'suppressive'  suppresses transactions until no channel remains. The release loses itemsets.
--   'paper'        the published algorithm over closed itemsets. It raises an error if channels
--                  remain or if no transactions can have the supports.
--
-- result := 'summary' returns one row with the changes, for the owner. It costs about twice as
-- much.
--
-- padding := 'drawn' adds a random number from k to 2 k of transactions for each group of channels.
-- The secret decides the number. If a group closes a channel with the published frequency f, all
-- true counts from f - 2 k to f - k remain possible. padding := 'k' adds k each time and changes
-- supports less. However, an adversary who knows k then computes the true count.
--
-- The function refuses a min_support below k. It checks the release with tanon.itemset_violations
-- before it returns rows. It warns if more than a tenth of the transactions change.
--
-- The release does not protect against these:
--
--   Unlisted itemsets    if only one support fits an itemset that is not listed, recipients can
--                        compute a pattern of fewer than k transactions. This is common with
--                        max_length.
--   Known totals         an adversary who knows the number of transactions knows the number of
--                        added ones. With a single group of channels the true counts follow.
--   Impossible patterns  an adversary who knows that a pattern cannot occur counts the added
--                        transactions in it. Use 'real_rows' for such data.
--   Several releases     two releases of one table, or of a growing table, can be compared. A
--                        support that rises by one reveals the items of one new transaction.
--
-- Items can have any type. A list is several items. A transaction that names an item twice counts
-- once. A transaction with an empty list counts and has no items. If equal items have different
-- spellings, such as -0.0 and 0.0, the result has the smallest text.
--
-- Cost: up to three times the cost of tanon.frequent_itemsets, and about ten microseconds for each
-- channel. A dense table can have more channels than itemsets. Memory: the pairs of transaction and
-- item, one byte for each transaction and frequent pair of items with at most 256 MB at a time, and
-- the result. This memory cannot spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   transaction   column not null as respondent  the transaction of the row
--   item         column(items) not null     one item, or a list of items
--   min_support  count or share             the fewest transactions with the itemset: a count such
--       as 20, or a share such as 0.05
--   k            integer > 1                the fewest transactions that a pattern may have
--   method  one of 'additive', 'real_rows', 'suppressive', 'paper' = 'additive'  how the function
--       closes inference channels
--   max_length   integer >= 0 = NULL        the size of the largest itemsets; the function does not
--       look for patterns of larger itemsets
--   padding      one of 'drawn', 'k' = 'drawn'  the number of transactions added for each group of
--       channels: random from k to 2 k, or k
--   for_owner    boolean = false            whether to add original_support, for the owner
--   secret       secret = NULL              the secret for random choices; NULL: the secret of the
--       process
--   result       one of 'release', 'summary' = 'release'  the release, or a summary of the changes
-- Checks:
--   min_support  tanon._at_least(1, min_support) or tanon._at_least(min_support, k)  at least k,
--       because the result would otherwise contain itemsets of fewer than k transactions
-- Result:
--   itemset           list of items  the items, sorted; VARCHAR instead of ENUM or JSON
--   support           BIGINT         the released support
--   original_support  BIGINT         (with for_owner) the true number of transactions with all
--       items
-- For: others
-- Promises: check_itemsets(k := $k, closed := $method = 'paper')
-- Result summary:
--   transactions       BIGINT   the number of transactions in the source
--   rows_added         BIGINT   the number of added transactions
--   rows_removed       BIGINT   the number of suppressed transactions
--   itemsets           BIGINT   the number of released itemsets
--   share_touched      DOUBLE   the share of itemsets with a changed support; NULL without itemsets
--   mean_change        DOUBLE   the mean of |support - original_support| / original_support, or
--       NULL
--   worst_change       DOUBLE   the largest |support - original_support| / original_support, or
--       NULL
--   itemsets_lost      BIGINT   itemsets that are frequent in the source but not after the changes
--   itemsets_spurious  BIGINT   unpublished itemsets that are frequent only after the changes
--   warning            VARCHAR  a sentence if more than a tenth of the transactions changed
-- For: the owner
-- Example:
--   from tanon.publish_itemsets('visits', transaction := 'patient', item := 'diagnosis',
--       min_support := 8, k := 5)
--   order by all

-- The key that draws how many transactions are imagined, one for a release and its summary.

step imagined
    select
        {if padding = 'drawn' and method = 'additive'}
            tanon._key({secret}, 'tanon.sanitize_itemsets', any_value(typeof(tanon_item)))
        {else}
            any_value(null::blob)
        {end} as tanon_key
    from {items}
end

use mentions = held_items()

step sanitized
    select unnest(tanon._answer(
        tanon_sanitize(tanon_transactions, {k}::bigint, {method}, tanon_key)))
        as tanon_itemset
    from {transactions}, {imagined}
end

step summarized
    select tanon._answer(
        tanon_summarize_sanitization(tanon_transactions, {k}::bigint, {method}, tanon_key))
        as tanon_summary
    from {transactions}, {imagined}
end

{if result = 'summary'}
select unnest(tanon_summary) from {summarized}
{else}
select
    tanon._without_labels(
        coalesce(list_select(tanon_values, tanon_itemset['codes']), [])) as itemset,
    tanon_itemset['support'] as support
    {if for_owner}, tanon_itemset['original_support'] as original_support{end}
from {sanitized}, {dictionary}
order by all asc nulls last
{end}
