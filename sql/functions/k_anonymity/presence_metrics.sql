-- Returns what a table reveals about who is in it, compared with a population: k-map and presence.
--
-- A group is a value of the quasi-identifiers in the population. k_map is the smallest number of
-- respondents of the population in a group that source contains. Each row of source could be about
-- any respondent of this group. delta_min and delta_max are the smallest and the largest share of a
-- group that is in source. An adversary who knows the group of a person knows with this probability
-- that the person is in source.
--
-- Generalize both tables in the same way first. NULL is a value. The function compares values by
-- their text, so 0.0 and -0.0 are two groups.
--
-- Cost: two hash aggregations and one join of the groups.
--
-- Arguments:
--   source      relation  the table to check
--   respondent   column not null of source and population  the respondent of the row
--   qi          columns of source and population          the quasi-identifiers
--   population  relation  the population that contains source
--   k           integer > 1 = NULL                        the required k_map
--   delta_low   number in [0, 1] = NULL                   the smallest allowed delta_min
--   delta_high  number in [0, 1] = NULL                   the largest allowed delta_max
-- Checks:
--   respondent   not tanon._share_a_name(respondent, qi)  a column that is not among qi
--   delta_high  coalesce(delta_low <= delta_high, true)  at least delta_low
-- Result:
--   groups       BIGINT   the number of groups in the population
--   k_map        BIGINT   the fewest respondents of the population in a group that source contains
--   delta_min    DOUBLE   the smallest share of a group that is in source
--   delta_max    DOUBLE   the largest share of a group that is in source
--   surely_here  BIGINT   respondents in groups of which source contains every respondent
--   holds        BOOLEAN  (with k, delta_low or delta_high) whether the figures are within the
--       arguments
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
