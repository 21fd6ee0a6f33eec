{# From the rows of the source to the granularities that are least. #}
{% set walk = true %}
{% include "fragments/time/feasible.sql" %}
tanon_none as (
    select error({function} || ': granularities must cover every time, got none that does: '
        || string_agg(tanon_name || ': ' || tanon_reason, '; ' order by tanon_place))::boolean
        as tanon_fine
    from tanon_feasibility
    having bool_and(tanon_reason is not null)
),
{% include "fragments/time/order.sql" %}
{% include "fragments/time/sorted.sql" %}
{% include "fragments/time/walk.sql" %}
{% include "fragments/time/judged.sql" %}
