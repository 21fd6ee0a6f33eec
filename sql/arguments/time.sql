--   ts           column(time) not null as time = NULL  when it happened, a quasi-identifier like qi
--   granularity  granularity = NULL            in what ts is expressed; NULL: as it stands
--   calendar     calendar = NULL               granularities of your own
--   tz           text = NULL                   whose clock decides, for TIMESTAMP WITH TIME ZONE
{% if promised is defined %}
--   k            integer > 1 = NULL            what gen_m must reach, told in holds
{% endif %}
-- Checks:
--   ts           granularity is null or ts is not null  given where a granularity is
--   ts           not tanon._share_a_name(ts, qi)  a column that is not among qi
