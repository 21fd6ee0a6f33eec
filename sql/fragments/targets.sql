tanon_targets as (
    select
        row_number() over () as target,
        {id} as tanon_id,
{% include "fragments/readings.sql" %}
{% if not (without_sensitive | default(false)) %}
        , row({s.sensitive}) as tanon_value
{% endif %}
    from {source} as s
),
tanon_shape as (
    select coalesce(
        (select max(len(low)) from {published}),
        (select max(len(tanon_values)) from tanon_targets)
    ) as points
),
tanon_release_fits as materialized (
    select coalesce(
        (
            select error(
                {function} || ': published must be ranges and words of one length ('
                || any_value(points) || '), got ' || count(*) || ' rows that are not'
            )
            from {published}, tanon_shape
            where (
                len(low) = points and len(high) = points and length(pr) = points and level >= 1
            ) is not true
            having count(*) > 0
        )::boolean,
        true
    ) as tanon_fine
),
{# The release speaks first: only where it fits is the source compared with it. #}
tanon_fits as (
    select (select tanon_fine from tanon_release_fits) and coalesce(
        (
            select error(
                {function} || ': source must fit published: finite series of '
                || any_value(points) || ' values, got ' || count(*) || ' others'
            )
            from tanon_targets, tanon_shape
            where (select tanon_fine from tanon_release_fits) and (
                len(tanon_values) = points and list_bool_and(list_transform(
                    tanon_values, lambda v: coalesce(isfinite(v), false)
                ))
            ) is not true
            having count(*) > 0
        )::boolean,
        true
    ) as fits
)
