-- What a release says, as numbers of generalized values and of granules, and which values of the
-- source each generalized one is. The function says what `release_texts` are.
-- Yields: released_cells, members_listed
-- Reads: generals, release_texts, spans
-- Takes: qi, ts, keep

step release_coded materialized
    select
        tanon_r.tanon_n, tanon_span, [
            {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ', '}
            {tanon._dictionary(q)}.tanon_number
            {end}
        ] as tanon_numbers
    from {release_texts} as tanon_r left join {spans} as tanon_s
        on tanon_r.tanon_label is not distinct from tanon_s.tanon_label
    {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
    left join (
        select tanon_general, tanon_number from {generals} where tanon_attribute = {q}
    ) as {tanon._dictionary(q)}
        on tanon_r.{q:name} is not distinct from {tanon._dictionary(q)}.tanon_general
    {end}
end

guard release_is_of_source on released_cells
    select 'release must hold values of source as they are at levels'
        {if ts is not null}|| ' and labels of granularity'{end}
        || ', got ' || sum(tanon_n)::bigint || ' rows with others'
        || '; tanon.publish_k_anonymous_summary tells what a release was made with'
    from {release_coded}
    where tanon_span is null or list_count(tanon_numbers) < len(tanon_numbers)
    having count(*) > 0
end

step released_cells
    select list(list_concat(
        {if ts is not null}[tanon_span],{end} tanon_numbers, [tanon_n, 0]
    )::double[]) as tanon_released
    from {release_coded}
    where {checked release_is_of_source}
end

step members_listed
    select list(tanon_members order by tanon_place asc nulls last) as tanon_members
    from (
        select
            list_position(list_concat({qi:text}, tanon._list({keep:text})), tanon_attribute)
                as tanon_place,
            list(tanon_leaves order by tanon_number asc nulls last) as tanon_members
        from {generals}
        group by tanon_attribute
        {if ts is not null}union all select 0, null{end}
    )
end
