-- What tanon.kp_anonymize makes of the series: for each its groups and word, NULL where it is left
-- out, and the ranges of each k-group.
-- Yields: kp_series, kp_envelopes
-- Reads: numbered_series
-- Takes: k, p, algorithm, max_level, split, foreign_words, scale

step kp_answer materialized
    select tanon._answer(tanon_kp_groups(
        list(tanon_values order by tanon_row asc nulls last), {k}, {p}, {algorithm},
        {if max_level is not null} {max_level} {else} if({algorithm} = 'shared', 26, 10) {end},
        {split}, {foreign_words}, {scale}
    )) as tanon_answer
    from {numbered_series}
end

step kp_series
    select
        generate_subscripts(tanon_answer['found'], 1) as tanon_row,
        unnest(tanon_answer['found'], recursive := true)
    from {kp_answer}
end

step kp_envelopes materialized
    select
        generate_subscripts(tanon_answer['envelopes'], 1) as k_group,
        unnest(tanon_answer['envelopes'], recursive := true)
    from {kp_answer}
end
