-- Every row of a release must have ranges and a word of one length.
-- Yields: release_fits, release_length
-- Takes: release

step release_length
    select coalesce(max(len(low)), 0) as points from {release}
end

guard release_fits on release_length
    select 'the release must be ranges and words of one length ('
        || any_value(points) || '), got ' || count(*) || ' rows that are not'
    from {release}, {release_length}
    where (
        len(low) = points and len(high) = points and length(word) = points and level >= 1
    ) is not true
    having count(*) > 0
end
