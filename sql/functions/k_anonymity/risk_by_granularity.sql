-- Returns the risk that respondents are re-identified, for each offered granularity of time.
--
-- Use this function before a release to choose qi and granularities. For the risk of the released
-- rows use tanon.publish_events with result := 'attacks'. Without ts the result has one row.
--
-- The size of a group is its number of respondents. The risk of a respondent is the risk in the
-- smallest of their groups. The function reports three adversaries:
--
--   Prosecutor  knows that a person is in the data. The risk is one over the group size.
--   Journalist  knows only that a person is in the population. The risk is one over the size of the
--               group in the population.
--   Marketer    links every respondent to the population. The figure is the average share of right
--               links.
--
-- Without population, the function uses source as the population, which is the worst case.
-- top_attribute is the attribute whose removal lowers the mean prosecutor risk the most.
--
-- The trail of a respondent is the set of all their groups. It matters if recipients can link the
-- rows of one respondent. An adversary who knows the trail searches for the respondents who are in
-- all groups of the trail. With trail := n the adversary knows n groups of each respondent. The
-- function examines up to 100,000 possible sets of n groups, or draws a sample from more.
--
-- Cost: for each granularity, one aggregation by respondent and group, and another one for each
-- attribute. DuckDB spills to disk what does not fit in memory. Trails that are too many to compare
-- are estimated from at least 1,000 respondents. follow := false omits the trails.
--
-- Arguments:
--   source         relation               the table, the view or the query in parentheses
--   respondent  column not null of source and population as respondent  the respondent of the row
--   qi  columns of source and population as quasi-identifier  the quasi-identifiers other than the
--       time
--   ts  column(time) not null of source and population as time = NULL  the time of the event
--   granularities  granularities as generalized time = NULL  the granularities to choose from
--   population     relation = NULL        the population that contains source, with the same
--       columns
--   calendar       calendar = NULL        your own granularities
--   tz             text = NULL            the time zone of the granules, for TIMESTAMP WITH TIME
--       ZONE
--   trail          integer > 0 = NULL     the number of groups of a respondent that the adversary
--       knows
--   seed           integer >= 0 = 0       the seed of the sample of trails
--   follow         boolean = true         whether to compute the risk of trails
-- Checks:
--   granularities  (granularities is null) = (ts is null)  given if ts is given, and only then
--   ts   not tanon._share_a_name(ts, qi)  a column that is not among qi
--   respondent  not tanon._share_a_name(respondent, qi)  a column apart from qi and ts
--   respondent  not tanon._share_a_name(respondent, ts)  a column apart from qi and ts
--   trail  trail is null or follow  omitted unless follow is true
-- Result:
--   granularity      VARCHAR              the granularity, in the order of the argument; NULL
--       without ts
--   reason           VARCHAR              NULL, or the reason why the granularity is not feasible
--   respondents      BIGINT               the number of distinct respondents
--   groups           BIGINT               the number of groups
--   unique_share     DOUBLE               the share of respondents who are alone in a group
--   below_5_share    DOUBLE               the share of respondents in a group of fewer than 5
--   below_11_share   DOUBLE               the share of respondents in a group of fewer than 11
--   prosecutor_max   DOUBLE               the largest prosecutor risk
--   prosecutor_mean  DOUBLE               the mean prosecutor risk of all respondents
--   journalist_max   DOUBLE               the largest journalist risk
--   journalist_mean  DOUBLE               the mean journalist risk of all respondents
--   marketer         DOUBLE               the share of right links
--   frequencies      MAP(BIGINT, BIGINT)  the number of groups of each size
--   top_attribute    VARCHAR              the attribute whose removal lowers the mean prosecutor
--       risk the most
--   mean_without_it  DOUBLE               prosecutor_mean without this attribute
--   trail_unique_share   DOUBLE  (with follow) the share of respondents with a unique trail
--   trail_below_5_share  DOUBLE  (with follow) the share of respondents whose trail fewer than 5
--       respondents share
--   trail_margin         DOUBLE  (with follow) half of the 95 % interval of both shares; 0 if they
--       are exact
--   known_unique_share   DOUBLE  (with trail) trail_unique_share if the adversary knows n groups
--   known_below_5_share  DOUBLE  (with trail) trail_below_5_share if the adversary knows n groups
--   known_margin         DOUBLE  (with trail) half of the 95 % interval of both shares
-- For: the owner
-- Example:
--   from tanon.risk_by_granularity('visits', respondent := 'patient', qi := ['sex', 'zip'],
--       ts := 'admitted', granularities := ['month', 'quarter', 'year'])

step looked_at
    {if ts is null}
    select '' as tanon_name, null::varchar as tanon_reason, 1 as tanon_place
    {else}
    from {feasibility}
    {end}
end

select
    {if ts is null}null::varchar{else}tanon_name{end} as granularity,
    tanon_reason as reason, tanon_people as respondents,
    tanon_groups as groups, r.tanon_alone / tanon_people as unique_share,
    r.tanon_below_5 / tanon_people as below_5_share,
    tanon_below_11 / tanon_people as below_11_share,
    1 / tanon_smallest as prosecutor_max, tanon_mean as prosecutor_mean,
    1 / tanon_wide_smallest as journalist_max, tanon_wide_mean as journalist_mean,
    tanon_marketer as marketer, tanon_frequencies as frequencies,
    tanon_attribute as top_attribute, tanon_mean_without as mean_without_it
    {if follow},
    w.tanon_alone as trail_unique_share, w.tanon_below_5 as trail_below_5_share,
    w.tanon_margin as trail_margin, p.tanon_alone as known_unique_share,
    p.tanon_below_5 as known_below_5_share, p.tanon_margin as known_margin
    {end}
from {looked_at} left join {risk_of_people} as r using (tanon_name)
left join {risk_of_groups} using (tanon_name) left join {top_attribute} using (tanon_name)
{if follow}
left join (from {followed_trails} where tanon_is_all) as w using (tanon_name)
left join (from {followed_trails} where not tanon_is_all) as p using (tanon_name)
{end}
order by tanon_place asc nulls last
