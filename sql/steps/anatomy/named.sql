-- That the sensitive values, which are released unchanged, hold no identifier of a respondent.
-- Yields: identifiers_of_persons, sa_names_nobody
-- Reads: named_in, words_in
-- Takes: source, sa, uid

step identifiers_of_persons
    {if uid is null}
    select null::varchar as tanon_id where false
    {else}
    select {uid} as tanon_id from {source}
    {end}
end

step values_of_sa
    select tanon._folded({sa:text}) as tanon_folded,
        any_value(tanon._value_text({sa})) as tanon_text
    from {source}
    group by tanon._order_key({sa})
end

use words_of_sa = words_in(values = values_of_sa)
use identifiers_of_sa = named_in(words = words_of_sa)

guard sa_names_nobody
    select 'sa must be free of identifiers of respondents, got ' || tanon_found
        || ' of them among its words: take them out'
    from {identifiers_of_sa}
end
