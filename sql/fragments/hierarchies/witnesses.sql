{# Rows that can bear witness against a node: for each level of an attribute all rows of its rarest
   values, and of its rarest granules. Their groups are whole, so that what is below k among them
   is below k in the table. Each node is given the witnesses of its rarest value. #}
tanon_rare as materialized (
    select tanon_attribute, tanon_level, tanon_code, tanon_n
    from (
        select
            *,
            sum(tanon_n) over by_size as tanon_so_far,
            row_number() over by_size as tanon_rank
        from (
            select tanon_attribute, tanon_level, tanon_code, sum(tanon_n) as tanon_n
            from tanon_marks
            group by all
        )
        window by_size as (
            partition by tanon_attribute, tanon_level order by tanon_n, tanon_code
            rows unbounded preceding
        )
    ), tanon_total
    where {max_suppression} < 0.015 and tanon_n <= tanon_rows_of_all / 16 and (tanon_rank = 1
        or tanon_so_far <= tanon_rows_of_all * greatest(1 / 256, 4 * {max_suppression}))
),
tanon_witnesses as materialized (
    select *, (row_number() over (order by tanon_rarest, tanon_attribute, tanon_level))::integer
        as tanon_witness
    from (
        select tanon_attribute, tanon_level, min(tanon_n) as tanon_rarest
        from tanon_rare
        group by all
        having sum(tanon_n) > {max_suppression} * (from tanon_total)
    )
),
tanon_calls as materialized (
    select tanon_witness, tanon_attribute, tanon_number
    from tanon_witnesses join tanon_rare using (tanon_attribute, tanon_level)
    join tanon_marks using (tanon_attribute, tanon_level, tanon_code)
),
tanon_testimonies as materialized (
    {for q in tanon._list(qi) joined by ' union all '}
    select tanon_b.*, tanon_witness
    from tanon_base as tanon_b join tanon_calls on tanon_b.{q:name} = tanon_number
    where tanon_attribute = {q}
    {end}
    {if ts is not null}
    union all
    select tanon_b.*, tanon_witness
    from tanon_base as tanon_b join tanon_calls on tanon_time = tanon_number
    where tanon_attribute = {ts:text}
    {end}
),
