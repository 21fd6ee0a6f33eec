--   source           relation                         the table, the view or the query in
--       parentheses
--   uid              column not null as respondent    whom a row is about: the respondent
--   qi               columns as quasi-identifier      the quasi-identifiers beside time
--   ts               column(time) not null as time    when it happened, a quasi-identifier like qi
--   granularities    granularities as generalized time  in what ts may be expressed
--   k                integer > 1            how many distinct respondents must share a value
--   max_suppression  share = 0              the share of rows that may be left out
--   calendar         calendar = NULL        granularities of your own
--   tz               text = NULL            whose clock decides, for TIMESTAMP WITH TIME ZONE
{% if kept is defined %}
{% include "arguments/kept.sql" %}
{% endif %}
{% if asks is defined %}
{% include "arguments/asks.sql" %}
{% endif %}
{% if owners_copy is defined %}
--   for_owner        boolean = false        whether to add uid, for your own checks
{% endif %}
-- Checks:
--   ts  not tanon._share_a_name(ts, qi)  a column that is not among qi
--   uid  not tanon._share_a_name(uid, qi)  a column apart from qi and ts
--   uid  not tanon._share_a_name(uid, ts)  a column apart from qi and ts
