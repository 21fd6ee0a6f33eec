{# The distinct rows of {customized} with their estimates: `what` is 'ranges' or 'letters',
   `flag` the column that marks earlier estimates of the other kind, where there is one. #}
{% set release = '{customized}' %}
{% include "fragments/release_fits.sql" %},
tanon_widened as (
    from {customized}
    union all by name
    select
        null::boolean[] as {{ flag }}, null::double[] as domain_low, null::double[] as domain_high
    where false
),
tanon_inputs as (
    select distinct low, high, pr, level, {{ flag }} as earlier
    from tanon_widened
    where (select fits from tanon_fits)
),
tanon_estimates as (
    select
        low as tanon_low, high as tanon_high, pr as tanon_pr, level as tanon_level,
        tanon_estimate_cells(low, high, pr, level, coalesce(earlier, []), '{{ what }}')
            as tanon_found
    from tanon_inputs
)
