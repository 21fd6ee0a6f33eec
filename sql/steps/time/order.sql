-- The feasible granularities, shorter ones first, without those that a look at the rows with the
-- rarest quasi-identifiers rules out: all rows of a value are looked at, so that a group of them
-- that is below k is below k in the table, and more than may be left out are too many already.
-- Yields: counted_values, walk_order
-- Reads: feasibility, found, span, tick, timed
-- Takes: respondent, qi, granularities, k, max_suppression

step counted_values materialized
    select
        *, (row_number() over (order by tanon_n asc nulls last))::integer as tanon_value,
        sum(tanon_n) over (order by tanon_n asc nulls last rows unbounded preceding)
            <= (select tanon_rows * greatest(1 / 64, 4 * {max_suppression}) from {span})
            as tanon_is_rare
    from (select {qi}, count(*) as tanon_n from {timed} group by all)
end

step rare_rows materialized
    select tanon_value, {tanon_s.respondent} as tanon_uid, tanon_t
    from {timed} as tanon_s join {counted_values} as tanon_v
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_s.{q:name} is not distinct from tanon_v.{q:name}
        {end}
    where tanon_is_rare
end

step ruled_out
    select null::varchar as tanon_name where false
    {for g in tanon._built(granularities) joined by ''}
    union all
    select {g}
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from {rare_rows}
        group by tanon_value, ({tanon._index_text(g)})
    )
    having sum(tanon_n) filter (where tanon_f < {k}) > {max_suppression}
        * (select tanon_rows from {span})
    {end}
    {for g in tanon._of_calendar(granularities) joined by ''}
    union all
    select {g}
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from {rare_rows} as tanon_r, {tick}, {found} as tanon_g
        where tanon_name = {g}
            and tanon_g.tanon_tick = tanon._us_since_year_1(tanon_r.tanon_t) // tanon_width
        group by tanon_value, tanon_granule
    )
    having sum(tanon_n) filter (where tanon_f < {k}) > {max_suppression}
        * (select tanon_rows from {span})
    {end}
end

guard some_are_feasible on walk_order
    select 'granularities must cover every time, got none that does: '
        || string_agg(tanon_name || ': ' || tanon_reason, '; ' order by tanon_place asc nulls last)
    from {feasibility}
    having bool_and(tanon_reason is not null)
end

step walk_order materialized
    select
        tanon_name,
        row_number() over (
            order by tanon_length asc nulls last, tanon_name asc nulls last
        ) as tanon_rank
    from {feasibility}
    where tanon_reason is null and {checked some_are_feasible}
    {if max_suppression < 0.1}
        and tanon_name not in (select tanon_name from {ruled_out})
    {end}
end
