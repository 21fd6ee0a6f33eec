-- The distinct words of a release, each with the series that it stands for.
-- Yields: rebuilt_words
-- Reads: release_fits
-- Takes: release

step rebuilt_words
    select word, level, tanon._rebuilt(word, level) as series
    from (select distinct word, level from {release})
    where {checked release_fits}
end
