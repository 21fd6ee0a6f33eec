-- Returns the inference channels that remain in released itemsets.
--
-- No rows means that no pattern over the items of a listed itemset has 1 to k - 1 transactions.
-- tanon.check_itemsets returns one row for each promise instead.
--
-- release must contain the empty itemset, whose support is the number of transactions. It must
-- contain every subset of each itemset. With closed := true it may omit a subset that has the same
-- support as a larger itemset. A negative frequency shows that no transactions can have these
-- supports, so the supports were changed. An itemset of fewer than k transactions appears as both
-- base and top.
--
-- The function does not examine itemsets that release does not list. If only one support fits such
-- an itemset, recipients can compute a pattern of fewer than k transactions.
--
-- Cost: 2^items steps for each maximal itemset, which may have at most 24 items. Memory: the
-- itemsets.
--
-- Arguments:
--   release     relation                   the released itemsets
--   k           integer > 1                the fewest transactions that a pattern may have
--   closed      boolean = false            whether release lists only closed itemsets
--   itemset     column(list) not null of release = 'itemset'  the items
--   support  column(integer) not null of release = 'support'  the number of transactions with all
--       items
-- Result:
--   base       list of items  the items that the transactions contain
--   top        list of items  base and the items that the transactions do not contain
--   frequency  BIGINT         the number of such transactions
-- For: anybody
-- Holds: no rows, frequency >= k
-- Example:
--   with published as (
--       from tanon.publish_itemsets('visits', transaction := 'patient', item := 'diagnosis',
--           min_support := 8, k := 5)
--   )
--   from tanon.itemset_violations('published', k := 5)
--   order by all

use mentions = listed_items()
use result = channels_in_items(channels = channels_read)

{result}
