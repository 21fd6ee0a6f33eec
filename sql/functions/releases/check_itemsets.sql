-- Returns one row for each promise of released itemsets, with the figure and whether it holds.
--
-- Recipients can use this function, because it needs only the release and k. For tables, series and
-- pairs of tables use tanon.check_release. The promise is that no pattern of 1 to k - 1
-- transactions over the items of a listed itemset follows from the supports.
-- tanon.itemset_violations lists the violations.
--
-- release must contain the empty itemset and every subset of each itemset. The function does not
-- examine patterns over itemsets that release does not list.
--
-- Cost: the cost of tanon.itemset_violations.
--
-- Arguments:
--   release     relation                   the released itemsets
--   k           integer > 1                the fewest transactions that a pattern may have
--   closed      boolean = false            whether release lists only closed itemsets
--   itemset     column(list) not null of release = 'itemset'  the items
--   support  column(integer) not null of release = 'support'  the number of transactions with all
--       items
-- Result:
--   property  VARCHAR  the promise
--   promise   VARCHAR  the promised figure
--   found     VARCHAR  the figure of the release
--   holds     BOOLEAN  whether the promise holds
-- For: anybody
-- Holds: holds
-- Example:
--   with published as (
--       from tanon.publish_itemsets('visits', transaction := 'patient', item := 'diagnosis',
--           min_support := 8, k := 5)
--   )
--   from tanon.check_itemsets('published', k := 5)

use mentions = listed_items()
use channels_left = channels_in_items(channels = channels_read)

step channels_counted
    select count(*) as tanon_n from ({channels_left})
end

-- What is no number has to bind, so that its check can speak.
step fewest_transactions
    select min(try_cast({support}::varchar as bigint)) as tanon_n from {release}
end

select property, promise, found, holds
from (
    select
        1 as place, 'columns' as property, 'a role for each' as promise,
        coalesce('none for ' || string_agg(
            column_name, ', ' order by column_name asc nulls last
        ), 'one for each')
            as found,
        count(*) = 0 as holds
    from {release:columns}
    where not tanon._is_named(folded, [{itemset:text}, {support:text}])
    union all
    select 2, 'transactions of an itemset', 'at least ' || {k}, tanon._figure(tanon_n),
        coalesce(tanon_n >= {k}, true)
    from {fewest_transactions}
    union all
    select 3, 'patterns of fewer transactions', 'none',
        case when tanon_n = 0 then 'none' else tanon_n::varchar end, tanon_n = 0
    from {channels_counted}
)
order by place asc nulls last
