-- Algorithm 1 as a chain of stages: stage i measures the granularity of rank i unless one that is
-- finer has been accepted. Where a gate stays shut its stage reads no row. The rows are sorted as
-- in sorted.sql, but keep their times, as the walk may stop before most granularities are seen.
-- Yields: walked
-- Reads: counted_values, finer, found, span, tick, timed, walk_order
-- Takes: respondent, qi, granularities, k, max_suppression

-- What is measured of the groups of one granularity: tanon_f respondents and tanon_n rows in each.

piece measures
        min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n) filter (where tanon_f < {k}), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= {k}) as tanon_kept_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= {k}), 0)::bigint as tanon_kept_s
end

step sorted_times materialized
    select
        tanon_value, tanon_t,
        case when lag(tanon_uid) over tanon_in_order = tanon_uid
            then lag(tanon_t) over tanon_in_order end as tanon_previous
    from (
        select tanon_value, {tanon_s.respondent} as tanon_uid, tanon_t
        from {timed} as tanon_s join {counted_values} as tanon_v
            on {for q in tanon._list(qi) joined by ' and '}
                tanon_s.{q:name} is not distinct from tanon_v.{q:name}
            {end}
        where (select count(*) > 0 from {walk_order})
    )
    window tanon_in_order as (
        partition by tanon_value order by tanon_uid asc nulls last, tanon_t asc nulls last
    )
end

step extents
    select null::varchar as tanon_name, 0::bigint as tanon_extent where false
    {for g in tanon._built(granularities) joined by ''}
    union all
    select
        {g}, {tanon._index_text_of(g, 'tanon_last')}
        - ({tanon._index_text_of(g, 'tanon_first')}) + 1
    from {span}
    {end}
end

-- Being finer is handed on by those that cover every time, though not by calendars as such: what
-- lies between two of them may end before both.
step coarser_ones materialized
    with recursive tanon_path as (
        select tanon_below, tanon_above
        from {finer} join {walk_order} on tanon_above = tanon_name
        union
        select tanon_path.tanon_below, tanon_next.tanon_above
        from tanon_path join {finer} as tanon_next
            on tanon_path.tanon_above = tanon_next.tanon_below
            join {walk_order} on tanon_next.tanon_above = tanon_name
    )
    from tanon_path
end

block stages
    {for i in tanon._stages(granularities) joined by ', '}
    {tanon._gate(i)} as materialized (
        select tanon_name
        from {walk_order}
        where tanon_rank = {i}::bigint and tanon_name not in (
            select tanon_above
            from {coarser_ones}
            where false
            {for j in tanon._stages_before(i) joined by ''}
                or tanon_below in (from {tanon._stage(j)}_accepted)
            {end}
        )
    ),
    {tanon._stage(i)} as materialized (
        select *
        from (select tanon_name from {tanon._gate(i)}), (
            select
                {measures}
            from (
                {if len(tanon._built(granularities)) > 0}
                select
                    count(*) as tanon_n, count(case
                        when case tanon_name
                            {for g in tanon._built(granularities) joined by ''}
                            when {g} then ({tanon._index_text_of(g, 'tanon_previous')})
                                = ({tanon._index_text(g)})
                            {end}
                        end then null else 1
                    end) as tanon_f
                from {sorted_times}, {tanon._gate(i)} join {extents} using (tanon_name)
                group by tanon_value * tanon_extent + case tanon_name
                    {for g in tanon._built(granularities) joined by ''}
                    when {g} then {tanon._index_text(g)}
                    {end}
                end
                {end}
                {if len(tanon._of_calendar(granularities)) > 0}
                {if len(tanon._built(granularities)) > 0} union all {end}
                select
                    count(*) as tanon_n,
                    count(case when tanon_previous >= tanon_starts then null else 1 end) as tanon_f
                from {sorted_times} as tanon_s, {tick}, {found} as tanon_g
                    join {tanon._gate(i)} using (tanon_name)
                where tanon_g.tanon_tick
                    = tanon._us_since_year_1(tanon_s.tanon_t) // tanon_width
                group by tanon_value, tanon_granule
                {end}
            )
        )
    ),
    {tanon._stage(i)}_accepted as materialized (
        select tanon_name
        from {tanon._stage(i)}, {span}
        where tanon_suppressed <= {max_suppression} * tanon_rows
    )
    {end}
end

step walked
    {stages}
    {for i in tanon._stages(granularities) joined by ' union all '}
    from {tanon._stage(i)}
    {end}
end
