{# Which granularities are acceptable, and which of these are least. Of one that is acceptable the
   metrics are those of the groups that stay, of another those of all groups. #}
tanon_judged as materialized (
    select
        tanon_feasibility.*, tanon_groups, tanon_suppressed,
        tanon_suppressed / greatest(tanon_rows, 1) as tanon_share,
        tanon_reason is null and tanon_suppressed <= {max_suppression} * tanon_rows
            as tanon_acceptable,
        case when tanon_acceptable then tanon_kept_m else tanon_m end as tanon_gen_m,
        case when tanon_acceptable then tanon_kept_s else tanon_s end as tanon_gen_s
    from tanon_feasibility join tanon_measured using (tanon_name), tanon_span
),
tanon_minimal as (
    select *
    from tanon_judged
    where tanon_acceptable and tanon_name not in (
        select tanon_coarse
        from tanon_finer join tanon_judged on tanon_fine = tanon_name
        where tanon_acceptable
    )
),
tanon_least as materialized (
    select *
    from tanon_minimal
    qualify rank() over (order by tanon_gen_m nulls first, tanon_gen_s desc) = 1
)
