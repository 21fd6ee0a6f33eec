with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "published")
    union all by name select null as "itemset", null as "original_support", null as "support" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.itemset_warnings: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
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
                from tanon_columns_of_release, (values
                (0, 'itemset', 'itemset', 'tanon.itemset_warnings: itemset must be a list column of release', '.*\[\d*\]', ''),
                (1000000, 'support', 'support',
                    'tanon.itemset_warnings: support must be an integer column of release', 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?', ''),
                (2000000, 'original_support', 'original_support',
                    'tanon.itemset_warnings: original must be an integer column of release', 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.itemset_warnings: itemset must be free of NULL, got ' || count(*) || ' rows with NULL in itemset'
        from tanon_given_release where "itemset" is null
        having count(*) > 0),
        (select 'tanon.itemset_warnings: support must be free of NULL, got ' || count(*) || ' rows with NULL in support'
        from tanon_given_release where "support" is null
        having count(*) > 0),
        (select 'tanon.itemset_warnings: original must be free of NULL, got ' || count(*) || ' rows with NULL in original_support'
        from tanon_given_release where "original_support" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- sql/functions/itemsets/itemset_warnings.sql
tanon_small_patterns as materialized (
    from tanon.published_channels('(from tanon_release)', 3 * 5, false, 'itemset',
        'support')
    where frequency < 5 or base <> top
),
-- sql/functions/itemsets/itemset_warnings.sql
tanon_closed_patterns as materialized (
    select
        frequency as tanon_f, tanon_true as tanon_t,
        least(5 - 1, frequency - 5) - greatest(1, frequency - 2 * 5) + 1
         as tanon_left
    from tanon_small_patterns
    join (
        select base, top, frequency as tanon_true
        from tanon.published_channels('(from tanon_release)', 5, false, 'itemset',
            'original_support')
        where frequency > 0
    ) using (base, top)
    where frequency > 5 and frequency < 3 * 5
),
-- sql/functions/itemsets/itemset_warnings.sql
tanon_warned_of_patterns as (
    select
        case when frequency < 0 then 2 else 1 end as tanon_place,
        case when frequency < 0 then 'impossible' else 'channel' end as warning,
        count(*) as patterns, count(*) / (select count(*) from tanon_small_patterns) as share,
        case when tanon_place = 2
            then 'their frequency is negative, so recipients see that supports were changed'
            else 'fewer than ' || 5 || ' transactions have them: do not release these itemsets'
            end as advice
    from tanon_small_patterns
    where frequency < 5
    group by all
    union all
    select
        case when tanon_left = 1 then 3 else 4 end as tanon_place,
        case when tanon_left = 1 then 'told count' else 'few counts' end, count(*),
        count(*) / (select count(*) from
             tanon_closed_patterns ),
        case when tanon_place = 3 then 'if the pattern was changed, one true count is possible: '
            || case 'drawn' when 'k' then 'the published count less ' || 5
                else 'the count for the fewest or the most added transactions' end
            else 'if the pattern was changed, fewer than ' || 5 - 1 || ' true counts are possible'
            end
    from tanon_closed_patterns
    where tanon_left = 1 or tanon_left < 5 - 1
    group by tanon_place, tanon_left = 1
),
-- sql/functions/itemsets/itemset_warnings.sql
tanon_transactions_told as (
    select
        try_cast(any_value("support")::varchar as bigint) as tanon_n,
         try_cast(any_value("original_support")::varchar as bigint) as tanon_was
    from tanon_release
    where len("itemset") = 0
),
-- sql/functions/itemsets/itemset_warnings.sql
tanon_pairs_told as (
    select
        (count(distinct tanon_a) * (count(distinct tanon_a) - 1) / 2)::bigint as tanon_pairs,
        count(distinct (tanon_a, tanon_b)) filter (tanon_a < tanon_b) as tanon_listed
    from (
        select tanon_items, tanon_a, unnest(tanon_items) as tanon_b
        from (
            select "itemset" as tanon_items, unnest("itemset") as tanon_a from tanon_release
        )
    )
),
-- sql/functions/itemsets/itemset_warnings.sql
tanon_warned_of_supports as (
    select
        5 as tanon_place, 'same difference' as warning, sum(tanon_n)::bigint as patterns,
        sum(tanon_n) / (select count(*) from tanon_closed_patterns) as share,
        'several patterns got the same number of added transactions: an adversary who knows '
            || 'one true count knows the others' as advice
    from (
        select count(*) as tanon_n
        from tanon_closed_patterns
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
    from tanon_transactions_told
    where tanon_n > tanon_was
    union all
    select
        7, 'much changed', abs(tanon_n - tanon_was), abs(tanon_n - tanon_was) / tanon_was,
        'more than a tenth of the transactions changed, so supports say little: raise '
            || 'min_support or lower k'
    from tanon_transactions_told
    where 10 * abs(tanon_n - tanon_was) > tanon_was
    union all
    select
        8, 'not listed', tanon_pairs - tanon_listed, (tanon_pairs - tanon_listed) / tanon_pairs,
        'pairs of listed items that are not listed together: their support is below the '
            || 'others'
    from tanon_pairs_told
    where tanon_pairs > tanon_listed
)
-- sql/functions/itemsets/itemset_warnings.sql
from (
        select warning, patterns, share, advice
        from (from tanon_warned_of_patterns union all from tanon_warned_of_supports)
        order by tanon_place asc nulls last
    )
