-- That no column that leaves as it is tells by itself who a row is about: a column singles out a
-- respondent who alone has one of its values. The function says what `kept_rows` is: the rows of
-- the source with tanon_whose, the respondent, or NULL where each row is somebody else's. Where
-- the columns are named by another argument than keep: let keep = qi.
-- Yields: kept_is_fine, columns_that_tell, all_who_are_kept
-- Reads: kept_rows
-- Takes: source, keep, accept

step suspects
    select
        column_name as tanon_column, folded as tanon_folded,
        case
            when regexp_matches(column_type, '\]$|^(STRUCT|MAP|UNION|VARIANT|JSON)\b') then 'nested'
            when regexp_matches(column_type, '^(DATE|TIME)') then 'a further time'
        end as tanon_what
    from {source:columns}
    where tanon._is_named(folded, {keep:text}) and not tanon._is_named(folded, {accept:text})
end

step singled_out
    select '' as tanon_folded, 0 as tanon_alone where false
    {for c in tanon._without_names(keep, accept) joined by ''}
    union all
    select tanon._folded({c}), count(distinct tanon_only) + count(*) filter (tanon_only is null)
    from (
        select min(tanon_whose) as tanon_only
        from {kept_rows}
        group by tanon._order_key({c:name})
        having min(tanon_whose) = max(tanon_whose) or count(*) = 1
    )
    {end}
end

step all_who_are_kept
    select
        count(distinct tanon_whose) + count(*) filter (tanon_whose is null) as tanon_n,
        case when count(tanon_whose) > 0 then 'respondents' else 'rows' end as tanon_people
    from {kept_rows}
end

step columns_that_tell
    from (
        select *, coalesce(tanon_alone / nullif(tanon_n, 0), 0) as tanon_share
        from {suspects} join {singled_out} using (tanon_folded), {all_who_are_kept}
    )
    where tanon_what is not null or tanon_share > 0.2
end

guard kept_is_fine
    select {keep:argument} || ' must be columns that do not tell who a row is about, got '
        || string_agg(tanon_column || ' (' || coalesce(tanon_what, printf(
            '%.2f of the %s have a value of their own',
            ceil(round(100 * tanon_share, 6)) / 100, tanon_people
        )) || ')', ', ' order by tanon_column)
        || '; those that nobody else can know may be named in accept'
    from {columns_that_tell}
    having count(*) > 0
end
