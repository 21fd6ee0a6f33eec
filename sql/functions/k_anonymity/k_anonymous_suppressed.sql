-- The groups that a k-anonymous release leaves out, and what would have kept them.
--
-- Of the same call as tanon.publish_k_anonymous: every group of fewer than k respondents at the
-- levels and the granularity it chooses, why it is left out, and the finest of the offered
-- granularities in which all rows of the group are, at these levels, with k respondents or more;
-- NULL where none is. For the owner, and no part of the release: it lists the small groups that the
-- release hides.
--
-- Cost: that of tanon.publish_k_anonymous, and one look for each offered granularity at the rows
-- with the quasi-identifiers of such groups.
--
-- Arguments:
{% include "arguments/release.sql" %}
-- Result:
--   {qi}       as in source  the value
--   {ts}       VARCHAR       (with ts) the label of the granule
--   frequency  BIGINT        distinct respondents with this value
--   tuples     BIGINT        rows left out
--   reason     VARCHAR       why
--   cells      VARCHAR[]     (where suppression is 'cells') attributes suppressed, and the rows
--       stay; NULL where no attributes are enough
--   kept_by    VARCHAR       (with ts, without limits and presence) the finest offered granularity
--       that would have kept them
-- For: the owner
-- Shards:
--   hierarchies, levels  applied  where rows lie, if a level of each is given
--   prefer                refused  its search asks again and again
--   population            along    whole beside each shard
--   suppression, remainder             refused  cells of several groups are weighed together
--   granularities         single when hierarchies or limits or presence  to choose among several
--       is a search that asks for all rows again and again
--   span, uncovered       by qi unless no ts  added up
--   granularity_metrics.sizes_offered  by qi unless limits or presence or no ts  whole groups
--   some_are_feasible     decided unless limits or presence or no ts  from these
--   granularity_metrics.measured  decided unless limits or presence or no ts  from these
--   granules_apart, values_apart  by qi unless limits or presence or no ts  added up
--   choice                decided unless limits or presence or no ts  from these
--   secrets_here          left by qi when limits  who has which value, in this shard
--   secrets_met           by tanon_sensitive, tanon_whose of secrets_here when limits  and in all
--   sensitive_values_met as sensitive_values  decided when limits  of all shards
--   shares_met as source_shares  decided when limits  of all shards
--   rows_here             by qi when no ts  added up
--   rows_of_span as row_count          decided when limits or presence or no ts  of all shards
--   choice_offered as choice           decided when limits or presence or no ts  tried
--   population_holds_source  by qi when presence  whole groups in each shard
--   wide_met              decided when presence  how many of the population are like each group
--   left_out_here         by qi when limits or presence or no ts  whole groups in each, added up
--   people_missed         left by qi when limits  in groups of k or more
--   values_missed         by tanon_sensitive, tanon_whose of people_missed when limits  and in all
--   choice_taken as choice  decided when limits or presence or no ts  unless it leaves out too much
--   one_is_acceptable     decided  from these
--   query                              by qi    whole groups in each shard
-- Example:
--   from tanon.k_anonymous_suppressed('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['day', 'week'], k := 5, max_suppression := 0.9)
--   order by all

use measured = walked()

step rows_near materialized
    select tanon_r.*
    from {rows_in_choice} as tanon_r
    where exists (
        from {groups_below_k} as tanon_b
        where {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end}
    )
end

step elsewhere
    {for g in tanon._built(granularities) joined by ' union all '}
    select {g} as tanon_name, {qi}, tanon_granule, {uid} as tanon_uid,
        {tanon._index_text(g)} as tanon_there
    from {rows_near}
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_g.tanon_name, {qi}, tanon_r.tanon_granule, {uid} as tanon_uid,
        tanon_g.tanon_granule as tanon_there
    from {rows_near} as tanon_r, {tick}, {found} as tanon_g
    where tanon_g.tanon_tick = tanon._us_since_year_1(tanon_t) // tanon_width
    {end}
end

step counted_there
    select tanon_name, {qi}, tanon_there, count(distinct tanon_uid) as tanon_f
    from {elsewhere}
    group by tanon_name, {qi}, tanon_there
end

step least_there
    select e.tanon_name, {e.qi}, e.tanon_granule, min(c.tanon_f) as tanon_f
    from (
        select distinct tanon_name, {qi}, tanon_granule, tanon_there from {elsewhere}
    ) as e join {counted_there} as c
        on e.tanon_name = c.tanon_name and e.tanon_there = c.tanon_there
        {for q in tanon._list(qi) joined by ''}
        and e.{q:name} is not distinct from c.{q:name}
        {end}
    group by e.tanon_name, {e.qi}, e.tanon_granule
end

step keepers
    select {qi}, tanon_granule,
        arg_min(tanon_name, (tanon_length, tanon_name)) as tanon_kept_by
    from {least_there} join {feasibility} using (tanon_name)
    where tanon_f >= {k} and tanon_reason is null
    group by {qi}, tanon_granule
end

step labels_near
    select tanon_granule, any_value(tanon_label) as tanon_label from {rows_near} group by all
end

select
    {b.qi}, {if ts is not null}n_.tanon_label as {ts},{end}
    tanon_frequency as frequency, tanon_tuples as tuples,
    case when tanon_frequency < {k} then 'fewer than ' || {k} || ' respondents'
        {if limits is null}else 'too seldom in population'{else}
        else 'outside limits' {if presence is not null}|| ' or too seldom in population'{end}{end}
        end as reason
    {if suppression = 'cells'}
    , case when tanon_mask is not null then
        list_filter({qi:text}, lambda q, i: tanon_mask & (1 << (i - 1)) <> 0) end as cells
    {end}
    {if ts is not null and limits is null and presence is null}, tanon_kept_by as kept_by{end}
from {hidden} as b
{if ts is not null}
join {labels_near} as n_ on b.tanon_granule = n_.tanon_granule
{if limits is null and presence is null}
left join {keepers} as k_
    on b.tanon_granule = k_.tanon_granule
    {for q in tanon._list(qi) joined by ''}
    and b.{q:name} is not distinct from k_.{q:name}
    {end}
{end}
{end}
where {checked one_is_acceptable}
