-- How many of `asked_rows` satisfy the ranges: the chance of each envelope that a member does. Its
-- ranges are taken as uniform and independent of each other.
-- Yields: count_in_ranges
-- Reads: asked_rows, release_fits, release_length
-- Takes: ranges

step asked_ranges
    select unnest({ranges}) as asked
end

step asked_envelopes
    select low, high, count(*) as rows
    from {asked_rows}
    group by all
end

guard positions_are_there on chances
    select 'ranges must ask positions from 1 to ' || any_value(points)
        || ', got ' || max(asked['position'])
    from {asked_ranges}, {release_length}
    having max(asked['position']) > any_value(points) and any_value(points) > 0
end

guard positions_are_published on chances
    select 'ranges must ask positions with published, finite ranges, got '
        || asked['position'] || '; see clip of tanon.estimate_withheld_ranges'
    from {asked_envelopes}, {asked_ranges}
    where {checked positions_are_there}
    group by asked['position']
    having not bool_and(
        coalesce(isfinite(low[asked['position']] + high[asked['position']]), false)
    )
    order by asked['position'] asc nulls last
    limit 1
end

step chances
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
    from {asked_envelopes}
    where {checked release_fits} and {checked positions_are_there}
        and {checked positions_are_published}
end

-- Summed in a fixed order, so that threads cannot change the last digit.
step count_in_ranges
    select
        coalesce(list_sum(list(
            rows * chance order by rows * chance asc nulls last
        )), 0)::double as estimate,
        sqrt(coalesce(list_sum(list(
            rows * chance * (1 - chance)
            order by rows * chance asc nulls last, rows asc nulls last
        )), 0)) as standard_error,
        coalesce(sum(rows) filter (chance = 1), 0)::bigint as at_least,
        coalesce(sum(rows) filter (possible), 0)::bigint as at_most
    from {chances}
end
