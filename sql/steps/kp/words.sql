-- The distinct words of a release, each with the series that it stands for.
-- Yields: rebuilt_words
-- Reads: release_fits
-- Takes: published

step rebuilt_words
    select pr, level, tanon._rebuilt(pr, level) as series
    from (select distinct pr, level from {published})
    where {checked release_fits}
end
