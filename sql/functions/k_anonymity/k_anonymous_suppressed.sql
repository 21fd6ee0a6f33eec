-- The groups that a k-anonymous release leaves out, and what would have kept them.
--
-- Of the same call as tanon.publish_k_anonymous: every group of fewer than k respondents at the
-- granularity it chooses, and the finest of the offered granularities in which all rows of the
-- group are with k respondents or more; NULL where none is. For the owner, and no part of the
-- release: it lists the small groups that the release hides.
--
-- Cost: that of tanon.publish_k_anonymous, and one look for each offered granularity at the rows
-- with the quasi-identifiers of such groups.
--
-- Arguments:
{% include "fragments/time/offer_arguments.sql" %}
-- Result:
--   {qi}       as in source  the value
--   {ts}       VARCHAR       the label of the granule
--   frequency  BIGINT        distinct respondents with this value
--   tuples     BIGINT        rows left out
--   kept_by    VARCHAR       the finest offered granularity that would have kept them
-- For: the owner
-- Example:
--   from tanon.k_anonymous_suppressed('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['day', 'week', 'month', 'year'], k := 5, max_suppression := 0.9)
--   order by all

with
{% include "fragments/time/chosen.sql" %}
tanon_near as materialized (
    select tanon_rows.*
    from tanon_rows
    where exists (
        from tanon_below
        where {for q in tanon._list(qi) joined by ' and '}
            tanon_rows.{q:name} is not distinct from tanon_below.{q:name}
        {end}
    )
),
tanon_elsewhere as (
    {for g in tanon._built(granularities) joined by ' union all '}
    select {g} as tanon_name, {qi}, tanon_granule, {uid} as tanon_uid, {g:index_text} as tanon_there
    from tanon_near
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_found.tanon_name, {qi}, tanon_near.tanon_granule, {uid} as tanon_uid,
        tanon_found.tanon_granule as tanon_there
    from tanon_near, tanon_tick, tanon_found
    where tanon_found.tanon_tick = (epoch_us(tanon_t) + 62135596800000000) // tanon_width
    {end}
),
tanon_counted as (
    select tanon_name, {qi}, tanon_there, count(distinct tanon_uid) as tanon_f
    from tanon_elsewhere
    group by tanon_name, {qi}, tanon_there
),
tanon_held as (
    select e.tanon_name, {e.qi}, e.tanon_granule, min(c.tanon_f) as tanon_f
    from (select distinct tanon_name, {qi}, tanon_granule, tanon_there from tanon_elsewhere) as e
    join tanon_counted as c
        on e.tanon_name = c.tanon_name and e.tanon_there = c.tanon_there
        {for q in tanon._list(qi) joined by ''}
        and e.{q:name} is not distinct from c.{q:name}
        {end}
    group by e.tanon_name, {e.qi}, e.tanon_granule
),
tanon_keeper as (
    select {qi}, tanon_granule,
        arg_min(tanon_name, (tanon_length, tanon_name)) as tanon_kept_by
    from tanon_held join tanon_feasibility using (tanon_name)
    where tanon_f >= {k} and tanon_reason is null
    group by {qi}, tanon_granule
),
tanon_labels as (
    select tanon_granule, any_value(tanon_label) as tanon_label from tanon_near group by all
)
select {b.qi}, tanon_label as {ts}, tanon_frequency as frequency, tanon_tuples as tuples,
    tanon_kept_by as kept_by
from tanon_below as b join tanon_labels using (tanon_granule) left join tanon_keeper as k_
    on b.tanon_granule = k_.tanon_granule
    {for q in tanon._list(qi) joined by ''}
    and b.{q:name} is not distinct from k_.{q:name}
    {end}
where (select coalesce(bool_and(tanon_fine), true) from tanon_found_one)
