-- A k-anonymous release: quasi-identifiers, time at the least granularity, and what is to be kept.
--
-- What leaves is what was named: qi, ts as the label of its granule, and keep, as they are; every
-- other column stays home. Rows come sorted, so that their order tells nothing of the source.
-- Columns of keep that by themselves tell who a row is about (nested ones, further times, and those
-- in which more than a fifth of the respondents have a value that nobody else has) are refused
-- unless named in accept; so are columns in which together more than a fifth have values that
-- nobody else has, until what nobody else can know of them is accepted.
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
-- for_owner := true adds uid: the same rows, for tanon.check_release to count respondents. Keep it.
--
-- Cost: that of tanon.least_generalization, and two aggregations and a join over the rows.
--
-- Arguments:
{% set kept, owners_copy = "keep", true %}
{% include "arguments/offer.sql" %}
--   keep  not tanon._share_a_name(keep, qi)   columns apart from uid, qi and ts
--   keep  not tanon._share_a_name(keep, uid)  columns apart from uid, qi and ts
--   keep  not tanon._share_a_name(keep, ts)   columns apart from uid, qi and ts
{% include "arguments/kept_checks.sql" %}
-- Result:
--   {uid}   as in source  (with for_owner) whom a row is about
--   {qi}    as in source  the quasi-identifiers
--   {ts}    VARCHAR       the label of the granule
--   {keep}  as in source  what was to be kept
-- For: others
-- Promises: check_release(qi := $qi, ts := $ts, keep := $keep, k := $k, owner := $tanon_owner,
--     uid := $uid)
-- Suppressed: k_anonymous_suppressed
-- Example:
--   from tanon.publish_k_anonymous('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter', 'year'], k := 5, keep := ['diagnosis'])
--   limit 5

use measured = walked()

step kept_rows not materialized
    select {uid} as tanon_whose, * from {source}
end

step release materialized
    select {uid}, {qi}, tanon_label as {ts} {,keep}
    from {rows_in_chosen} as tanon_r
    where not exists (
        from {groups_below_k} as tanon_b
        where {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
    )
end

step left_rows not materialized
    select 0 as tanon_all, {uid} as tanon_whose, 1 as tanon_times, * from {release}
end

use sharing_the_release = sharing(rows = left_rows)

guard k_holds on release
    select 'k must hold in the release, got ' || count(*)
        || ' groups of fewer respondents: nothing was published'
    from {sharing_the_release}
    where tanon_people < {k}
    having count(*) > 0
end

guard few_are_left_out on release
    select 'max_suppression must hold in the release, got ' || (tanon_rows - tanon_kept) || ' of '
        || tanon_rows || ' rows left out: nothing was published'
    from {span}, (select count(*) as tanon_kept from {release})
    where tanon_rows - tanon_kept > {max_suppression} * tanon_rows and {checked one_is_acceptable}
end

guard uid_is_there_once on release
    select 'source must have ' || {uid:text} || ' once, got ' || min(column_name)
        || ', the name of the second where a join has two'
    from {source:columns}
    where folded = tanon._folded({uid:text}) || '_1'
    having count(*) > 0
end

select {if for_owner} {uid}, {end} {qi}, {ts} {,keep}
from {release}
where {checked k_holds} and {checked few_are_left_out} and {checked uid_is_there_once}
    and {checked one_is_acceptable} and {checked kept_is_fine}
    and {checked kept_together_is_fine}
order by {for c in flatten([tanon._list(qi), tanon._list(ts), tanon._list(keep)]) joined by ', '}
    tanon._order_key({c:name})
{end}
{if for_owner} , tanon._order_key({uid}) {end}
