-- Returns the groups in which a sensitive value has more than one l-th of the rows.
--
-- No rows means that the table is l-diverse. The function counts rows, not respondents. Two rows of
-- one respondent with two values pass l = 2, although both values are known. To count respondents,
-- use tanon.limit_violations with respondent. For the groups of Anatomy use tanon.check_release
-- with the owner's copy. NULL is a value and a group like any other.
--
-- Cost: one hash aggregation. DuckDB spills to disk what does not fit in memory.
--
-- Arguments:
--   source  relation       the table, the view or the query in parentheses
--   groups  columns as quasi-identifier  the columns that define a group: a group number, or
--       quasi-identifiers
--   sensitive   column as sensitive  the sensitive value
--   l       rational >= 1  no value may have more than one l-th of the rows
-- Result:
--   {groups}  as in source  the group
--   records   BIGINT        the number of rows
--   level     BIGINT        the number of rows with the most frequent value
--   max_l     DOUBLE        records / level: the largest l for which the group is l-diverse
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
