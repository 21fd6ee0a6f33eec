-- Returns how many groups of each size each offered granularity has.
--
-- Use this function to see the effect of other values of k and max_suppression. For a given k, the
-- suppressed rows are the tuples of all frequencies below k. For one k, tanon.granularity_metrics
-- has these sums.
--
-- The frequency of a group is its number of distinct respondents. A granularity that does not cover
-- every time has no rows in the result.
--
-- Cost: the cost of tanon.granularity_metrics.
--
-- Arguments:
--   source         relation               the table, the view or the query in parentheses
--   respondent     column not null        the respondent of the row
--   qi             columns                the quasi-identifiers other than the time
--   ts             column(time) not null  the time of the event, which is a quasi-identifier too
--   granularities  granularities          the granularities to choose from
--   calendar       calendar = NULL        your own granularities
--   tz             text = NULL            the time zone of the granules, for TIMESTAMP WITH TIME
--       ZONE
-- Checks:
--   ts   not tanon._share_a_name(ts, qi)   a column that is not among qi
--   respondent  not tanon._share_a_name(respondent, qi)  a column apart from qi and ts
--   respondent  not tanon._share_a_name(respondent, ts)  a column apart from qi and ts
-- Result:
--   granularity  VARCHAR  the offered granularity
--   frequency    BIGINT   the number of distinct respondents of a group
--   groups       BIGINT   the number of groups with this frequency
--   tuples       BIGINT   the number of rows in these groups
-- For: the owner
-- Example:
--   from tanon.group_sizes('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter'])
--   order by all limit 8

select
    tanon_name as granularity, tanon_f::bigint as frequency, tanon_groups as groups,
    tanon_tuples as tuples
from {sizes_offered} join {feasibility} using (tanon_name)
where tanon_reason is null
order by tanon_place asc nulls last, frequency asc nulls last
