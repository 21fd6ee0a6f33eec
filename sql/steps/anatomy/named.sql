-- That the sensitive values, which are released unchanged, hold no identifier of a respondent.
-- Yields: identifiers_of_persons, sa_names_nobody
-- Reads: named_in, words_in
-- Takes: source, sensitive, respondent

step identifiers_of_persons
    {if respondent is null}
    select null::varchar as tanon_id where false
    {else}
    select {respondent} as tanon_id from {source}
    {end}
end

step values_of_sa
    select tanon._folded({sensitive:text}) as tanon_folded,
        any_value(tanon._value_text({sensitive})) as tanon_text
    from {source}
    group by tanon._order_key({sensitive})
end

use words_of_sa = words_in(values = values_of_sa)
use identifiers_of_sa = named_in(words = words_of_sa)

guard sa_names_nobody
    select 'sensitive must be free of identifiers of respondents, got ' || tanon_found
        || ' of them among its words: take them out'
    from {identifiers_of_sa}
end
