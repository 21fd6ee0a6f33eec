-- That a release and its source belong together. The function says what `targets` are: the series
-- of the source, numbered, with tanon_values. The release speaks first: only where it is one is
-- the source compared with it.
-- Yields: points_of_targets, release_is_whole, targets_fit
-- Reads: targets
-- Takes: release

step points_of_targets
    select coalesce(
        (select max(len(low)) from {release}),
        (select max(len(tanon_values)) from {targets})
    ) as points
end

guard release_is_whole on targets
    select 'release must be ranges and words of one length ('
        || any_value(points) || '), got ' || count(*) || ' rows that are not'
    from {release}, {points_of_targets}
    where (
        len(low) = points and len(high) = points and length(word) = points and level >= 1
    ) is not true
    having count(*) > 0
end

guard targets_fit on targets
    select 'source must fit published: finite series of '
        || any_value(points) || ' values, got ' || count(*) || ' others'
    from {targets}, {points_of_targets}
    where {checked release_is_whole} and (
        len(tanon_values) = points and list_bool_and(list_transform(
            tanon_values, lambda v: coalesce(isfinite(v), false)
        ))
    ) is not true
    having count(*) > 0
end
