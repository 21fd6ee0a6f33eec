--   source           relation                       the table, the view or the query in parentheses
--   uid              column not null of source and population as respondent  whom a row is about:
--       the respondent
--   qi               columns of source and population as quasi-identifier  the quasi-identifiers
--       beside time
--   ts               column(time) not null of source and population as time = NULL  when it
--       happened, one like those of qi
--   granularities    granularities as generalized time = NULL  in what ts may be expressed
--   k                integer > 1 = NULL             how many respondents must share a value
--   max_suppression  share = 0                      the share of rows that may be left out
--   calendar         calendar = NULL                granularities of your own
--   tz               text = NULL                    whose clock decides, for a time with zone
{% include "arguments/kept.sql" %}
--   hierarchies      hierarchies as generalized quasi-identifier = NULL  attribute, level, value,
--       generalized: what each value becomes on each level
--   levels           levels = NULL                  levels that are not to be chosen, as {'zip': 2}
--   prefer           preference = NULL              which of the choices is released: NULL for the
--       minimal one with the least loss by entropy, or 'least', 'gen_s', 'discernibility',
--       'entropy', or 'entropy' with weights, as {'zip': 2}
--   suppression      one of 'rows', 'cells' = 'rows'  what is left out of groups below k: their
--       rows, or the fewest of their attributes that make them reach k, shown as *
--   remainder        boolean = false                whether rows left out are shown as one row for
--       each period
--   sensitive        column as sensitive where limits = NULL  what nobody may learn; NULL is a
--       value
--   limits           limits = NULL                  how diverse it must be in every group, as in
--       tanon.diversity_metrics: {'entropy_l': 2, 't': 0.3}
--   without_limits   boolean = false                whether sensitive columns of keep leave without
--       limits
--   distance         one of 'equal', 'ordered', 'hierarchical' = 'equal'  how far values are apart,
--       for t
--   population       relation = NULL                whom source was drawn from, with the same
--       columns
--   presence         presence = NULL                how each group must be hidden in population,
--       as in tanon.presence_metrics: {'k_map': 5, 'delta_low': 0.01, 'delta_high': 0.5}
{% if asks is defined %}
{% include "arguments/asks.sql" %}
{% endif %}
{% if owners_copy is defined %}
--   for_owner        boolean = false                whether to add uid, for your own checks
{% endif %}
-- Checks:
--   k              k is not null  an integer > 1
--   granularities  (granularities is null) = (ts is null)  given where ts is, and only there
--   ts             not tanon._share_a_name(ts, qi)  a column that is not among qi
--   uid            not tanon._share_a_name(uid, qi)  a column apart from qi and ts
--   uid            not tanon._share_a_name(uid, ts)  a column apart from qi and ts
--   levels         levels is null or hierarchies is not null  given where hierarchies are
--   levels         tanon._names_by_number(levels) among qi  levels of columns of qi
--   prefer         tanon._names_by_number(prefer) among tanon._roles(qi, ts)  one of
--       'least', 'gen_s', 'discernibility', 'entropy', or weights of columns of qi and of ts
--   limits         limits is not null or sensitive is null or without_limits  given where
--       sensitive is, unless without_limits := true
--   sensitive      limits is null or sensitive is not null  given where limits are
--   sensitive      not tanon._share_a_name(sensitive, tanon._roles(qi, ts))  a column that is not
--       among qi and ts
--   sensitive      not tanon._share_a_name(sensitive, uid)  a column other than uid
--   hierarchies    distance <> 'hierarchical' or hierarchies is not null  given for distance
--       'hierarchical'
--   presence       (presence is null) = (population is null)  given where population is, and only
--       there
--   max_suppression  tanon._may_leave_out(max_suppression, presence)  0 where delta_low is asked
--       for: a group that is left out has nobody in the release
--   suppression    suppression <> 'cells' or limits is null  'rows' where there are limits
--   suppression    suppression <> 'cells' or presence is null  'rows' where there is a population
--   suppression    suppression <> 'cells' or len(tanon._list(qi)) <= 10  'rows' for more than 10 qi
--   keep           not tanon._share_a_name(keep, qi)   columns apart from uid, qi and ts
--   keep           not tanon._share_a_name(keep, uid)  columns apart from uid, qi and ts
--   keep           not tanon._share_a_name(keep, ts)   columns apart from uid, qi and ts
{% set kept = "keep" %}
{% include "arguments/kept_checks.sql" %}
