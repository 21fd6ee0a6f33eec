{# The feasible granularities, shorter ones first, without those that a look at the rows with the
   rarest quasi-identifiers rules out: all rows of a value are looked at, so that a group of them
   that is below k is below k in the table, and more than may be left out are too many already. #}
tanon_values as materialized (
    select
        *, (row_number() over (order by tanon_n))::integer as tanon_value,
        sum(tanon_n) over (order by tanon_n rows unbounded preceding)
            <= (select tanon_rows * greatest(1 / 64, 4 * {max_suppression}) from tanon_span)
            as tanon_is_rare
    from (select {qi}, count(*) as tanon_n from tanon_timed group by {qi})
),
{if max_suppression < 0.1}
tanon_rare as materialized (
    select tanon_value, {tanon_s.uid} as tanon_uid, tanon_t
    from tanon_timed as tanon_s join tanon_values as tanon_v
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_s.{q:name} is not distinct from tanon_v.{q:name}
        {end}
    where tanon_is_rare
),
tanon_ruled_out as (
    select null::varchar as tanon_name where false
    {for g in tanon._built(granularities) joined by ''}
    union all
    select {g}
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from tanon_rare
        group by tanon_value, ({g:index_text})
    )
    having sum(tanon_n) filter (where tanon_f < {k}) > {max_suppression}
        * (select tanon_rows from tanon_span)
    {end}
    {for g in tanon._of_calendar(granularities) joined by ''}
    union all
    select {g}
    from (
        select count(distinct tanon_uid) as tanon_f, count(*) as tanon_n
        from tanon_rare, tanon_tick, tanon_found
        where tanon_name = {g} and tanon_found.tanon_tick
            = (epoch_us(tanon_rare.tanon_t) + 62135596800000000) // tanon_width
        group by tanon_value, tanon_granule
    )
    having sum(tanon_n) filter (where tanon_f < {k}) > {max_suppression}
        * (select tanon_rows from tanon_span)
    {end}
),
{end}
tanon_order as materialized (
    select
        tanon_name,
        row_number() over (order by tanon_length, tanon_name) as tanon_rank
    from tanon_feasibility
    where tanon_reason is null
    {if max_suppression < 0.1}
        and tanon_name not in (select tanon_name from tanon_ruled_out)
    {end}
),
