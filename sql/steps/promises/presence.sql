-- How the respondents of a release are hidden in the population it was drawn from: of the owner's
-- copy, and of the population generalized as the release is, compared as texts. The function says
-- what `known_people` are.
-- Yields: promised_presence, told_of_presence
-- Reads: known_people
-- Takes: qi, ts, respondent, population, presence

piece known_as_text
    row(0 {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
        , tanon._value_text({q:name}) {end}) as tanon_known
end

step people_known not materialized when presence is not null
    select tanon_known, count(distinct tanon_whose) as tanon_f
    from (select {known_as_text}, tanon_whose from {known_people})
    group by tanon_known
end

step population_known not materialized when presence is not null
    select tanon_known, count(distinct tanon_who) as tanon_wide
    from (select {known_as_text}, {respondent} as tanon_who from {population})
    group by tanon_known
end

step presence_known materialized when presence is not null
    select tanon_f, coalesce(tanon_wide, 0) as tanon_wide
    from {people_known} full join {population_known} using (tanon_known)
end

guard population_holds_owner on presence_known
    select 'population must hold the respondents of owner, and be generalized as release is, got '
        || count(*) || ' groups with fewer respondents there'
    from {presence_known}
    where tanon_f > tanon_wide
    having count(*) > 0
end

-- What is asked of every group of the population, and what of those that somebody here is of.
piece promised_presence(groups)
    {for n in tanon._asked_of(presence) joined by ' union all '}
    select {n} || ' in the population' as property,
        {tanon._promised_words(presence, n)} as promise,
        tanon._figure({tanon._worst_text(n)}) as found,
        coalesce(tanon._is_within({n}, {tanon._worst_text(n)},
            {tanon._limit_bound_text(presence, n)}), true) as holds
    from {groups}
    where tanon_f is not null or {n} = 'delta_low'
    {end}
end

use presence_reached = promised_presence(groups = presence_known)

step told_of_presence
    select 8 as place, property, promise, found, holds
    from (
        {presence_reached}
    )
    where {checked population_holds_owner}
end
