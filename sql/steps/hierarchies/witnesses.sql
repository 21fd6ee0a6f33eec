-- Rows that can bear witness against a node: for each level of an attribute all rows of its rarest
-- values, and of its rarest granules. Their groups are whole, so that what is below k among them
-- is below k in the table. Where a population is asked, none do.
-- Yields: witnesses, witness_rows
-- Reads: base_rows, codes, row_count
-- Takes: qi, ts, max_suppression, presence

step rare_codes materialized
    select tanon_attribute, tanon_level, tanon_code, tanon_n
    from (
        select
            *,
            sum(tanon_n) over by_size as tanon_so_far,
            row_number() over by_size as tanon_rank
        from (
            select tanon_attribute, tanon_level, tanon_code, sum(tanon_n) as tanon_n
            from {codes}
            group by all
        )
        window by_size as (
            partition by tanon_attribute, tanon_level
            order by tanon_n asc nulls last, tanon_code asc nulls last
            rows unbounded preceding
        )
    ), {row_count}
    where {max_suppression} < 0.015 {if presence is not null}and false{end}
        and tanon_n <= tanon_rows_of_all / 16 and (tanon_rank = 1
        or tanon_so_far <= tanon_rows_of_all * greatest(1 / 256, 4 * {max_suppression}))
end

step witnesses materialized
    select *, (row_number() over (
        order by
            tanon_rarest asc nulls last,
            tanon_attribute asc nulls last,
            tanon_level asc nulls last
    ))::integer
        as tanon_witness
    from (
        select tanon_attribute, tanon_level, min(tanon_n) as tanon_rarest
        from {rare_codes}
        group by all
        having sum(tanon_n) > {max_suppression} * (from {row_count})
    )
end

step witness_codes materialized
    select tanon_witness, tanon_attribute, tanon_number
    from {witnesses} join {rare_codes} using (tanon_attribute, tanon_level)
    join {codes} using (tanon_attribute, tanon_level, tanon_code)
end

step witness_rows materialized
    {for q in tanon._list(qi) joined by ' union all '}
    select tanon_b.*, tanon_witness
    from {base_rows} as tanon_b join {witness_codes} on tanon_b.{q:name} = tanon_number
    where tanon_attribute = {q}
    {end}
    {if ts is not null}
    union all
    select tanon_b.*, tanon_witness
    from {base_rows} as tanon_b join {witness_codes} on tanon_time = tanon_number
    where tanon_attribute = {ts:text}
    {end}
end
