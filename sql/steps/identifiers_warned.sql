-- What an owner should know of the identifiers of respondents.
-- Yields: warned_of_identifiers
-- Reads: named_in, rows_of_each, unclean_identifiers, words_in
-- Takes: source, keep

step texts_of_keep
    select '' as tanon_folded, '' as tanon_text where false
    {for c in tanon._list(keep) joined by ''}
    union all
    select tanon._folded({c}), any_value(tanon._value_text({c:name}))
    from {source}
    group by tanon._order_key({c:name})
    {end}
end

use words_of_keep = words_in(values = texts_of_keep)
use identifiers_of_keep = named_in(words = words_of_keep)

step warned_of_identifiers
    select *, respondents / (select count(*) from {rows_of_each}) as share
    from (
        select
            'identifier in a text' as warning, column_name as affects,
            tanon_found::bigint as respondents,
            'it names them: leave the column out, or take the identifiers out of it' as advice,
            0 as tanon_place
        from {identifiers_of_keep} join {source:columns} on folded = tanon_folded
        union all
        from {unclean_identifiers}
    )
end
