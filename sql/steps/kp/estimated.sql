-- The distinct rows of a tailored release with their estimates. The function says `what` is
-- estimated, 'ranges' or 'letters', and which column, `earlier_flags`, marks estimates of the
-- other kind where there are some.
-- Yields: release_widened, estimates
-- Reads: earlier_flags, release_fits, what
-- Takes: release

step release_widened
    from {release}
    union all by name
    select
        null::boolean[] as {earlier_flags}, null::double[] as domain_low,
        null::double[] as domain_high
    where false
end

step classes_to_estimate
    select distinct low, high, word, level, {earlier_flags} as earlier
    from {release_widened}
    where {checked release_fits}
end

step estimates
    select
        low as tanon_low, high as tanon_high, word as tanon_pr, level as tanon_level,
        tanon._answer(tanon_estimate_cells(low, high, word, level, coalesce(earlier, []), {what}))
            as tanon_found
    from {classes_to_estimate}
end
