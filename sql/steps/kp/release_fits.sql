-- That every row of a release has ranges and a word of one length. Where the release has another
-- name: let published = customized.
-- Yields: release_fits, release_length
-- Takes: published

step release_length
    select coalesce(max(len(low)), 0) as points from {published}
end

guard release_fits on release_length
    select 'the release must be ranges and words of one length ('
        || any_value(points) || '), got ' || count(*) || ' rows that are not'
    from {published}, {release_length}
    where (
        len(low) = points and len(high) = points and length(pr) = points and level >= 1
    ) is not true
    having count(*) > 0
end
