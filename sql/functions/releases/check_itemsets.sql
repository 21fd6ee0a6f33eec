-- What a collection of itemsets promises, what is found in it, and whether it holds.
--
-- For the recipient, who has the collection and nothing else, and for its owner; tables, series and
-- Anatomy are checked by tanon.check_release. No pattern of 1 to k - 1 transactions over the items
-- of a listed itemset may follow from the supports: tanon.itemset_violations lists those that do.
-- Patterns over items of an itemset that is not listed may follow as well, and are not looked for.
-- The collection must hold the empty itemset and every subset of every itemset.
--
-- Cost and memory: those of tanon.itemset_violations.
--
-- Arguments:
--   release     relation                   the published itemsets
--   k           integer > 1                how many transactions a pattern must have
--   closed      boolean = false            true if only closed itemsets are listed
--   itemset     column(list) not null of release = 'itemset'  the items
--   support     column(integer) not null of release = 'support'  how many hold all of them
-- Result:
--   property  VARCHAR  what is promised of the release
--   promise   VARCHAR  how much of it
--   found     VARCHAR  how much of it there is
--   holds     BOOLEAN  whether that is enough
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
