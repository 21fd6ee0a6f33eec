-- What an owner should know of the identifiers of respondents.
-- Yields: warned_of_identifiers
-- Reads: named_in, rows_of_each, words_in
-- Takes: source, uid, keep

step texts_of_keep
    select '' as tanon_folded, '' as tanon_text where false
    {for c in tanon._list(keep) joined by ''}
    union all
    select tanon._folded({c}), any_value({c:name})::varchar
    from {source}
    group by tanon._order_key({c:name})
    {end}
end

use words_of_keep = words_in(values = texts_of_keep)
use identifiers_of_keep = named_in(words = words_of_keep)

step plain_identifiers
    select tanon._plain_identifier(tanon_uid::varchar) as tanon_plain, count(*) as tanon_n
    from {rows_of_each}
    group by tanon_plain
end

step warned_of_identifiers
    select
        *, respondents / (select sum(tanon_n) from {plain_identifiers}) as share
    from (
        select
            'identifier in a text' as warning, column_name as affects,
            tanon_found::bigint as respondents,
            'it names them: leave the column out, or take the identifiers out of it' as advice,
            0 as tanon_place
        from {identifiers_of_keep} join {source:columns} on folded = tanon_folded
        union all
        select
            'identifiers alike', {uid:text}, sum(tanon_n)::bigint,
            'equal but for case, blanks and leading zeros: one person may count as several', 8
        from {plain_identifiers}
        where tanon_n > 1 and tanon_plain <> ''
        having count(*) > 0
        union all
        select
            'empty identifier', {uid:text}, tanon_n::bigint,
            'empty or blank: rows of several persons may count as one person''s', 9
        from {plain_identifiers}
        where tanon_plain = ''
    )
end
