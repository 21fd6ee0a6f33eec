-- The facts of a report, one row each. The function says what `facts` are.
-- Yields: facts_in_order
-- Reads: facts

piece facts_in_order
    select section, tanon_fact.*
    from (
        select
            tanon_part, tanon_place, section, unnest(facts) as tanon_fact,
            generate_subscripts(facts, 1) as tanon_number
        from {facts}
    )
    order by tanon_part asc nulls last, tanon_place asc nulls last, tanon_number asc nulls last
end
