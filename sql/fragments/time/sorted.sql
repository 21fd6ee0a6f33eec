{# The one sort: each row with the previous time of its respondent among equal quasi-identifiers.
   A row is the first of its respondent in a granule unless that time lies in the same granule, so
   that frequencies are sums of firsts, whatever the granularity. Rows of one value stay together,
   which makes the sums quicker. The walk, which may stop early, keeps the times themselves. #}
{% set moment, text = ("tanon_t", "tanon_t") if walk is defined
    else ("tanon_beat", "{granularities:beat_text}") %}
{% if walk is not defined %}
tanon_values as materialized (
    select *, (row_number() over ())::integer as tanon_value
    from (select distinct {qi} from tanon_timed)
),
{% endif %}
tanon_sorted as materialized (
    select
        tanon_value, {{ moment }},
        case when lag(tanon_uid) over tanon_in_order = tanon_uid
            then lag({{ moment }}) over tanon_in_order end as tanon_previous
    from (
        select
            tanon_value, {tanon_s.uid} as tanon_uid,
            {{ text }} as {{ moment }}
        from tanon_timed as tanon_s join tanon_values as tanon_v
            on {for q in tanon._list(qi) joined by ' and '}
                tanon_s.{q:name} is not distinct from tanon_v.{q:name}
            {end}
        {% if walk is defined %}
        where (select count(*) > 0 from tanon_order)
        {% endif %}
    )
    window tanon_in_order as (partition by tanon_value order by tanon_uid, {{ moment }})
),
