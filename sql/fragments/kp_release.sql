{# tanon_released: for every series its groups, ranges and word (groups NULL: suppressed); and
   tanon_published, what is left of it. Rows are numbered in an order that has no meaning. #}
{% include "fragments/series_rows.sql" %},
{% include "fragments/enough_series.sql" %},
{% include "fragments/numbered_series.sql" %},
tanon_answer as materialized (
    select tanon_kp_groups(
        list(tanon_values order by tanon_row), {k}, {p}, {algorithm},
        {if max_level is not null} {max_level} {else} if({algorithm} = 'shared', 26, 10) {end},
        {split}, {foreign_words}
    ) as tanon_rows
    from tanon_numbered
),
tanon_released as (
    select generate_subscripts(tanon_rows, 1) as tanon_row, unnest(tanon_rows, recursive := true)
    from tanon_answer
)
