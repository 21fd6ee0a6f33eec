-- The distinct rows of a tailored release with their estimates. The function says `what` is
-- estimated, 'ranges' or 'letters', and which column, `earlier_flags`, marks estimates of the
-- other kind where there are some.
-- Yields: customized_widened, estimates
-- Reads: earlier_flags, release_fits, what
-- Takes: customized

step customized_widened
    from {customized}
    union all by name
    select
        null::boolean[] as {earlier_flags}, null::double[] as domain_low,
        null::double[] as domain_high
    where false
end

step classes_to_estimate
    select distinct low, high, pr, level, {earlier_flags} as earlier
    from {customized_widened}
    where {checked release_fits}
end

step estimates
    select
        low as tanon_low, high as tanon_high, pr as tanon_pr, level as tanon_level,
        tanon._answer(tanon_estimate_cells(low, high, pr, level, coalesce(earlier, []), {what}))
            as tanon_found
    from {classes_to_estimate}
end
