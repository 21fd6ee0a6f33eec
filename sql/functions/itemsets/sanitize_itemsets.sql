-- Frequent itemsets with supports that give no pattern of 1 to k - 1 transactions away.
--
-- Methods:
--   additive     adds k imagined transactions for each group of channels, never one that would make
--                another itemset frequent: same itemsets, supports only grow (the default)
--   real_rows    repeats transactions there are: fewer of them, and none that could not exist;
--                but itemsets that were not frequent can become so (they stay unpublished)
--   suppressive  leaves out transactions behind channels until none is open: itemsets get lost
--   paper        as the algorithm was printed, over closed itemsets. It can leave channels open or
--                publish supports that no transactions can have; then this raises an error
--
-- The result is checked (tanon.itemset_violations) before it is returned. Publish itemset and
-- support; original_support is for your eyes. If more than a tenth of the transactions had to be
-- added or left out, a warning says so. What is promised: no channel (tanon.inference_channels).
-- What is not: from the fact that an itemset is not listed, bounds can still be deduced.
--
-- Items can be of any type (a STRUCT comes in a list). An item that a transaction names twice
-- counts once; a transaction with an empty list counts, and holds nothing.
--
-- Cost: tanon.frequent_itemsets, up to twice that for channels and the check, and some ten
-- microseconds for each channel to merge: a dense table can have more channels than itemsets.
-- Memory: the pairs of transaction and item, one byte per transaction and
-- frequent pair of items (at most 256 MB at a time), and the result; nothing of this can spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   tid          column not null            which transaction a row belongs to
--   item         column not null            what it holds: one item, or a list of items
--   min_support  count or share             in how many transactions an itemset must be: a count
--                                           such as 20, or with a decimal point a share of all
--   k            integer > 1                how many transactions a pattern must have
--   method       one of 'additive', 'real_rows', 'suppressive', 'paper' = 'additive'  see above
--   max_length   integer >= 0 = NULL        the largest itemsets to look for
-- Checks:
--   min_support  min_support <= 1 or min_support >= k  at least k, because an itemset of fewer
--       transactions would itself be published
-- Result:
--   itemset           list of items  the items, sorted
--   original_support  BIGINT         how many transactions hold all of them
--   support           BIGINT         what may be published
-- Example:
--   from tanon.sanitize_itemsets('visits', tid := 'patient', item := 'diagnosis',
--       min_support := 8, k := 5)
--   order by all

with {% include "fragments/transactions.sql" %},
tanon_found as (
    select unnest(tanon_sanitize(tanon_transactions, {k}::bigint, {method})) as tanon_itemset
    from tanon_encoded
)
select
    coalesce(list_select(tanon_values, tanon_itemset['codes']), []) as itemset,
    tanon_itemset['original_support'] as original_support,
    tanon_itemset['support'] as support
from tanon_found, tanon_dictionary
