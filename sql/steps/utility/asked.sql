-- What queries can ask of the source: its cells, and the values of each attribute, the time first.
-- The function says what `asked_rows` are, with tanon_t.
-- Yields: coded_texts, source_cells, times_met, attributes_listed
-- Reads: asked_rows, attributes_told, cells_in_codes
-- Takes: qi, ts, keep

step texts_of_source
    select
        {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
        tanon._value_text({q:name}) as {q:name},
        {end}
        {if ts is null}null::bigint{else}tanon._us_since_year_1(tanon_t){end} as tanon_at,
        count(*) as tanon_n
    from {asked_rows}
    group by all
end

step times_met materialized
    select
        tanon_at, sum(tanon_n)::bigint as tanon_n,
        row_number() over (order by tanon_at asc nulls last) - 1 as tanon_moment
    from {texts_of_source}
    where tanon_at is not null
    group by tanon_at
end

use coded_texts = cells_in_codes(rows = texts_of_source)

step source_cells
    select list(list_concat(
        {if ts is not null}[tanon_moment],{end} tanon_codes, [tanon_c.tanon_n]
    )) as tanon_cells
    from {coded_texts} as tanon_c {if ts is not null}join {times_met} using (tanon_at){end}
end

step attributes_listed
    select list(tanon_told order by tanon_place asc nulls last) as tanon_attributes
    from (
        from {attributes_told}
        {if ts is not null}
        union all
        select 0, {
            'rows': list(tanon_n order by tanon_moment asc nulls last),
            'is_ordered': true, 'has_null': false
        }
        from {times_met}
        having count(*) > 0
        {end}
    )
end
