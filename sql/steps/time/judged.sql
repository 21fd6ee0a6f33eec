-- Which granularities are acceptable, and which of these are least. Of one that is acceptable the
-- metrics are those of the groups that stay, of another those of all groups. The function says what
-- `measured` is: all of them, or those that a walk had to look at.
-- Yields: judged, judged_by, judged_columns, least, minimal
-- Reads: feasibility, finer, measured, span
-- Takes: max_suppression

step judged_by(measured) materialized
    select
        tanon_o.*, tanon_groups, tanon_suppressed,
        tanon_suppressed / greatest(tanon_rows, 1) as tanon_share,
        tanon_reason is null and tanon_suppressed <= {max_suppression} * tanon_rows
            as tanon_acceptable,
        case when tanon_acceptable then tanon_kept_m else tanon_m end as tanon_gen_m,
        case when tanon_acceptable then tanon_kept_s else tanon_s end as tanon_gen_s
    from {feasibility} as tanon_o join {measured} using (tanon_name), {span}
end

use judged = judged_by(measured = measured)

step minimal materialized
    select *
    from {judged}
    where tanon_acceptable and tanon_name not in (
        select tanon_above
        from {finer} join {judged} on tanon_below = tanon_name
        where tanon_acceptable
    )
end

step least materialized
    select *
    from {minimal}
    qualify rank() over (order by tanon_gen_m asc nulls first, tanon_gen_s desc nulls last) = 1
end

piece judged_columns
    tanon_name as granularity,
    tanon_reason is null as feasible,
    tanon_reason as reason,
    case when tanon_reason is null then tanon_gen_m end as gen_m,
    case when tanon_reason is null then tanon_gen_s end as gen_s,
    case when tanon_reason is null then tanon_groups end as groups,
    case when tanon_reason is null then tanon_suppressed end as suppressed_tuples,
    case when tanon_reason is null then tanon_share end as suppressed_share,
    tanon_acceptable as acceptable
end
