-- Whether who is in a table can be told from a population: k-map and delta-presence, in one row.
--
-- For each group of the population, a value of its quasi-identifiers, two numbers: its respondents
-- there, and the share of them who are in source. k_map is the fewest respondents in the population
-- of a group that source has rows in: with so many each row may be about. delta_min and delta_max
-- are the least and the largest share over all groups of the population: who knows that somebody
-- belongs to a group knows with this probability that they are in the table. Generalize both tables
-- alike before; NULL is a value. Values are compared by their text, as in a release: 30 days and a
-- month, or 0.0 and -0.0, are two groups. This is the stricter count. Given k, delta_low or
-- delta_high, holds tells whether these hold.
--
-- Cost: two hash aggregations and a join of the groups.
--
-- Arguments:
--   source      relation                                  the table, released or to be
--   respondent   column not null of source and population  whom a row is about
--   qi          columns of source and population          the quasi-identifiers
--   population  relation                                  whom source was drawn from
--   k           integer > 1 = NULL                        what k_map must reach
--   delta_low   number in [0, 1] = NULL                   what delta_min must reach
--   delta_high  number in [0, 1] = NULL                   what delta_max may reach
-- Checks:
--   respondent   not tanon._share_a_name(respondent, qi)  a column that is not among qi
--   delta_high  coalesce(delta_low <= delta_high, true)  at least delta_low
-- Result:
--   groups       BIGINT   groups of the population
--   k_map        BIGINT   the fewest respondents of a group in the population that source meets
--   delta_min    DOUBLE   the least share of a group that is in source
--   delta_max    DOUBLE   the largest share of a group that is in source
--   surely_here  BIGINT   respondents of source in groups that are in it as a whole
--   holds        BOOLEAN  (with k, delta_low or delta_high) whether all of them are kept
-- For: the owner
-- Holds: holds
-- Example:
--   from tanon.presence_metrics('(from visits order by all limit 300)', respondent := 'patient',
--       qi := ['sex', 'zip'], population := 'visits')

step people_here
    select {qi}, count(*) as tanon_f
    from (
        select distinct
            {for q in tanon._list(qi) joined by ''}tanon._cell_text({q:name}) as {q:name}, {end}
            {respondent} as tanon_uid
        from {source}
    )
    group by {qi}
end

step people_there
    select {qi}, count(*) as tanon_wide
    from (
        select distinct
            {for q in tanon._list(qi) joined by ''}tanon._cell_text({q:name}) as {q:name}, {end}
            {respondent} as tanon_uid
        from {population}
    )
    group by {qi}
end

step groups_met materialized
    select coalesce(tanon_f, 0) as tanon_f, coalesce(tanon_wide, 0) as tanon_wide
    from {people_there} as tanon_p full join {people_here} as tanon_h
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_p.{q:name} is not distinct from tanon_h.{q:name}
        {end}
end

guard source_was_drawn on groups_met
    select 'population must hold the respondents of source, got ' || count(*)
        || ' groups with fewer respondents there'
    from {groups_met}
    where tanon_f > tanon_wide
    having count(*) > 0
end

select
    count(*) as groups, min(tanon_wide) filter (where tanon_f > 0) as k_map,
    min(tanon_f / tanon_wide) as delta_min, max(tanon_f / tanon_wide) as delta_max,
    coalesce(sum(tanon_f) filter (where tanon_f = tanon_wide), 0)::bigint as surely_here
    {if k is not null or delta_low is not null or delta_high is not null}
    , true
        {if k is not null}
        and coalesce(min(tanon_wide) filter (where tanon_f > 0) >= {k}, true)
        {end}
        {if delta_low is not null}
        and coalesce(min(tanon_f / tanon_wide) >= {delta_low}, true)
        {end}
        {if delta_high is not null}
        and coalesce(max(tanon_f / tanon_wide) <= {delta_high}, true)
        {end}
        as holds
    {end}
from {groups_met}
where {checked source_was_drawn}
