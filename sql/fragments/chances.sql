{# The chance of each envelope of tanon_release that a member satisfies {ranges}: its ranges are
   taken as uniform and independent of each other. #}
tanon_asked as (select unnest({ranges}) as asked),
tanon_envelopes as (
    select low, high, count(*) as rows
    from tanon_release
    group by all
),
tanon_ranges_fit as (
    select coalesce(
        (
            select error(
                {function} || ': ranges must ask positions from 1 to ' || any_value(points)
                || ', got ' || max(asked['position'])
            )
            from tanon_asked, tanon_shape
            having max(asked['position']) > any_value(points) and any_value(points) > 0
        ),
        (
            select error(
                {function} || ': ranges must ask positions with published, finite ranges, got '
                || asked['position'] || '; see clip of tanon.estimate_ranges'
            )
            from tanon_envelopes, tanon_asked
            group by asked['position']
            having not bool_and(
                coalesce(isfinite(low[asked['position']] + high[asked['position']]), false)
            )
            order by asked['position']
            limit 1
        ),
        (select fits from tanon_fits)
    ) as fits
),
tanon_chances as (
    select
        rows,
        list_product(list_transform({ranges}, lambda r: tanon._inside_share(
            low[r['position']], high[r['position']],
            coalesce(r['low'], '-inf'), coalesce(r['high'], 'inf')
        ))) as chance,
        list_bool_and(list_transform({ranges}, lambda r:
            low[r['position']] <= coalesce(r['high'], 'inf')
            and coalesce(r['low'], '-inf') <= high[r['position']]
        )) as possible
    from tanon_envelopes
    where (select fits from tanon_ranges_fit)
)
select
    {# Summed in a fixed order, so that threads cannot change the last digit. #}
    coalesce(list_sum(list(rows * chance order by rows * chance)), 0)::double as estimate,
    sqrt(coalesce(list_sum(list(rows * chance * (1 - chance) order by rows * chance, rows)), 0))
        as standard_error,
    coalesce(sum(rows) filter (chance = 1), 0)::bigint as at_least,
    coalesce(sum(rows) filter (possible), 0)::bigint as at_most
from tanon_chances
