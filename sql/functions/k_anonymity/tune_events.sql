-- What each choice of k, of how much may be left out and of what is offered comes to.
--
-- One row for each setting: what tanon.publish_events would choose for it and with the same
-- arguments release, what that leaves out, how exposed respondents are in the release, and what it
-- is still good for. An offer names granularities and attributes that may be generalized: {'time
-- alone': ['month'], 'with zip': ['month', 'year', 'zip']}; attributes that it does not name stay
-- as they are, or at the least level that levels allows. Without choices, all is offered. A setting
-- for which nothing will do has a reason: how many rows would have to go, or which time no
-- granularity of the offer covers.
--
-- Risks are those of tanon.risk_by_granularity for the groups of the release: prosecutor_max for
-- whoever is in the smallest, prosecutor_mean over respondents, each in the smallest of their
-- groups, marketer over respondents and groups. Errors are those of tanon.evaluate_events: the same
-- random counts over qi, ts and keep for every setting, so that rows can be compared. If choose_by
-- is 'entropy', moments are told apart as finely as anything offered does, in every row.
--
-- Cost: the rows are counted once, in cells, and what is chosen is searched for all settings
-- together: a choice that is looked at is grouped once, whatever k and shares are asked for. Then
-- the groups of what is chosen are counted once more, and each query looks at those that its first
-- attribute leaves. Try a sample first on a large table. Memory: the rows as numbers, the groups of
-- all that is chosen.
--
-- Arguments:
--   source           relation                      the table, the view or the query in parentheses
--   respondent       column not null of source and population as respondent  whom a row is about:
--       the respondent
--   qi               columns of source and population as quasi-identifier  the quasi-identifiers
--       beside time
--   k                sizes                         how many respondents must share a value: to try
--   ts               column(time) not null of source and population as time = NULL  when it
--       happened
--   granularities    granularities as generalized time = NULL  in what ts may be expressed
--   max_suppression  shares = [0]                  the shares of rows that may be left out: to try
--   hierarchies      hierarchies as generalized quasi-identifier = NULL  attribute, level, value,
--       generalized: what each value becomes on each level
--   choices          choices = NULL                by name, granularities and attributes that may
--       be generalized: to try
--   keep             columns or none as keep = []  what leaves as it is: counts ask for it too
--   calendar         calendar = NULL               granularities of your own
--   tz               text = NULL                   whose clock decides, for a time with zone
--   levels           levels = NULL                 levels that are fixed, as {'zip': 2}
--   choose_by        preference = NULL             which choice is preferred, as in
--       tanon.publish_events
--   sensitive        column as sensitive where limits = NULL  what nobody may learn; NULL is a
--       value
--   limits           limits = NULL                 how diverse it must be in every group, as in
--       tanon.diversity_metrics: {'entropy_l': 2, 't': 0.3}
--   distance         one of 'equal', 'ordered', 'hierarchical' = 'equal'  how far values are apart,
--       for t
--   population       relation = NULL                whom source was drawn from, with the same
--       columns
--   presence         presence = NULL                how each group must be hidden in population,
--       as in tanon.presence_metrics: {'k_map': 5, 'delta_low': 0.01, 'delta_high': 0.5}
--   queries          integer in [1, 100000] = 1000  random counts
--   seed             integer = 0                   another seed, other queries
-- Checks:
--   k              list_min(k::varchar::bigint[]) > 1  whole numbers above 1
--   granularities  (granularities is null) = (ts is null)  given where ts is, and only there
--   ts             not tanon._share_a_name(ts, qi)   a column that is not among qi
--   respondent     not tanon._share_a_name(respondent, qi)  a column apart from qi and ts
--   respondent     not tanon._share_a_name(respondent, ts)  a column apart from qi and ts
--   keep           not tanon._share_a_name(keep, qi)   columns apart from respondent, qi and ts
--   keep           not tanon._share_a_name(keep, respondent)  columns apart from respondent, qi and
--       ts
--   keep           not tanon._share_a_name(keep, ts)   columns apart from respondent, qi and ts
--   choices        tanon._names_offered(choices) among tanon._roles(qi, granularities)  lists of
--       granularities that are offered and columns of qi
--   choices        coalesce(tanon._are_of(choices, granularities, qi), true)  lists of
--       granularities that are offered and columns of qi, with a granularity in each where there is
--       ts
--   levels         levels is null or hierarchies is not null  given where hierarchies are
--   levels         tanon._names_by_number(levels) among qi  levels of columns of qi
--   choose_by      tanon._names_by_number(choose_by) among tanon._roles(qi, ts)  one of
--       'least', 'gen_s', 'discernibility', 'entropy', or weights of columns of qi and of ts
--   limits         (limits is null) = (sensitive is null)  given where sensitive is, and only there
--   sensitive      not tanon._share_a_name(sensitive, tanon._roles(qi, ts))  a column that is not
--       among qi and ts
--   sensitive      not tanon._share_a_name(sensitive, respondent)  a column other than respondent
--   presence       (presence is null) = (population is null)  given where population is, and only
--       there
--   max_suppression  tanon._may_leave_out(list_max(tanon._shares(max_suppression)), presence)  [0]
--       where delta_low is asked for: a group that is left out has nobody in the release
--   hierarchies    distance <> 'hierarchical' or hierarchies is not null  given for distance
--       'hierarchical'
-- Result:
--   offer                  VARCHAR   the setting: the name of what is offered, 'all' without
--       choices
--   k                      INTEGER   the setting: respondents who must share a value
--   max_suppression        DOUBLE    the setting: the share of rows that may be left out
--   reason                 VARCHAR   why nothing can be released, NULL where something can
--   granularity            VARCHAR   what is chosen for ts, NULL without
--   levels                 MAP(VARCHAR, INTEGER)  what is chosen for each attribute
--   suppressed_share       DOUBLE    the share of rows left out
--   groups                 BIGINT    distinct values of the quasi-identifiers in the release
--   gen_m                  BIGINT    the fewest respondents who share one
--   prosecutor_max         DOUBLE    the largest risk of a respondent in the release
--   prosecutor_mean        DOUBLE    the mean risk of its respondents
--   marketer               DOUBLE    the share of links that would be right
--   below_11_share         DOUBLE    share of its respondents in a group of fewer than 11
--   median_relative_error  DOUBLE    of the middle query
--   ninth_decile           DOUBLE    the relative error that one query in ten exceeds
--   discernibility         BIGINT    squared rows of each group, all rows for one left out
--   entropy                DOUBLE    bits that a row loses on average
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
