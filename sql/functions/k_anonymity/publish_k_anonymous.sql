-- A k-anonymous release: quasi-identifiers, time at the least granularity, and what is to be kept.
--
-- What leaves is what was named: qi, ts as the label of its granule, and keep, as they are; every
-- other column stays home. Rows come sorted, so that their order tells nothing of the source.
-- Columns of keep that by themselves tell who a row is about (nested ones, further times, and those
-- in which more than a fifth of the respondents have a value that nobody else has) are refused
-- unless named in accept; what several columns tell together is not looked at.
--
-- The granularity is the least of tanon.granularity_metrics; where several are, the shorter one
-- and then the first of the alphabet. Rows in groups below k, at most max_suppression of all, are
-- absent; tanon.k_anonymous_suppressed lists their groups. Before the first row is given out, the
-- release is counted again with the respondents still in it, and a group below k is an error; so
-- are equal values whose spelling tells fewer than k apart, such as -0.0 among many 0.0. It is also
-- an error if none of the offered granularities will do, or if a join brings uid along twice.
--
-- The promise is for one release of one table, and for one row: whoever knows the quasi-identifiers
-- and the time finds k respondents or more. A second release adds up with the first. A table of
-- admissions that grows, labelled by month and released each day, told 250 of 437 new rows apart
-- from all others, and one table in '3 weeks' and in 'month' left 27 of 300 persons in groups below
-- 5. Several rows of a respondent tell more than one where something links them: see the trail of
-- tanon.risk_profile.
--
-- Cost: that of tanon.least_generalization, and two aggregations and a join over the rows.
--
-- Arguments:
{% set kept, respondent = "keep", "{uid}" %}
{% include "fragments/time/offer_arguments.sql" %}
--   keep  not tanon._share_a_name(keep, qi)   columns apart from uid, qi and ts
--   keep  not tanon._share_a_name(keep, uid)  columns apart from uid, qi and ts
--   keep  not tanon._share_a_name(keep, ts)   columns apart from uid, qi and ts
{% include "fragments/kept_checks.sql" %}
-- Result:
--   {qi}    as in source  the quasi-identifiers
--   {ts}    VARCHAR       the label of the granule
--   {keep}  as in source  what was to be kept
-- For: others
-- Example:
--   from tanon.publish_k_anonymous('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter', 'year'], k := 5, keep := ['diagnosis'])
--   limit 5

with
{% include "fragments/kept_is_fine.sql" %},
{% include "fragments/time/chosen.sql" %}
tanon_release as materialized (
    select {uid}, {qi}, tanon_label as {ts} {,keep}
    from tanon_rows
    where not exists (
        from tanon_below
        where {for q in tanon._list(qi) joined by ' and '}
            tanon_rows.{q:name} is not distinct from tanon_below.{q:name}
        {end} and tanon_rows.tanon_granule = tanon_below.tanon_granule
    )
),
tanon_recount as (
    select error({function} || ': k must hold in the release, got ' || count(*)
        || ' groups of fewer respondents: nothing was published')::boolean as tanon_fine
    from (
        select count(distinct {uid}) as tanon_f
        from tanon_release
        group by {qi}, {ts}
            {for q in tanon._list(qi) joined by ''}, tanon._spelling({q:name}){end}
    )
    where tanon_f < {k}
    having count(*) > 0
    union all
    select error({function} || ': max_suppression must hold in the release, got '
        || (tanon_rows - tanon_kept) || ' of ' || tanon_rows
        || ' rows left out: nothing was published')::boolean
    from tanon_span, tanon_chosen, (select count(*) as tanon_kept from tanon_release)
    where tanon_rows - tanon_kept > {max_suppression} * tanon_rows
    union all
    select error({function} || ': source must have ' || {uid:text} || ' once, got '
        || min(column_name) || ', the name of the second where a join has two')::boolean
    from tanon_columns_of_source
    where folded = tanon._folded({uid:text}) || '_1'
    having count(*) > 0
)
select {qi}, {ts} {,keep}
from tanon_release
where (select coalesce(bool_and(tanon_fine), true) from tanon_recount)
    and (select coalesce(bool_and(tanon_fine), true) from tanon_found_one)
    and (select tanon_fine from tanon_kept_is_fine)
order by {for c in flatten([tanon._list(qi), tanon._list(ts), tanon._list(keep)]) joined by ', '}
    {c:name}, tanon._spelling({c:name})
{end}
