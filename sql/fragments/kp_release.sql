{# tanon_released: for every series its groups and word (groups NULL: suppressed); and the ranges
   of each k-group in tanon_envelopes. #}
{% set purpose = "'tanon.kp_anonymize'" %}
{% include "fragments/series_rows.sql" %},
{% include "fragments/enough_series.sql" %},
{% include "fragments/numbered_series.sql" %},
tanon_answer as materialized (
    select tanon_kp_groups(
        list(tanon_values order by tanon_row), {k}, {p}, {algorithm},
        {if max_level is not null} {max_level} {else} if({algorithm} = 'shared', 26, 10) {end},
        {split}, {foreign_words}
    ) as tanon_answer
    from tanon_numbered
),
tanon_released as (
    select
        generate_subscripts(tanon_answer['found'], 1) as tanon_row,
        unnest(tanon_answer['found'], recursive := true)
    from tanon_answer
),
tanon_envelopes as materialized (
    select
        generate_subscripts(tanon_answer['envelopes'], 1) as k_group,
        unnest(tanon_answer['envelopes'], recursive := true)
    from tanon_answer
)
