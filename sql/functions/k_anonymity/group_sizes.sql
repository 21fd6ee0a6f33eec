-- How many groups of each size there are, in each offered granularity.
--
-- A group is a value of the quasi-identifiers with time; its frequency is its number of distinct
-- respondents. All that k, max_suppression and a granularity would cost can be read off these
-- counts without looking at the table again: the rows below k are the tuples of smaller
-- frequencies. A granularity that does not cover every time has no rows.
--
-- Cost: that of tanon.granularity_metrics, which reads the same counts.
--
-- Arguments:
--   source         relation               the table, the view or the query in parentheses
--   respondent     column not null        whom a row is about: the respondent
--   qi             columns                the quasi-identifiers beside time
--   ts             column(time) not null  when it happened, a quasi-identifier like qi
--   granularities  granularities          in what ts may be expressed
--   calendar       calendar = NULL        granularities of your own
--   tz             text = NULL            whose clock decides, for TIMESTAMP WITH TIME ZONE
-- Checks:
--   ts   not tanon._share_a_name(ts, qi)   a column that is not among qi
--   respondent  not tanon._share_a_name(respondent, qi)  a column apart from qi and ts
--   respondent  not tanon._share_a_name(respondent, ts)  a column apart from qi and ts
-- Result:
--   granularity  VARCHAR  as offered
--   frequency    BIGINT   distinct respondents of a group
--   groups       BIGINT   how many groups have so many
--   tuples       BIGINT   the rows in all of them
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
