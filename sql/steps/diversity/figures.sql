-- How the sensitive values of groups differ, and how far they are from those of the whole table:
-- `counts` has tanon_group, tanon_value and tanon_n, how often; `shares` tanon_value and tanon_p.
-- Yields: group_figures
-- Reads: sensitive_levels
-- Takes: distance, limits

-- The steps up or down a ladder of values from one distribution to the other.
piece ordered_distance(counts, shares)
    select tanon_group, sum(abs(tanon_ahead)) / greatest(max(tanon_last) - 1, 1) as tanon_t
    from (
        select
            tanon_g.tanon_group, (select count(*) from {shares}) as tanon_last,
            sum(coalesce(tanon_c.tanon_n, 0) / tanon_g.tanon_of - tanon_p) over (
                partition by tanon_g.tanon_group order by tanon_s.tanon_value asc nulls last
                rows unbounded preceding
            ) as tanon_ahead
        from (
            select tanon_group, sum(tanon_n) as tanon_of from {counts} group by tanon_group
        ) as tanon_g cross join {shares} as tanon_s left join {counts} as tanon_c
            on tanon_g.tanon_group = tanon_c.tanon_group
            and tanon_s.tanon_value = tanon_c.tanon_value
    )
    group by tanon_group
end

-- The mean of the plain distances on all levels below the root.
piece hierarchical_distance(counts, shares)
    select
        tanon_group,
        sum((tanon_differ + 1 - tanon_met) / 2) / greatest(any_value(tanon_height), 1) as tanon_t
    from (
        select
            tanon_group, tanon_level, any_value(tanon_height) as tanon_height,
            sum(abs(tanon_q - tanon_p)) as tanon_differ, sum(tanon_p) as tanon_met
        from (
            select
                tanon_group, tanon_level, tanon_general, any_value(tanon_height) as tanon_height,
                sum(tanon_n / tanon_of) as tanon_q, any_value(tanon_share) as tanon_p
            from (
                select *, sum(tanon_n) over (partition by tanon_group) as tanon_of from {counts}
            ) join (
                select
                    tanon_l.*, sum(tanon_p) over (partition by tanon_level, tanon_general)
                        as tanon_share
                from {sensitive_levels} as tanon_l join {shares} using (tanon_value)
            ) using (tanon_value)
            group by tanon_group, tanon_level, tanon_general
        )
        group by tanon_group, tanon_level
    )
    group by tanon_group
end

use ordered_here = ordered_distance(counts = counts, shares = shares)
use hierarchical_here = hierarchical_distance(counts = counts, shares = shares)

piece group_figures(counts, shares)
    select tanon_f.* {if distance <> 'equal'}, coalesce(tanon_t.tanon_t, 0) as tanon_t{end}
    from (
        select
            tanon_group, count(*) as tanon_distinct, any_value(tanon_of) as tanon_of,
            any_value(tanon_of) / max(tanon_n) as tanon_frequency_l,
            exp(ln(any_value(tanon_of)) - sum(tanon_n * ln(tanon_n)) / any_value(tanon_of))
                as tanon_entropy_l,
            max(tanon_n) / nullif(list_sum((
                list(tanon_n order by tanon_n desc nulls last)
            )[{tanon._recursive_l(limits)}:]), 0) as tanon_recursive_c,
            greatest(max(tanon_n / tanon_of / tanon_p) - 1, 0) as tanon_beta
            {if distance = 'equal'}
            , (sum(abs(tanon_n / tanon_of - tanon_p)) + 1 - sum(tanon_p)) / 2 as tanon_t
            {end}
        from (
            select *, sum(tanon_n) over (partition by tanon_group) as tanon_of from {counts}
        ) join {shares} using (tanon_value)
        group by tanon_group
    ) as tanon_f
    {if distance = 'ordered'}
    join (
        {ordered_here}
    ) as tanon_t using (tanon_group)
    {end}
    {if distance = 'hierarchical'}
    left join (
        {hierarchical_here}
    ) as tanon_t using (tanon_group)
    {end}
end
