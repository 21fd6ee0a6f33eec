--   ts           column(time) not null as time = NULL  when it happened, a quasi-identifier like qi
--   granularity  granularity = NULL            in what ts is expressed; NULL: as it stands
--   calendar     calendar = NULL               granularities of your own
--   tz           text = NULL                   whose clock decides, for TIMESTAMP WITH TIME ZONE
{% if promised is defined %}
--   k            integer > 1 = NULL            what gen_m must reach, told in holds
{% endif %}
{% if sampled is defined %}
--   weight             column(number) not null = NULL  how many people a respondent stands for
--   sampling_fraction  number in (0, 1] = NULL         or how much of the population is in source
--   population_size    integer > 0 = NULL              or how many people it has
{% endif %}
-- Checks:
{% if sampled is defined %}
{% include "arguments/sample_checks.sql" %}
{% endif %}
--   ts           granularity is null or ts is not null  given where a granularity is
--   ts           not tanon._share_a_name(ts, qi)  a column that is not among qi
