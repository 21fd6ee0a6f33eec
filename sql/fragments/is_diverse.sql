{# One row, or an error: tanon_result is l-diverse. An independent check of what is published. #}
tanon_is_diverse as (
    select case when count(*) = 0 then true else error(
        {function} || ': the result must be l-diverse, got ' || count(*) || ' crowded values'
    ) end as fine
    from (
        select sum(tanon_times) as rows, max(tanon_times) as frequency
        from (
            select low, high, pr, level, {sensitive}, count(*) as tanon_times
            from tanon_result group by all
        )
        group by low, high, pr, level
    )
    where frequency * {l} > rows
)
