{# tanon_frequencies: respondents and rows of every value of the quasi-identifiers, time included.
   Two plain hash aggregations instead of count(distinct): as exact, and quicker. Columns are named
   behind group by, since group by all knows no collations: 'u1' and 'U1' may be one respondent. #}
{if granularity is not null},
{% include "fragments/time/placed.sql" %}
{end},
tanon_people as (
    select
        {qi}, {uid} as tanon_uid, count(*) as tanon_rows
        {if granularity is not null}
        , tanon_granule, min(tanon_t) as tanon_first
        {else}
        {if ts is not null}, {ts}{end}
        {end}
    from {if granularity is not null}tanon_placed{else}{source}{end}
    group by {qi}, {uid} {if granularity is not null}, tanon_granule{else}{,ts}{end}
),
tanon_frequencies as (
    select
        {qi}, count(*) as frequency, sum(tanon_rows)::bigint as tuples
        {if granularity is not null}
        , tanon_granule, min(tanon_first) as tanon_first
        {else}
        {if ts is not null}, {ts}{end}
        {end}
    from tanon_people
    group by {qi} {if granularity is not null}, tanon_granule{else}{,ts}{end}
)
