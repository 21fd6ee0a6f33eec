{# Per partition: records, level, and the cut h up to which every value may stay.
   h is allowed exactly when (l - k) * h <= all but the k largest counts, for every k < l. #}
tanon_ranked as (
    select
        tanon_snapshot, tanon_n,
        row_number() over tanon_by_size - 1 as tanon_k,
        sum(tanon_n) over (tanon_by_size rows between current row and unbounded following)
            as tanon_tail
    from tanon_numbers
    window tanon_by_size as (partition by tanon_snapshot order by tanon_n desc)
),
tanon_levels as (
    select
        tanon_snapshot,
        sum(tanon_n)::bigint as records,
        max(tanon_n)::bigint as level,
        case
            when count(*) * tanon._denominator({l}) < tanon._numerator({l}) then 0
            else least(max(tanon_n), coalesce(min(
                tanon_tail * tanon._denominator({l}) // nullif(greatest(
                    tanon._numerator({l}) - tanon_k * tanon._denominator({l}), 0), 0)
            ), max(tanon_n)))
        end::bigint as tanon_cut,
        list(tanon_n) as tanon_counts
    from tanon_ranked
    group by tanon_snapshot
)
