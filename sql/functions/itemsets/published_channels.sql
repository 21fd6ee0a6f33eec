-- The inference channels that a recipient of itemsets can find, without any transactions.
--
-- For the frequent itemsets of a table these are the channels of tanon.inference_channels.
--
-- The collection must hold the empty itemset, whose support is the number of transactions, and
-- every subset of every itemset; with closed := true, a subset that is not listed has the largest
-- support of the itemsets that contain it. An itemset of fewer than k transactions is listed as
-- base and top. A negative frequency says that no transactions can have these supports: whoever
-- sees it knows that something was changed.
--
-- Cost: inclusion-exclusion over the subsets of every maximal itemset: 2^items for each.
-- Memory: the collection; an itemset may have at most 24 items.
--
-- Arguments:
--   release     relation                   the published itemsets
--   k           integer > 1                how many transactions a pattern must have
--   closed      boolean = false            true if only closed itemsets are listed
--   itemset     column(list) not null of release = 'itemset'  the items
--   support     column(integer) not null of release = 'support'  how many hold all of them
-- Result:
--   base       list of items  what the transactions hold
--   top        list of items  base, and what they do not hold
--   frequency  BIGINT         how many transactions these are
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
