-- That no column that leaves as it is tells by itself who a row is about: a column singles out a
-- respondent who alone has one of its values, and a text may hold an identifier. The function says
-- what `kept_rows` is: the rows of the source with tanon_whose, the respondent, or NULL where each
-- row is somebody else's; and `kept_people`, the rows of each: a_person_each() in the latter case.
-- Where the columns are named by another argument than keep: let keep = qi.
-- Yields: a_person_each, kept_is_fine, columns_that_tell, all_who_are_kept
-- Reads: kept_people, kept_rows, named_in, words_in
-- Takes: source, keep, allow_identifying, max_singled_out

step a_person_each
    select null as tanon_whose, count(*) as tanon_n from {kept_rows}
end

step suspects
    select
        column_name as tanon_column, folded as tanon_folded,
        case
            when regexp_matches(column_type, '\]$|^(STRUCT|MAP|UNION|VARIANT|JSON)\b') then 'nested'
            when regexp_matches(column_type, '^(DATE|TIME)') then 'a further time'
        end as tanon_what
    from {source:columns}
    where tanon._is_named(folded, {keep:text}) and not tanon._is_named(folded,
        {allow_identifying:text})
end

-- Of each value, as text, the first and the last who has it. Values of one text are equal: nested
-- ones, of which that is not so, are refused whatever this says.
step values_kept
    select
        '' as tanon_folded, '' as tanon_text, min(tanon_whose) as tanon_least,
        max(tanon_whose) as tanon_most, count(*) as tanon_n
    from {kept_rows} where false having count(*) > 0
    {for c in tanon._without_names(keep, allow_identifying) joined by ''}
    union all
    select
        tanon._folded({c}), any_value(tanon._value_text({c:name})), min(tanon_whose),
        max(tanon_whose), count(*)
    from {kept_rows}
    group by tanon._order_key({c:name})
    {end}
end

use words_kept = words_in(values = values_kept)
use identifiers_found = named_in(words = words_kept)

step alone_with_a_value
    select tanon_folded, tanon_least as tanon_only
    from {values_kept}
    where tanon_least = tanon_most or tanon_n = 1
end

step singled_out
    select
        tanon_folded,
        count(distinct tanon_only) + count(*) filter (tanon_only is null) as tanon_alone
    from {alone_with_a_value}
    group by tanon_folded
end

step all_who_are_kept
    select
        count(tanon_whose) + coalesce(sum(tanon_n) filter (tanon_whose is null), 0)::bigint
            as tanon_n,
        case when count(tanon_whose) > 0 then 'respondents' else 'rows' end as tanon_people
    from {kept_people}
end

step columns_that_tell
    from (
        select
            tanon_column, tanon_people,
            coalesce(tanon_what, tanon_found || ' of its words are identifiers of respondents')
                as tanon_what,
            coalesce(tanon_alone / nullif(tanon_n, 0), 0) as tanon_share
        from {suspects} left join {singled_out} using (tanon_folded)
        left join {identifiers_found} using (tanon_folded), {all_who_are_kept}
    )
    where tanon_what is not null or tanon_share > {max_singled_out}
end

guard kept_is_fine
    select {keep:argument} || ' must be columns that do not tell who a row is about, got '
        || string_agg(tanon_column || ' (' || coalesce(tanon_what, printf(
            '%.2f of the %s have a value of their own',
            ceil(round(100 * tanon_share, 6)) / 100, tanon_people
        )) || ')', ', ' order by tanon_column asc nulls last)
        || '; columns named in allow_identifying are released all the same'
    from {columns_that_tell}
    having count(*) > 0
end
