-- Returns the inference channels that recipients can find in released itemsets.
--
-- The function needs no transactions. For frequent itemsets with exact supports it returns the same
-- channels as tanon.inference_channels. To check a release, use tanon.itemset_violations.
--
-- release must contain the empty itemset, whose support is the number of transactions. It must
-- contain every subset of each itemset. With closed := true it may omit a subset that has the same
-- support as a larger itemset. A negative frequency shows that no transactions can have these
-- supports, so the supports were changed. An itemset of fewer than k transactions appears as both
-- base and top.
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
-- Example:
--   with published as (
--       from tanon.frequent_itemsets('cases', transaction := 'day', item := 'disease',
--           min_support := 10)
--   )
--   from tanon.published_channels('published', k := 5)
--   order by all

use mentions = listed_items()
use result = channels_in_items(channels = channels_read)

{result}
