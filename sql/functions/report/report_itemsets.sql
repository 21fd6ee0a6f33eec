-- Returns the facts of the report about released itemsets.
--
-- Pass the arguments of tanon.publish_itemsets. tanon_duck.report draws these rows. The sections
-- are release, promise, channels, supports, loss and warnings. The help of tanon.publish_itemsets,
-- tanon.inference_channels, tanon.itemset_violations and tanon.itemset_warnings explains the
-- figures. Rows with public = false reveal facts of the source that only the owner may see.
--
-- Cost: about five times the cost of tanon.publish_itemsets.
--
-- Arguments:
--   uses itemsets
-- Result:
--   uses facts
-- For: the owner
-- Example:
--   from tanon.report_itemsets('visits', transaction := 'patient', item := 'diagnosis',
--       min_support := 8, k := 5)

step made materialized
    from tanon.publish_itemsets('(from tanon_source)', {transaction:text}, {item:text},
        {min_support}, {k},
        {method}, {max_length}, {padding}, true, {tanon._text(secret)})
end

step open_before materialized
    from tanon.inference_channels('(from tanon_source)', {transaction:text}, {item:text},
        {min_support}, {k}, {max_length})
end

step sums materialized
    from tanon.publish_itemsets('(from tanon_source)', {transaction:text}, {item:text},
        {min_support}, {k}, {method}, {max_length}, {padding}, false, {tanon._text(secret)},
        'summary')
end

step facts
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('itemsets', null, itemsets, null, null, null, true),
            tanon._fact('transactions', null, transactions, null, null, null, false),
            tanon._fact('transactions imagined or repeated', null, rows_added, null, null, null,
                false),
            tanon._fact('transactions left out', null, rows_removed, null, null, null, false)
        ] as facts
    from {sums}
    union all
    select 2, 1, 'promise', [tanon._fact('channels', null, count(*), 0, count(*) = 0,
        'patterns of 1 to ' || {k} - 1 || ' transactions that supports give away', true)]
    from tanon.itemset_violations('(select itemset, support from tanon_made)', {k},
        closed := {if method = 'paper'}true{else}false{end})
    where (select count(*) >= 0 from {made})
    union all
    select 3, tanon_f, 'channels', [tanon._fact('closed', tanon_f::varchar, tanon_n, null, null,
        'transactions show the pattern', false)]
    from (
        select frequency as tanon_f, count(*) as tanon_n from {open_before} group by frequency
    )
    union all
    select 3, 1000000, 'channels', [
        tanon._fact('all', null, count(*), null, null, 'open before', false)]
    from {open_before}
    union all
    select 4, tanon_change, 'supports', [tanon._fact('supports changed', tanon_change::varchar,
        tanon_n, null, null, 'percent or less', tanon_n >= {k})]
    from (
        select
            least(ceil(100 * abs(support - original_support) / greatest(original_support, 1)), 100)
                ::bigint as tanon_change,
            count(*) as tanon_n
        from {made}
        group by tanon_change
    )
    union all
    select 5, 1, 'loss', [
            tanon._fact('share of supports changed', null, share_touched, null, null, null, true),
            tanon._fact('mean change', null, mean_change, null, null, null, true),
            tanon._fact('worst change', null, worst_change, null, null, null, true),
            tanon._fact('itemsets lost', null, itemsets_lost, null, null, null, true),
            tanon._fact('itemsets spurious', null, itemsets_spurious, null, null,
                'not published', true)
        ]
    from {sums}
    union all
    select 6, 1 + list_position(['told count', 'few counts', 'same difference', 'added',
        'much changed', 'not listed'], warning), 'warnings', [
        -- What is not listed anybody sees; all else is told of the true supports.
        tanon._fact(warning, null, share, null, null, patterns || ' '
            || case when warning in ('added', 'much changed') then 'transactions: '
                else 'patterns: ' end || advice,
            warning = 'not listed')]
    from tanon.itemset_warnings('(from tanon_made)', {k},
        {if method = 'paper'}closed := true{else}
        original := 'original_support',
        padding := {if method = 'additive'}{padding}{else}'drawn'{end}{end})
    where (select count(*) >= 0 from {made})
end

{facts_in_order}
