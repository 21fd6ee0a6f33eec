-- Returns risk and utility of a release for each combination of k, suppression and choices.
--
-- Use this function to choose the arguments of tanon.publish_events. Each row describes the release
-- of one setting: the granularity and levels, the suppressed rows, the risks and the errors.
--
-- choices names sets of granularities and attributes that may be generalized. For example, {'time
-- alone': ['month'], 'with zip': ['month', 'year', 'zip']} compares two sets. An attribute that a
-- set omits keeps the lowest level that levels allows. Without choices, the function offers all
-- granularities and attributes. If a setting has no acceptable choice, reason names the number of
-- suppressed rows or the first time without a granule.
--
-- Risks are the figures of tanon.risk_by_granularity for the groups of the release. Errors are the
-- figures of tanon.evaluate_events, with the same random queries over qi, ts and keep for every
-- setting. If choose_by is 'entropy', all rows measure the entropy of times at the finest offered
-- granularity.
--
-- Cost: one search for all settings, and one aggregation for each examined choice. Each query then
-- reads the groups of each release. Try a sample first for a large table. Memory: the distinct rows
-- as numbers, and the groups of all chosen releases.
--
-- Arguments:
--   source           relation                      the table, the view or the query in parentheses
--   respondent  column not null of source and population as respondent  the respondent of the row
--   qi  columns of source and population as quasi-identifier  the quasi-identifiers other than the
--       time
--   k                sizes                         the values of k to try
--   ts  column(time) not null of source and population as time = NULL  the time of the event
--   granularities    granularities as generalized time = NULL  the granularities to choose from
--   max_suppression  shares = [0]                  the values of max_suppression to try
--   hierarchies  hierarchies as generalized quasi-identifier = NULL  a table (attribute, level,
--       value, generalized) of coarser values, as tanon.hierarchies returns it
--   choices          choices = NULL                the sets of granularities and attributes to try,
--       by name
--   keep             columns or none as keep = []  columns to release unchanged; queries use them
--       too
--   calendar         calendar = NULL               your own granularities
--   tz               text = NULL                   the time zone of the granules, for TIMESTAMP
--       WITH TIME ZONE
--   levels           levels = NULL                 fixed levels of attributes, such as {'zip': 2}
--   choose_by        preference = NULL             the rule for the preferred choice, as in
--       tanon.publish_events
--   sensitive        column as sensitive where limits = NULL  the sensitive column; NULL counts as
--       a value
--   limits           limits = NULL                 limits of the sensitive values of each group,
--       such as {'entropy_l': 2, 't': 0.3}; see tanon.diversity_metrics
--   distance  one of 'equal', 'ordered', 'hierarchical' = 'equal'  the distance between sensitive
--       values, for the limit t
--   population       relation = NULL                the population that contains source, with the
--       same columns
--   presence         presence = NULL                limits of what a release reveals about who is
--       in source, such as {'k_map': 5, 'delta_low': 0.01, 'delta_high': 0.5}; see
--       tanon.presence_metrics
--   queries          integer in [1, 100000] = 1000  the number of random counts
--   seed             integer = 0                   the seed of the random queries
-- Checks:
--   k              list_min(k::varchar::bigint[]) > 1  whole numbers above 1
--   granularities  (granularities is null) = (ts is null)  given if ts is given, and only then
--   ts             not tanon._share_a_name(ts, qi)   a column that is not among qi
--   respondent     not tanon._share_a_name(respondent, qi)  a column apart from qi and ts
--   respondent     not tanon._share_a_name(respondent, ts)  a column apart from qi and ts
--   keep           not tanon._share_a_name(keep, qi)   columns apart from respondent, qi and ts
--   keep           not tanon._share_a_name(keep, respondent)  columns apart from respondent, qi and
--       ts
--   keep           not tanon._share_a_name(keep, ts)   columns apart from respondent, qi and ts
--   choices  tanon._names_offered(choices) among tanon._roles(qi, granularities)  lists of offered
--       granularities and columns of qi
--   choices  coalesce(tanon._are_of(choices, granularities, qi), true)  lists of offered
--       granularities and columns of qi, with a granularity in each if ts is given
--   levels         levels is null or hierarchies is not null  given only together with hierarchies
--   levels         tanon._names_by_number(levels) among qi  levels of columns of qi
--   choose_by      tanon._names_by_number(choose_by) among tanon._roles(qi, ts)  one of
--       'least', 'gen_s', 'discernibility', 'entropy', or weights of columns of qi and of ts
--   limits         (limits is null) = (sensitive is null)  given if sensitive is given, and only
--       then
--   sensitive      not tanon._share_a_name(sensitive, tanon._roles(qi, ts))  a column that is not
--       among qi and ts
--   sensitive      not tanon._share_a_name(sensitive, respondent)  a column other than respondent
--   presence       (presence is null) = (population is null)  given if population is given, and
--       only then
--   max_suppression  tanon._may_leave_out(list_max(tanon._shares(max_suppression)), presence)  [0]
--       if presence has delta_low, because a suppressed group has no respondents in the release
--   hierarchies    distance <> 'hierarchical' or hierarchies is not null  given for distance
--       'hierarchical'
-- Result:
--   offer                  VARCHAR   the setting: the name of the set of choices; 'all' without
--       choices
--   k                      INTEGER   the setting: k
--   max_suppression        DOUBLE    the setting: the largest share of suppressed rows
--   reason                 VARCHAR   the reason why no release is possible; NULL if a release is
--       possible
--   granularity            VARCHAR   the chosen granularity; NULL without ts
--   levels                 MAP(VARCHAR, INTEGER)  the chosen level of each attribute
--   suppressed_share       DOUBLE    the share of suppressed rows
--   groups                 BIGINT    the number of groups in the release
--   gen_m                  BIGINT    the number of respondents in the smallest group
--   prosecutor_max         DOUBLE    the largest prosecutor risk of a respondent in the release
--   prosecutor_mean        DOUBLE    the mean prosecutor risk
--   marketer               DOUBLE    the share of right links
--   below_11_share         DOUBLE    the share of respondents in a group of fewer than 11
--   median_relative_error  DOUBLE    the median of the relative errors
--   ninth_decile           DOUBLE    the relative error that one query in ten exceeds
--   discernibility         BIGINT    the sum of the squared group sizes, and the number of all rows
--       for each suppressed row
--   entropy                DOUBLE    the bits that a row loses on average
-- For: the owner
-- Example:
--   from tanon.tune_events('visits', respondent := 'patient', qi := ['age', 'sex'], k := [3, 5,
--       10],
--       ts := 'admitted', granularities := ['week', 'month', 'quarter', 'year'],
--       max_suppression := [0, 0.05],
--       hierarchies := '(from tanon.hierarchies(''visits'', {''age'': ''intervals 10, 20''}))')

step asked_rows not materialized
    from {if ts is null}{source}{else}{timed}{end}
end

select
    tanon_offer as offer, c.tanon_k as k, tanon_share::double as max_suppression,
    tanon_reason as reason, tanon_name as granularity,
    case when tanon_reason is null then map {
        {for q in tanon._list(qi) joined by ', '}{q}: {q:name}{end}
    }::map (varchar, integer) end as levels,
    tanon_share_left_out as suppressed_share, tanon_groups as groups, tanon_m as gen_m,
    1 / tanon_m as prosecutor_max, tanon_mean as prosecutor_mean,
    tanon_groups / nullif(tanon_s, 0) as marketer, tanon_below_11 as below_11_share,
    tanon_median as median_relative_error, tanon_ninth as ninth_decile,
    tanon_discernibility as discernibility, tanon_bits as entropy
from {chosen} as c left join {releases} as r
    on c.tanon_node = r.tanon_node and c.tanon_k = r.tanon_k
left join {risk_of_releases} using (tanon_release)
left join {errors_of_releases} using (tanon_release)
order by tanon_rank asc nulls last, c.tanon_k asc nulls last, tanon_share asc nulls last
