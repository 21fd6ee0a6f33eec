-- The values of each attribute that queries ask for, in their order, with how many rows have them;
-- values are told apart by their text, as a release is one of texts.
-- Yields: leaves, attributes_told, cells_in_codes
-- Takes: source, qi, keep

step leaves materialized
    {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ' union all '}
    select
        {q} as tanon_attribute, tanon_text, tanon_n, tanon_is_ordered,
        row_number() over (order by tanon_raw asc nulls first, tanon_text asc nulls first) - 1
            as tanon_leaf
    from (
        select
            tanon._value_text({q:name}) as tanon_text,
            any_value({q:name}) as tanon_raw, count(*) as tanon_n,
            regexp_matches(any_value(typeof({q:name})),
                '^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DOUBLE|FLOAT|BIGNUM|DECIMAL.*|DATE|TIME.*)$'
            ) as tanon_is_ordered
        from {source}
        group by tanon._value_text({q:name})
    )
    {end}
end

step attributes_told
    select
        list_position(list_concat({qi:text}, tanon._list({keep:text})), tanon_attribute)
            as tanon_place,
        {
            'rows': list(tanon_n order by tanon_leaf asc nulls last),
            'is_ordered': bool_and(tanon_is_ordered),
            'has_null': bool_or(tanon_text is null)
        } as tanon_told
    from {leaves}
    group by tanon_attribute
end

-- Some rows of texts, with the numbers of their values.
step cells_in_codes(rows) materialized
    select
        tanon_c.*, [
            {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ', '}
            {tanon._dictionary(q)}.tanon_leaf
            {end}
        ] as tanon_codes
    from {rows} as tanon_c
    {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
    join (
        select tanon_text, tanon_leaf from {leaves} where tanon_attribute = {q}
    ) as {tanon._dictionary(q)}
        on tanon_c.{q:name} is not distinct from {tanon._dictionary(q)}.tanon_text
    {end}
end
