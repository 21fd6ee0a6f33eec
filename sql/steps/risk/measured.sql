-- What the sizes of groups tell of respondents and of groups. Means are summed over sizes in
-- ascending order, so that they do not depend on threads.
-- Yields: source_members, source_sizes, risk_of_people, risk_of_groups, top_attribute
-- Reads: members, risk_without, sizes, timed, wide_timed
-- Takes: source, population, qi, ts

step rows_at_risk not materialized
    from {if ts is null}{source}{else}{timed}{end}
end

use source_members = members(rows = rows_at_risk)
use source_sizes = sizes(of = source_members)

step rows_of_population not materialized
    from {if ts is null}{population}{else}{wide_timed}{end}
end

use wide_members = members(rows = rows_of_population)
use wide_sizes = sizes(of = wide_members)

step sizes_in_both materialized
    select tanon_s.*, {if population is null}tanon_f{else}coalesce(tanon_wide_f, 0){end}
        as tanon_wide_f
    from {source_sizes} as tanon_s
    {if population is not null}
    left join (select * rename (tanon_f as tanon_wide_f) from {wide_sizes}) as tanon_w
        on tanon_s.tanon_name = tanon_w.tanon_name
        and tanon_s.tanon_granule = tanon_w.tanon_granule
        {for q in tanon._list(qi) joined by ''}
        and tanon_s.{q:name} is not distinct from tanon_w.{q:name}
        {end}
    {end}
end

guard population_holds_the_source on exposed
    select 'population must hold every respondent of the source, got ' || count(*)
        || ' groups that are smaller in the population'
    from {sizes_in_both}
    where tanon_wide_f < tanon_f
    having count(*) > 0
end

step exposed
    select m.tanon_name, m.tanon_uid, min(s.tanon_f) as tanon_f, min(s.tanon_wide_f) as tanon_wide_f
    from {source_members} as m join {sizes_in_both} as s
        on m.tanon_name = s.tanon_name and m.tanon_granule = s.tanon_granule
        {for q in tanon._list(qi) joined by ''}
        and m.{q:name} is not distinct from s.{q:name}
        {end}
    where {checked population_holds_the_source}
    group by m.tanon_name, m.tanon_uid
end

step people_by_exposure
    select tanon_name, tanon_f, tanon_wide_f, count(*) as tanon_n
    from {exposed}
    group by all
end

step risk_of_people
    select
        tanon_name, sum(tanon_n)::bigint as tanon_people,
        coalesce(sum(tanon_n) filter (where tanon_f < 2), 0) as tanon_alone,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0) as tanon_below_5,
        coalesce(sum(tanon_n) filter (where tanon_f < 11), 0) as tanon_below_11,
        min(tanon_f) as tanon_smallest, min(tanon_wide_f) as tanon_wide_smallest,
        list_sum(list(
            tanon_n / tanon_f order by tanon_f asc nulls last, tanon_wide_f asc nulls last
        )) / tanon_people
            as tanon_mean,
        list_sum(list(
            tanon_n / tanon_wide_f order by tanon_wide_f asc nulls last, tanon_f asc nulls last
        )) / tanon_people
            as tanon_wide_mean
    from {people_by_exposure}
    group by tanon_name
end

step groups_by_size
    select tanon_name, tanon_f, tanon_wide_f, count(*) as tanon_n
    from {sizes_in_both}
    group by all
end

step risk_of_groups
    select
        tanon_name, sum(tanon_n)::bigint as tanon_groups,
        list_sum(list(
            tanon_links order by tanon_f asc nulls last
        )) / sum(tanon_f * tanon_n) as tanon_marketer,
        map_from_entries(list(
            (tanon_f, tanon_n) order by tanon_f asc nulls last
        )) as tanon_frequencies
    from (
        select tanon_name, tanon_f, sum(tanon_n)::bigint as tanon_n,
            list_sum(list(
                tanon_n * tanon_f / tanon_wide_f order by tanon_wide_f asc nulls last
            )) as tanon_links
        from {groups_by_size}
        group by all
    )
    group by tanon_name
end

step top_attribute
    select
        tanon_name, min(tanon_mean_without) as tanon_mean_without,
        arg_min(tanon_attribute, (tanon_mean_without,
            list_position(tanon._roles({qi:text}, {ts:text}), tanon_attribute))) as tanon_attribute
    from {risk_without}
    group by tanon_name
end
