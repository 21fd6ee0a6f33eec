-- The two tables that Anatomy releases: quasi-identifiers with groups, and groups with values.
--
-- part := 'individuals' gives one row for each row of source: quasi-identifiers and group. part
-- := 'values' gives the sensitive values of each group with their counts. Released together they
-- link nobody to a value with more than 1/l probability; no other column of source is released.
-- Both calls deal the same groups, as both take the secret that the process holds, or the same
-- one that is given; whoever knows it can repeat the deal. With it a later release of the same
-- partitions is the same; another secret or another l deals anew, and two deals together tell
-- more than 1/l. Both calls check every group and raise if one is not l-diverse. Rows come
-- sorted, so that their order tells nothing of the source.
--
-- Columns of qi that by themselves tell who a row is about (nested ones, times, values that only
-- one row has, for more than a fifth of the rows) are refused unless named in accept.
--
-- Cost: one SHA-256 a row, one sort by hash and one by partition and value, one aggregation for
-- the check and for each column of qi, one sort of the result.
--
{% set kept = "qi" %}
-- Arguments:
--   source     relation                        the table, the view or the query in parentheses
--   qi         columns as quasi-identifier  the quasi-identifiers
--   sa         column as sensitive  the sensitive value
--   l          rational > 1                    the least number of values that must balance
--   part       one of 'individuals', 'values'  which of the two tables
--   partition  columns = NULL                  what is split by itself: the column of the snapshots
--   accept     columns or none = []            those of qi that leave although they tell who
--       a row is about
--   secret     secret = NULL                   what decides between equal values; NULL: what the
--       process holds
-- Checks:
--   sa  not tanon._share_a_name(sa, qi)  none of qi
--   sa  not tanon._share_a_name(sa, partition)  none of partition
--   qi  not tanon._share_a_name(qi, partition)  none of partition
{% include "arguments/kept_checks.sql" %}
-- Result:
--   {partition}  as in source  the partition
--   {qi}         as in source  the quasi-identifiers, where part is 'individuals'
--   {sa}         as in source  the sensitive value, where part is 'values'
--   a_group      BIGINT        the group
--   records      BIGINT        (where part is 'values') the rows of the group with this value
-- For: others
-- Promises: check_release(
--     qi := list_concat(tanon._list($partition), ['a_group'],
--         case when $part = 'individuals' then tanon._list($qi) else [] end),
--     sensitive := case when $part = 'values' then [$sa] else [] end,
--     records := case when $part = 'values' then 'records' end,
--     l := case when $part = 'values' then $l end)
-- Shards:
--   counts_to_deal                    by anything  counts of partitions and values, added up
--   partitions_are_eligible           decided      from these
--   partition_offsets                 decided      groups are numbered through all partitions
--   places_of_values                  decided      values are ordered as everywhere
--   values_kept         left by anything  who has which value, alone in its shard
--   alone_with_a_value  left by tanon_folded, tanon_text of values_kept  and in all
--   singled_out         by tanon_only of alone_with_a_value  each once
--   all_who_are_kept    by anything  rows
--   kept_is_fine        decided      from these
--   query                             by partition  whole partitions in each shard
-- Example:
--   from tanon.publish_anatomy('visits', qi := ['age', 'sex'], sa := 'diagnosis', l := 2,
--     part := 'values')
--   order by all limit 6

let keep = qi

step kept_rows not materialized
    select {qi}, null::integer as tanon_whose from {source}
end

use kept_people = a_person_each()

step dealing_key materialized
    select tanon._key({secret}, {function}, list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from {source:columns}
    where tanon._is_named(
        folded, list_concat(tanon._list({partition:text}), {qi:text}, [{sa:text}])
    )
end

step dealt_rows materialized
    select
        {partition,} {qi}, {sa},
        tanon._keyed(
            (select tanon_key from {dealing_key}),
            concat({partition:encoded}, {qi:encoded}, {sa:encoded})
        ) as tanon_hash
    from {source}
end

step published_rows materialized
    from {anatomy} where {checked kept_is_fine}
end

guard groups_are_diverse
    select 'the release must be l-diverse, got ' || count(*)
        || ' groups that are not: nothing is released'
    from (
        select a_group
        from (select a_group, count(*) as tanon_n from {published_rows} group by a_group, {sa})
        group by a_group
        having max(tanon_n) * tanon._numerator({l}) > sum(tanon_n) * tanon._denominator({l})
    )
    having count(*) > 0
end

{if part = 'values'}
from (
    select {partition,} a_group, {sa}, count(*) as records
    from {published_rows}
    group by {partition,} a_group, {sa}, tanon._spelling({sa})
)
{else}
from (select {partition,} {qi}, a_group from {published_rows})
{end}
where {checked groups_are_diverse}
order by
    {for p in tanon._list(partition) joined by ''}
    tanon._order_key({p:name}) asc nulls last,
    {end}
    {if part = 'values'}
    a_group asc nulls last, tanon._order_key({sa}) asc nulls last
    {else}
    {for q in tanon._list(qi) joined by ''}
    tanon._order_key({q:name}) asc nulls last,
    {end}
    a_group asc nulls last
    {end}
