-- What each value and each moment becomes on each level, as numbers that no other level has; the
-- table as such numbers. A respondent with a single row needs no name: such respondents add up when
-- groups merge. Equal rows are counted together where a look at some of them says that it pays.
-- GROUP BY ALL knows no collations, so that respondents are named behind it.
-- Yields: codes, ladders, regulars, row_count, base_rows
-- Reads: common_tick, dictionaries, fixed_levels_exist, moments, paths, placed_moments,
--   rows_of_each, sensitive_values, timed
-- Takes: source, respondent, qi, hierarchies, levels, ts, sensitive, limits

-- Two values of one text, such as 1 and '1' of a UNION, are two, unless they leave as text.
step codes materialized
    select
        tanon_attribute, tanon_level, tanon_number, tanon_n,
        (dense_rank() over (
            partition by tanon_attribute
            order by
                tanon_level asc nulls last, tanon_general asc nulls first,
                case when tanon_level = 0 and not tanon._is_named(tanon._folded(tanon_attribute),
                    {tanon._texts(tanon._recoded(qi, hierarchies, levels))})
                then tanon_number end asc nulls last
        ))::integer as tanon_code
    from {paths}
    where {checked fixed_levels_exist}
        {if hierarchies is not null} and {hierarchies:checked}{end}
    {if ts is not null}
    union all
    select
        {ts:text}, tanon_place, tanon_number, tanon_n,
        (dense_rank() over (
            order by tanon_place asc nulls last, tanon_granule asc nulls last
        ))::integer
    from {placed_moments}
    {end}
end

step ladders materialized
    select
        {for q in tanon._list(qi) joined by ', '}
        list(
            tanon_codes order by tanon_level asc nulls last
        ) filter (where tanon_attribute = {q}) as {q:name}
        {end}
        {if ts is not null}
        , list(
            tanon_codes order by tanon_level asc nulls last
        ) filter (where tanon_attribute = {ts:text})
            as tanon_time
        {end}
    from (
        select
            tanon_attribute, tanon_level,
            list(tanon_code order by tanon_number asc nulls last) as tanon_codes
        from {codes}
        group by all
    )
end

step regulars materialized
    select tanon_uid, (row_number() over ())::integer as tanon_who
    from {rows_of_each}
    where tanon_n > 1
end

step coded_rows materialized
    {dictionaries}
    select
        {for q in tanon._list(qi) joined by ''}
        {tanon._dictionary(q)}.tanon_number as {q:name},
        {end}
        {if ts is not null}tanon_m.tanon_number{else}1{end} as tanon_time, tanon_who,
        {if limits is not null}tanon_v.tanon_value,{end} 1 as tanon_n
    from {if ts is null}{source}{else}{timed}{end} as tanon_s
    {for q in tanon._list(qi) joined by ''}
    join {tanon._dictionary(q)}
        on tanon_s.{q:name} is not distinct from {tanon._dictionary(q)}.tanon_raw
    {end}
    {if ts is not null}
    join {common_tick} on true
    join {moments} as tanon_m
        on tanon._us_since_year_1(tanon_s.tanon_t) // tanon_us = tanon_tick_number
    {end}
    {if limits is not null}
    join {sensitive_values} as tanon_v
        on tanon_s.{sensitive} is not distinct from tanon_v.tanon_sensitive
    {end}
    left join {regulars} on tanon_s.{respondent} = tanon_uid
end

step row_count materialized
    select count(*) as tanon_rows_of_all from {coded_rows}
end

step counting_pays materialized
    select tanon_looked = tanon_rows_of_all
        or 1 - tanon_different / tanon_looked > 2 * tanon_looked / tanon_rows_of_all
        as tanon_it_does
    from {row_count}, (
        select sum(tanon_n) as tanon_looked, count(*) as tanon_different
        from (
            select count(*) as tanon_n
            from (from {coded_rows} limit 65536)
            group by {qi}, tanon_time, tanon_who {if limits is not null}, tanon_value{end}
        )
    )
end

step counted_rows materialized
    select * exclude (tanon_n), count(*)::integer as tanon_n
    from {coded_rows}
    where (select tanon_it_does from {counting_pays})
    group by all
end

step base_rows not materialized
    from {coded_rows} where not (select tanon_it_does from {counting_pays})
    union all
    from {counted_rows}
end
