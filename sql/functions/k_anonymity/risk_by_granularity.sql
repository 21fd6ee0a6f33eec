-- How easily respondents could be recognized, in each offered granularity of time.
--
-- A group is a value of the quasi-identifiers with time, or without where there is none, which is
-- one row without a granularity; its size is its number of respondents. A respondent is as exposed
-- as in the smallest of their groups. An attacker who knows that someone is in the data
-- (prosecutor) finds them with a probability of one over that size; one who only knows that they
-- are in the population (journalist), with one over the smallest of the sizes there; one who links
-- everybody (marketer) gets the average, over respondents and their groups, of group size in the
-- data over the same group's in the population, times one over the size. Without a population the
-- source stands for it, which is the worst case. The attribute that gives away the most is the one
-- without which the mean risk of the prosecutor is lowest.
--
-- Whoever knows a respondent's rows looks for one who is in all of their groups: that is the trail,
-- in a release whose rows of one respondent can be linked. The candidates are all respondents of
-- the source who are in the groups known, whatever else they are in: all of the respondent's, or as
-- many as trail says, every choice being as likely; all, where there are no more. Up to 100,000
-- choices are all looked at, else 10,000 are drawn, the more the fewer respondents there are.
--
-- Cost: for each granularity the distinct (qi, granule, respondent), grouped once whole and once
-- without each attribute; all of it spills. Of trails, those that share their rarest groups with
-- too many others for 134 million looks are drawn from, 1,000 respondents or more. follow := false
-- leaves trails out.
--
-- Arguments:
--   source         relation               the table, the view or the query in parentheses
--   respondent     column not null of source and population as respondent  whom a row is about
--   qi             columns of source and population as quasi-identifier  quasi-identifiers beside
--       time
--   ts             column(time) not null of source and population as time = NULL  when it happened
--   granularities  granularities as generalized time = NULL  in what ts may be expressed
--   population     relation = NULL        whom the source was drawn from, with the same columns
--   calendar       calendar = NULL        granularities of your own
--   tz             text = NULL            whose clock decides, for TIMESTAMP WITH TIME ZONE
--   trail          integer > 0 = NULL     how many groups of a respondent somebody knows
--   seed           integer >= 0 = 0       which of them are drawn where not all can be looked at
--   follow         boolean = true         whether trails are looked at
-- Checks:
--   granularities  (granularities is null) = (ts is null)  given where ts is, and only there
--   ts   not tanon._share_a_name(ts, qi)  a column that is not among qi
--   respondent  not tanon._share_a_name(respondent, qi)  a column apart from qi and ts
--   respondent  not tanon._share_a_name(respondent, ts)  a column apart from qi and ts
--   trail  trail is null or follow  left out unless follow
-- Result:
--   granularity      VARCHAR              as offered, in the same order; NULL without ts
--   reason           VARCHAR              NULL, or why it is not feasible
--   respondents      BIGINT               distinct respondents
--   groups           BIGINT               distinct values of the quasi-identifiers
--   unique_share     DOUBLE               share of respondents who are alone in a group
--   below_5_share    DOUBLE               share of respondents in a group of fewer than 5
--   below_11_share   DOUBLE               share of respondents in a group of fewer than 11
--   prosecutor_max   DOUBLE               the largest risk
--   prosecutor_mean  DOUBLE               the mean risk of all respondents
--   journalist_max   DOUBLE               the same against the population
--   journalist_mean  DOUBLE               the same against the population
--   marketer         DOUBLE               the share of links that would be right
--   frequencies      MAP(BIGINT, BIGINT)  groups of each size
--   top_attribute    VARCHAR              the quasi-identifier that gives away the most
--   mean_without_it  DOUBLE               prosecutor_mean without that quasi-identifier
--   trail_unique_share   DOUBLE  (with follow) share of respondents alone with all their groups
--   trail_below_5_share  DOUBLE  (with follow) share of those who share all of them with fewer than
--       4 others
--   trail_margin         DOUBLE  (with follow) half of the 95 % interval of both; 0 where they are
--       exact
--   known_unique_share   DOUBLE  (with trail) the same where that many of their groups are known
--   known_below_5_share  DOUBLE  (with trail) the same where that many of their groups are known
--   known_margin         DOUBLE  (with trail) half of the 95 % interval of both
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
