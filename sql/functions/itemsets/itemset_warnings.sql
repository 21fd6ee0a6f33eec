-- Returns the risks that remain in released itemsets.
--
-- No rows means that tanon found no risk. Without original, the function examines all patterns that
-- tanon.publish_itemsets may have changed. With original, which the owner's copy contains, it
-- examines the changed patterns only:
--
--   'channel'          a pattern of 1 to k - 1 transactions follows from the supports.
--   'impossible'       a pattern has a negative frequency, so recipients see changed supports.
--   'told count'       only one true count is possible for a changed pattern.
--   'few counts'       only some counts from 1 to k - 1 are possible for a changed pattern.
--   'same difference'  patterns got the same number of added transactions. An adversary who knows
--                      one true count knows the others. Needs original.
--   'added'            an adversary who knows that a pattern cannot occur counts the added
--                      transactions in it. Method 'real_rows' avoids this. Needs original.
--   'much changed'     more than a tenth of the transactions were added or suppressed. Needs
--                      original.
--   'not listed'       pairs of items are not listed together, so their support is below the
--                      others.
--
-- Cost: the cost of tanon.published_channels for 3 k. With original, also its cost for k.
--
-- Arguments:
--   release     relation                   the released itemsets
--   k           integer > 1                the fewest transactions that a pattern may have
--   closed      boolean = false            whether release lists only closed itemsets
--   itemset     column(list) not null of release = 'itemset'  the items
--   support  column(integer) not null of release = 'support'  the number of transactions with all
--       items
--   original    column(integer) not null of release = NULL  the true number of transactions with
--       all items
--   padding     one of 'drawn', 'k' = 'drawn'  how many transactions each group of channels got
-- Checks:
--   original  original is null or not closed  omitted if only closed itemsets are listed
-- Result:
--   warning   VARCHAR  the name of the warning
--   patterns  BIGINT   the number of patterns; for 'added' and 'much changed' the number of
--       transactions
--   share     DOUBLE   the share of these among the patterns of fewer than 3 k transactions, the
--       changed patterns, the transactions or the pairs
--   advice    VARCHAR  the meaning and the remedy
-- For: the owner
-- Example:
--   with published as (
--       from tanon.publish_itemsets('visits', transaction := 'patient', item := 'diagnosis',
--           min_support := 8, k := 5, for_owner := true)
--   )
--   from tanon.itemset_warnings('published', k := 5, original := 'original_support')

-- What a collection of itemsets does not hold against.

-- An itemset by itself is a pattern too; what is listed was never closed.
step small_patterns materialized
    from tanon.published_channels('(from tanon_release)', 3 * {k}, {closed}, {itemset:text},
        {support:text})
    where frequency < {k} or base <> top
end

-- Patterns that may have been closed: those that were, or all that look so. What is left of their
-- counts is from 1 to k - 1, and less by what was added.
step closed_patterns materialized
    select
        frequency as tanon_f, {if original is null} null::bigint {else} tanon_true {end} as tanon_t,
        {if padding = 'k'} 1 {else}
        least({k} - 1, frequency - {k}) - greatest(1, frequency - 2 * {k}) + 1
        {end} as tanon_left
    from {small_patterns}
    {if original is not null}
    join (
        select base, top, frequency as tanon_true
        from tanon.published_channels('(from tanon_release)', {k}, false, {itemset:text},
            {original:text})
        where frequency > 0
    ) using (base, top)
    {end}
    where frequency > {k} and frequency < {if padding = 'k'} 2 * {k} {else} 3 * {k} {end}
end

step transactions_told
    select
        try_cast(any_value({support})::varchar as bigint) as tanon_n,
        {if original is null} null::bigint
        {else} try_cast(any_value({original})::varchar as bigint) {end} as tanon_was
    from {release}
    where len({itemset}) = 0
end

step pairs_told
    select
        (count(distinct tanon_a) * (count(distinct tanon_a) - 1) / 2)::bigint as tanon_pairs,
        count(distinct (tanon_a, tanon_b)) filter (tanon_a < tanon_b) as tanon_listed
    from (
        select tanon_items, tanon_a, unnest(tanon_items) as tanon_b
        from (
            select {itemset} as tanon_items, unnest({itemset}) as tanon_a from {release}
        )
    )
end

step warned_of_patterns
    select
        case when frequency < 0 then 2 else 1 end as tanon_place,
        case when frequency < 0 then 'impossible' else 'channel' end as warning,
        count(*) as patterns, count(*) / (select count(*) from {small_patterns}) as share,
        case when tanon_place = 2
            then 'their frequency is negative, so recipients see that supports were changed'
            else 'fewer than ' || {k} || ' transactions have them: do not release these itemsets'
            end as advice
    from {small_patterns}
    where frequency < {k}
    group by all
    union all
    select
        case when tanon_left = 1 then 3 else 4 end as tanon_place,
        case when tanon_left = 1 then 'told count' else 'few counts' end, count(*),
        count(*) / (select count(*) from
            {if original is null} {small_patterns} {else} {closed_patterns} {end}),
        case when tanon_place = 3 then 'if the pattern was changed, one true count is possible: '
            || case {padding} when 'k' then 'the published count less ' || {k}
                else 'the count for the fewest or the most added transactions' end
            else 'if the pattern was changed, fewer than ' || {k} - 1 || ' true counts are possible'
            end
    from {closed_patterns}
    where tanon_left = 1 or tanon_left < {k} - 1
    group by tanon_place, tanon_left = 1
end

step warned_of_supports
    select
        5 as tanon_place, 'same difference' as warning, sum(tanon_n)::bigint as patterns,
        sum(tanon_n) / (select count(*) from {closed_patterns}) as share,
        'several patterns got the same number of added transactions: an adversary who knows '
            || 'one true count knows the others' as advice
    from (
        select count(*) as tanon_n
        from {closed_patterns}
        where tanon_t is not null
        group by tanon_f - tanon_t
        having count(*) > 1
    )
    having count(*) > 0
    union all
    select
        6, 'added', tanon_n - tanon_was, (tanon_n - tanon_was) / tanon_n,
        'an adversary who knows that a pattern cannot occur counts the added transactions in '
            || 'it; to avoid this, pass method := ''real_rows'''
    from {transactions_told}
    where tanon_n > tanon_was
    union all
    select
        7, 'much changed', abs(tanon_n - tanon_was), abs(tanon_n - tanon_was) / tanon_was,
        'more than a tenth of the transactions changed, so supports say little: raise '
            || 'min_support or lower k'
    from {transactions_told}
    where 10 * abs(tanon_n - tanon_was) > tanon_was
    union all
    select
        8, 'not listed', tanon_pairs - tanon_listed, (tanon_pairs - tanon_listed) / tanon_pairs,
        'pairs of listed items that are not listed together: their support is below the '
            || 'others'
    from {pairs_told}
    where tanon_pairs > tanon_listed
end

piece warned_of_itemsets
    (
        select warning, patterns, share, advice
        from (from {warned_of_patterns} union all from {warned_of_supports})
        order by tanon_place asc nulls last
    )
end

from {warned_of_itemsets}
