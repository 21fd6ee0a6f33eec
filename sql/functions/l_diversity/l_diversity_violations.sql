-- The groups that break l-diversity; no rows means that the table is l-diverse.
--
-- A group is l-diverse if no sensitive value holds more than one l-th of its rows. Rows are
-- counted, and not persons: two rows of one person with two values pass l = 2, and both values are
-- known. For groups of Anatomy tanon.check_release counts persons in the owner's copy; for other
-- groups tanon.limit_violations does, with respondent. NULL in sensitive is a value like any other;
-- NULL in groups is a group like any other.
--
-- Cost: one hash aggregation per (group, value); DuckDB spills what does not fit in memory.
--
-- Arguments:
--   source  relation       the table, the view or the query in parentheses
--   groups  columns as quasi-identifier  what tells the groups apart: a group number, or
--       quasi-identifiers
--   sensitive   column as sensitive  the sensitive value
--   l       rational >= 1  the least number of values that must balance
-- Result:
--   {groups}  as in source  the group
--   records   BIGINT        its rows
--   level     BIGINT        the rows of its most frequent sensitive value
--   max_l     DOUBLE        records / level: the largest l for which it is l-diverse
-- For: the owner
-- Holds: no rows, max_l >= l
-- Example:
--   from tanon.l_diversity_violations('cases', groups := ['district'], sensitive := 'disease',
--       l := 2.2)
--   order by all

-- Groups are named: GROUP BY ALL would hold the spellings of a collation apart.
step counts_in_groups
    select {groups}, {sensitive} as tanon_sa, count(*) as tanon_n from {source}
        group by {groups}, {sensitive}
end

select
    {groups},
    sum(tanon_n)::bigint as records,
    max(tanon_n) as level,
    sum(tanon_n) / max(tanon_n) as max_l
from {counts_in_groups}
group by {groups}
having tanon._exceeds_share(max(tanon_n), sum(tanon_n), {l})
