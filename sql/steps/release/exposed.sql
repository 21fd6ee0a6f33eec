-- Of each feasible granularity, how many respondents have a smallest group of how many: of all
-- groups, and of those that a release in it would hold.
-- Yields: exposed_people
-- Reads: coded, feasibility, found, tick
-- Takes: granularities, k

step groups_of_people not materialized
    {for g in tanon._built(granularities) joined by ' union all '}
    select {g} as tanon_name, list(tanon_person) as tanon_who
    from (
        select tanon_value, {tanon._index_text(g)} as tanon_there, tanon_person
        from {coded}
        where (select tanon_reason is null from {feasibility} where tanon_name = {g})
        group by tanon_value, tanon_there, tanon_person
    )
    group by tanon_value, tanon_there
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_name, list(tanon_person)
    from (
        select distinct
            tanon_g.tanon_name, tanon_value, tanon_g.tanon_granule as tanon_there, tanon_person
        from {coded} as tanon_c, {tick}, {found} as tanon_g join {feasibility} using (tanon_name)
        where tanon_g.tanon_tick = tanon._us_since_year_1(tanon_t) // tanon_width
            and tanon_reason is null
    )
    group by tanon_name, tanon_value, tanon_there
    {end}
end

step exposed_people materialized
    select tanon_name, tanon_before, tanon_after, count(*) as tanon_n
    from (
        select
            tanon_name, tanon_person, min(tanon_f) as tanon_before,
            min(tanon_f) filter (tanon_f >= {k}) as tanon_after
        from (
            select tanon_name, unnest(tanon_who) as tanon_person, len(tanon_who) as tanon_f
            from {groups_of_people}
        )
        group by tanon_name, tanon_person
    )
    group by tanon_name, tanon_before, tanon_after
end
