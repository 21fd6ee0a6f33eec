{# The distance of each word of tanon_words (pr, level, values) to the argument `wanted`. #}
tanon_distances as (
    select
        pr as tanon_pr, level as tanon_level,
        case
            when len({{ wanted }}) <> points then error(
                {function} || ': {{ wanted[1:-1] }} must be ' || points || ' numbers, got '
                || len({{ wanted }})
            )
            when list_contains(string_split(pr, ''), '.') then error(
                {function} || ': published must have whole words, got '
                || pr || '; see tanon.estimate_patterns'
            )
            when list_count(values) < points then error(
                {function} || ': published must have words with letters of their level, got '
                || pr || ' at level ' || level
            )
            else tanon._pattern_distance(values, {{ wanted }})
        end as distance
    from tanon_words, tanon_shape
)
