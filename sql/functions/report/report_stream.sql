-- All that can be told of a repositioned stream, as rows of facts.
--
-- Of the same call as tanon.reposition, with qi for keep; then tanon.publish_anatomy splits each
-- snapshot, where there are qi. tanon_duck.report draws these rows and computes nothing besides.
-- Sections: release, promise, eligibility (each snapshot before and after), group sizes, distances,
-- loss, utility, attacks, warnings; what each says is told by tanon.l_eligibility,
-- reposition_summary, publish_anatomy, evaluate_anatomy (seed 0), reposition_warnings and
-- anatomy_warnings.
--
-- value is what was found, bound what it is held to, holds whether it does, NULL where nothing is
-- promised. public is false where a row tells of the source what only its owner should know.
--
-- Cost: four times that of tanon.reposition, twice that of tanon.publish_anatomy, and with queries
-- that of tanon.evaluate_anatomy.
--
-- Arguments:
{% include "arguments/reposition.sql" %}
--   qi           columns or none = []                       the quasi-identifiers
{% include "arguments/asks.sql" %}
-- Checks:
{% include "arguments/reposition_checks.sql" %}
--   qi  not tanon._share_a_name(qi, [ts::varchar, sa::varchar])  columns apart from uid, ts and sa
--   qi  not tanon._share_a_name(qi, uid)  columns apart from uid, ts and sa
--   l   tanon._is_rational_above(l, 1)  a rational number greater than 1 such as 3, 2.5 or '5/2'
-- Result:
{% include "arguments/facts.sql" %}
-- For: the owner
-- Shards: not offered: a report counts the same rows in a dozen ways; make it of what was released
-- Example:
--   from tanon.report_stream('cases', uid := 'person', ts := 'day', sa := 'disease',
--       l := 2, w := 4, qi := ['age', 'district'])

let partition = ts

step eligibility materialized
    from {eligibility_before}
    union all
    select 'after', tanon_start, sum(tanon_n)::bigint, sum(tanon_n) / max(tanon_n),
        max(tanon_n) * tanon._numerator({l}) <= sum(tanon_n) * tanon._denominator({l})
    from (
        select published_ts as tanon_start, {sa}, count(*) as tanon_n
        from {moved}
        where published_ts is not null
        group by published_ts, {sa}
    )
    group by tanon_start
end

-- What is split, with its published snapshots; its two tables.
step outgoing_rows materialized
    select published_ts as {ts} {,uid} {,qi}, {sa} from {moved} where published_ts is not null
end

piece dealing
    qi := {qi:text}, sa := {sa:text}, l := {tanon._text(l)}, partition := {ts:text},
    accept := {qi:text}, uid := {uid:text}, rows_are_persons := {rows_are_persons},
    secret := {tanon._text(secret)}
end

step dealt_owners materialized
    from tanon.publish_anatomy('(from tanon_outgoing_rows)', part := 'individuals', {dealing},
        for_owner := {if uid is null}false{else}true{end})
    where (select count(*) >= 0 from {outgoing_rows})
end

step dealt_values materialized
    from tanon.publish_anatomy('(from tanon_outgoing_rows)', part := 'values', {dealing})
    where (select count(*) >= 0 from {outgoing_rows})
end

use guesses = guessed(rows = moved)

step facts
    from {facts_of_stream}
    {if len(tanon._list(qi)) > 0}
    union all
    from {facts_of_pair}
    {if queries > 0}
    union all
    from {utility_of_pair}
    {end}
    {end}
end

{facts_in_order}
