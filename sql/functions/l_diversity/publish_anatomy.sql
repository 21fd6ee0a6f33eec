-- The two tables that Anatomy releases: quasi-identifiers with groups, and groups with values.
--
-- part := 'individuals' gives one row for each row of source: quasi-identifiers and group. part
-- := 'values' gives the sensitive values of each group with their counts. Released together they
-- link nobody to a value with more than 1/l probability; no other column of source is released.
-- Both calls deal the same groups as tanon.anatomize with the same seed, which must stay secret,
-- and both check every group and raise if one is not l-diverse. Rows come in an order of their
-- own.
--
-- Cost: one sort by partition and value, one aggregation for the check, one sort of the result.
--
-- Arguments:
--   source     relation                        the table, the view or the query in parentheses
--   qi         columns                         the quasi-identifiers
--   sa         column                          the sensitive value
--   l          rational >= 1                   the least number of values that must balance
--   part       one of 'individuals', 'values'  which of the two tables
--   partition  columns = NULL                  what is split by itself: the column of the snapshots
--   seed       integer = 0                     the secret that decides between equal values
-- Checks:
--   sa  not tanon._share_a_name(sa, qi)  none of qi
--   sa  not tanon._share_a_name(sa, partition)  none of partition
--   qi  not tanon._share_a_name(qi, partition)  none of partition
-- Result:
--   {partition}  as in source  the partition
--   {qi}         as in source  the quasi-identifiers, where part is 'individuals'
--   {sa}         as in source  the sensitive value, where part is 'values'
--   a_group      BIGINT        the group
--   records      BIGINT        (where part is 'values') the rows of the group with this value
-- Example:
--   from tanon.publish_anatomy('visits', qi := ['age', 'sex'], sa := 'diagnosis', l := 2,
--     part := 'values')
--   order by all limit 6

with
{% include "fragments/anatomy_groups.sql" %},
tanon_published as materialized (from tanon_anatomy),
tanon_groups as (
    select a_group, {sa} as tanon_sa, count(*) as tanon_n from tanon_published group by all
),
tanon_checked as (
    select coalesce((
        select error({function} || ': the release must be l-diverse, got ' || count(*)
            || ' groups that are not: nothing is released')
        from (
            from tanon_groups
            select a_group
            group by a_group
            having max(tanon_n) * tanon._numerator({l}) > sum(tanon_n) * tanon._denominator({l})
        )
        having count(*) > 0
    ), true) as tanon_fine
)
select
    {partition,}
    {if part = 'values'} a_group, {sa}, count(*) as records {else} {qi}, a_group {end}
from tanon_published
where (select tanon_fine from tanon_checked)
{if part = 'values'} group by {partition,} a_group, {sa} {end}
order by all
