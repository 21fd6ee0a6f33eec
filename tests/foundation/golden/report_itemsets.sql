with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "diagnosis", null as "patient" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.report_itemsets: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (0, 'patient', 'patient', 'tanon.report_itemsets: transaction must be a column of source', '', ''),
                (1000000, 'diagnosis', 'diagnosis', 'tanon.report_itemsets: item must be a column of items or of lists of items of source', '.*', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.report_itemsets: transaction must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.report_itemsets: item must be free of NULL, got ' || count(*) || ' rows with NULL in diagnosis'
        from tanon_given_source where "diagnosis" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/report/report_itemsets.sql
tanon_sums as materialized (
    from tanon.publish_itemsets('(from tanon_source)', 'patient', 'diagnosis',
        8, 5, 'additive', NULL, 'drawn', false, NULL,
        'summary')
),
-- sql/functions/report/report_itemsets.sql
tanon_made as materialized (
    from tanon.publish_itemsets('(from tanon_source)', 'patient', 'diagnosis',
        8, 5,
        'additive', NULL, 'drawn', true, NULL)
),
-- sql/functions/report/report_itemsets.sql
tanon_open_before as materialized (
    from tanon.inference_channels('(from tanon_source)', 'patient', 'diagnosis',
        8, 5, NULL)
),
-- sql/functions/report/report_itemsets.sql
tanon_facts as (
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('itemsets', null, itemsets, null, null, null, true),
            tanon._fact('transactions', null, transactions, null, null, null, false),
            tanon._fact('transactions imagined or repeated', null, rows_added, null, null, null,
                false),
            tanon._fact('transactions left out', null, rows_removed, null, null, null, false)
        ] as facts
    from tanon_sums
    union all
    select 2, 1, 'promise', [tanon._fact('channels', null, count(*), 0, count(*) = 0,
        'patterns of 1 to ' || 5 - 1 || ' transactions that supports give away', true)]
    from tanon.itemset_violations('(select itemset, support from tanon_made)', 5,
        closed := false)
    where (select count(*) >= 0 from tanon_made)
    union all
    select 3, tanon_f, 'channels', [tanon._fact('closed', tanon_f::varchar, tanon_n, null, null,
        'transactions show the pattern', false)]
    from (
        select frequency as tanon_f, count(*) as tanon_n from tanon_open_before group by frequency
    )
    union all
    select 3, 1000000, 'channels', [
        tanon._fact('all', null, count(*), null, null, 'open before', false)]
    from tanon_open_before
    union all
    select 4, tanon_change, 'supports', [tanon._fact('supports changed', tanon_change::varchar,
        tanon_n, null, null, 'percent or less', tanon_n >= 5)]
    from (
        select
            least(ceil(100 * abs(support - original_support) / greatest(original_support, 1)), 100)
                ::bigint as tanon_change,
            count(*) as tanon_n
        from tanon_made
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
    from tanon_sums
    union all
    select 6, 1 + list_position(['told count', 'few counts', 'same difference', 'added',
        'much changed', 'not listed'], warning), 'warnings', [
        tanon._fact(warning, null, share, null, null, patterns || ' '
            || case when warning in ('added', 'much changed') then 'transactions: '
                else 'patterns: ' end || advice,
            warning = 'not listed')]
    from tanon.itemset_warnings('(from tanon_made)', 5,
        original := 'original_support',
        padding := 'drawn')
    where (select count(*) >= 0 from tanon_made)
)
-- sql/functions/report/report_itemsets.sql
    select section, tanon_fact.*
    from (
        select
            tanon_part, tanon_place, section, unnest(facts) as tanon_fact,
            generate_subscripts(facts, 1) as tanon_number
        from tanon_facts
    )
    order by tanon_part asc nulls last, tanon_place asc nulls last, tanon_number asc nulls last
