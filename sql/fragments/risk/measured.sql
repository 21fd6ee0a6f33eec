{# Means are summed over sizes in ascending order, so that they do not depend on threads. #}
tanon_linked as materialized (
    select tanon_sizes.*,
        {if population is null}tanon_sizes.tanon_f{else}
        coalesce(tanon_wide_sizes.tanon_f, 0){end} as tanon_wide_f
    from tanon_sizes
    {if population is not null}
    left join tanon_wide_sizes
        on tanon_sizes.tanon_name = tanon_wide_sizes.tanon_name
        and tanon_sizes.tanon_granule = tanon_wide_sizes.tanon_granule
        {for q in tanon._list(qi) joined by ''}
        and tanon_sizes.{q:name} is not distinct from tanon_wide_sizes.{q:name}
        {end}
    {end}
),
tanon_foreign as (
    select error({function} || ': population must hold every respondent of the source, got '
        || count(*) || ' groups that are smaller in the population')::boolean as tanon_fine
    from tanon_linked
    where tanon_wide_f < tanon_f
    having count(*) > 0
),
tanon_exposed as (
    select m.tanon_name, m.tanon_uid, min(s.tanon_f) as tanon_f, min(s.tanon_wide_f) as tanon_wide_f
    from tanon_members as m join tanon_linked as s
        on m.tanon_name = s.tanon_name and m.tanon_granule = s.tanon_granule
        {for q in tanon._list(qi) joined by ''}
        and m.{q:name} is not distinct from s.{q:name}
        {end}
    where (select coalesce(bool_and(tanon_fine), true) from tanon_foreign)
    group by m.tanon_name, m.tanon_uid
),
tanon_persons as (
    select
        tanon_name, sum(tanon_n)::bigint as tanon_people,
        coalesce(sum(tanon_n) filter (where tanon_f < 2), 0) as tanon_alone,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0) as tanon_below_5,
        coalesce(sum(tanon_n) filter (where tanon_f < 11), 0) as tanon_below_11,
        min(tanon_f) as tanon_smallest, min(tanon_wide_f) as tanon_wide_smallest,
        list_sum(list(tanon_n / tanon_f order by tanon_f, tanon_wide_f)) / tanon_people
            as tanon_mean,
        list_sum(list(tanon_n / tanon_wide_f order by tanon_wide_f, tanon_f)) / tanon_people
            as tanon_wide_mean
    from (
        select tanon_name, tanon_f, tanon_wide_f, count(*) as tanon_n
        from tanon_exposed
        group by all
    )
    group by tanon_name
),
tanon_groups_of as (
    select
        tanon_name, sum(tanon_n)::bigint as tanon_groups,
        list_sum(list(tanon_links order by tanon_f)) / sum(tanon_f * tanon_n) as tanon_marketer,
        map_from_entries(list((tanon_f, tanon_n) order by tanon_f)) as tanon_frequencies
    from (
        select tanon_name, tanon_f, sum(tanon_n)::bigint as tanon_n,
            list_sum(list(tanon_n * tanon_f / tanon_wide_f order by tanon_wide_f)) as tanon_links
        from (
            select tanon_name, tanon_f, tanon_wide_f, count(*) as tanon_n
            from tanon_linked
            group by all
        )
        group by all
    )
    group by tanon_name
),
tanon_partial as (
    {for o in list_append(tanon._list(qi), ts) joined by ' union all '}
    select distinct
        tanon_name, {o} as tanon_attribute, tanon_uid,
        {if o = ts}0{else}tanon_granule{end} as tanon_granule,
        {for q in tanon._list(qi) joined by ', '}
        {if q = o}null{else}{q:name}{end} as {q:name}
        {end}
    from tanon_members
    {end}
),
tanon_without as (
    select tanon_name, tanon_attribute,
        list_sum(list(tanon_n / tanon_f order by tanon_f)) / sum(tanon_n) as tanon_mean_without
    from (
        select tanon_name, tanon_attribute, tanon_f, count(*) as tanon_n
        from (
            select tanon_name, tanon_attribute, tanon_uid, min(tanon_f) as tanon_f
            from (
                select tanon_name, tanon_attribute, unnest(list(tanon_uid)) as tanon_uid,
                    count(*) as tanon_f
                from tanon_partial
                group by tanon_name, tanon_attribute, tanon_granule, {qi}
            )
            group by tanon_name, tanon_attribute, tanon_uid
        )
        group by all
    )
    group by all
),
tanon_top_attribute as (
    select
        tanon_name, min(tanon_mean_without) as tanon_mean_without,
        arg_min(tanon_attribute, (tanon_mean_without,
            list_position(list_append({qi:text}, {ts:text}), tanon_attribute))) as tanon_attribute
    from tanon_without
    group by tanon_name
)
