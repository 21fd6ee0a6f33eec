-- Frequent itemsets with supports that give no pattern of 1 to k - 1 transactions away.
--
-- Methods:
--   additive     adds imagined transactions for each group of channels, never one that would make
--                another itemset frequent: same itemsets, supports only grow (the default)
--   real_rows    repeats transactions there are: fewer of them, and none that could not exist;
--                but itemsets that were not frequent can become so (they stay unpublished)
--   suppressive  leaves out transactions behind channels until none is open: itemsets get lost
--   paper        as the algorithm was printed, over closed itemsets. It can leave channels open or
--                publish supports that no transactions can have; then this raises an error
--
-- result := 'summary' says in one row what the same call changes. The rows that would explain the
-- published supports are mined again, to count the itemsets that are frequent there and were not
-- before (spurious) and those that are no longer (lost). It costs about twice as much.
--
-- Added to each group: from k to 2 k transactions, drawn by the secret, whatever the table holds.
-- So all tables that could have led to the same publication are as likely after it as before, for
-- somebody who does not know how many transactions there were: a number f published for a channel
-- that one group closes leaves the true counts from f - 2 k to f - k open (at the ends of the range
-- few of them). padding := 'k' adds k each time: supports change by two fifths less (on average by
-- 3.6 % instead of 6.2 % for diagnosis and sex in the demo, by 0.37 % instead of 0.59 % and 0.055 %
-- instead of 0.093 % in two random tables), but whoever knows k reads the true count of a channel
-- off its published number. Differences between two channels of one group are true ones either way,
-- and who knows that some pattern cannot occur, such as a patient of no sex, counts the imagined
-- transactions in it: prefer 'real_rows' there.
--
-- The result is checked (tanon.itemset_violations) before it is returned, and comes sorted. If more
-- than a tenth of the transactions had to be added or left out, a warning says so.
--
-- What is promised: tanon.itemset_violations finds no channel in the result. It looks at subsets of
-- listed itemsets. What is not: an itemset that is not listed can be deduced too, where the listed
-- ones leave one number for it; a pattern of fewer than k transactions may follow from that, and no
-- check looks for it. With max_length that is common: the itemsets just above it are not listed,
-- although they may be frequent. The empty itemset is listed with all transactions, added ones
-- among them. Who knows how many there were knows how many were added; where one group of channels
-- was closed, that is what was added to each of its itemsets, and the true counts follow. Nothing
-- is promised for two releases of one table, or of a table that grew: supports that rose by one
-- tell what a single new transaction holds.
--
-- Items can be of any type; a list is several of them. An item that a transaction names twice
-- counts once; a transaction with an empty list counts, and holds nothing. Of equal items spelt
-- differently, such as -0.0 and 0.0, the least text stands for all.
--
-- Cost: tanon.frequent_itemsets, up to twice that for channels and the check, and some ten
-- microseconds for each channel to merge: a dense table can have more channels than itemsets.
-- Memory: the pairs of transaction and item, one byte per transaction and
-- frequent pair of items (at most 256 MB at a time), and the result; nothing of this can spill.
--
-- Arguments:
--   source       relation                   the table, the view or the query in parentheses
--   transaction   column not null as respondent  which transaction a row belongs to
--   item         column(items) not null     what it holds: one item, or a list of items
--   min_support  count or share             in how many transactions an itemset must be: a count
--                                           such as 20, or with a decimal point a share of all
--   k            integer > 1                how many transactions a pattern must have
--   method       one of 'additive', 'real_rows', 'suppressive', 'paper' = 'additive'  see above
--   max_length   integer >= 0 = NULL        the largest itemsets to look for; patterns
--       that follow about larger ones are not looked for
--   padding      one of 'drawn', 'k' = 'drawn'  how many transactions each group of channels gets
--   for_owner    boolean = false            whether original_support is there too
--   secret       secret = NULL              what draws them; NULL: the one that the process holds
--   result       one of 'release', 'summary' = 'release'  see above
-- Checks:
--   min_support  tanon._at_least(1, min_support) or tanon._at_least(min_support, k)  at least k,
--       because an itemset of fewer
--       transactions would itself be published
-- Result:
--   itemset           list of items  the items, sorted; VARCHAR instead of ENUM or JSON
--   support           BIGINT         what may be published
--   original_support  BIGINT         (with for_owner) how many transactions hold all of them
-- For: others
-- Promises: check_itemsets(k := $k, closed := $method = 'paper')
-- Result summary:
--   transactions       BIGINT   how many there are
--   rows_added         BIGINT   transactions imagined or repeated
--   rows_removed       BIGINT   transactions left out
--   itemsets           BIGINT   how many are published
--   share_touched      DOUBLE   share of them whose support is not the true one (NULL: no itemsets)
--   mean_change        DOUBLE   mean of |support - original_support| / original_support, or NULL
--   worst_change       DOUBLE   the largest of these, or NULL
--   itemsets_lost      BIGINT   frequent before and not after
--   itemsets_spurious  BIGINT   frequent after and not before (they are not published)
--   warning            VARCHAR  a sentence if more than a tenth of the transactions changed
-- For: the owner
-- Example:
--   from tanon.publish_itemsets('visits', transaction := 'patient', item := 'diagnosis',
--       min_support := 8, k := 5)
--   order by all

-- The key that draws how many transactions are imagined, one for a release and its summary.

step imagined
    select
        {if padding = 'drawn' and method = 'additive'}
            tanon._key({secret}, 'tanon.sanitize_itemsets', any_value(typeof(tanon_item)))
        {else}
            any_value(null::blob)
        {end} as tanon_key
    from {items}
end

use mentions = held_items()

step sanitized
    select unnest(tanon._answer(
        tanon_sanitize(tanon_transactions, {k}::bigint, {method}, tanon_key)))
        as tanon_itemset
    from {transactions}, {imagined}
end

step summarized
    select tanon._answer(
        tanon_summarize_sanitization(tanon_transactions, {k}::bigint, {method}, tanon_key))
        as tanon_summary
    from {transactions}, {imagined}
end

{if result = 'summary'}
select unnest(tanon_summary) from {summarized}
{else}
select
    tanon._without_labels(
        coalesce(list_select(tanon_values, tanon_itemset['codes']), [])) as itemset,
    tanon_itemset['support'] as support
    {if for_owner}, tanon_itemset['original_support'] as original_support{end}
from {sanitized}, {dictionary}
order by all asc nulls last
{end}
