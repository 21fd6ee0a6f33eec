-- A k-anonymous release of time series: every row has ranges that at least k series share.
--
-- Values only: what the ranges of near series leave of their shapes is little. For releases that
-- keep patterns see tanon.kp_anonymize.
--
-- method: 'exchange' halves the table along its main direction into groups of nearly k, then moves
-- and swaps series between neighbouring groups while that narrows ranges: the lowest loss.
-- 'halves' leaves the exchanges out. 'sequential' is top-down splitting as published: two far
-- seeds, row after row to the side it widens less.
--
-- Groups are numbered by what is published of them and rows leave sorted; secret decides ties. What
-- leaves is checked before it is returned. sensitive columns leave as they are; one that nearly
-- names a person is refused unless named in accept, as by tanon.kp_anonymize, where also stands why
-- one table is released once. for_owner := true adds the id: keep that copy.
--
-- Cost: near-linear. Memory: all series and the release, 1 to 2 kB for each series of 10
-- readings; nothing of that can spill.
--
-- Arguments:
--   source     relation               the table, the view or the query in parentheses
--   id         column not null        names a series, one row each
--   series     columns(list, number)  a list column, or one column for each reading
--   k          integer > 1            how many series must share their ranges
--   sensitive  columns or none = []   columns to publish as they are
--   accept     columns or none = []   those of them that leave although they nearly name a person
--   for_owner  boolean = false        whether to add the id, for your own checks
--   method     one of 'exchange', 'halves', 'sequential' = 'exchange'  see above
--   secret     secret = NULL          what decides ties; NULL: the one that the process holds
-- Checks:
--   sensitive  not tanon._share_a_name(sensitive, list_append(tanon._list(series), id))  columns
--       other than id and series
{% set kept, respondent = "sensitive", none %}
{% include "fragments/kept_checks.sql" %}
-- Result:
--   {id}         as in source  (with for_owner) the series
--   k_group      BIGINT        number of the group
--   low          DOUBLE[]      the lowest reading of the group at each position
--   high         DOUBLE[]      the highest
--   {sensitive}  as in source  the sensitive columns
-- For: others
-- Example:
--   from tanon.k_anonymize_series('incomes', id := 'name', series := 'incomes', k := 12,
--       sensitive := 'charity', accept := 'charity')
--   order by all limit 3

{% set passed_columns = "{,tanon_s.sensitive}" %}
{% set purpose = "{function}" %}
with
{% include "fragments/kept_is_fine.sql" %},
{% include "fragments/series_rows.sql" %},
{% include "fragments/enough_series.sql" %},
{% include "fragments/numbered_series.sql" %},
tanon_answer as materialized (
    select tanon_k_groups(list(tanon_values order by tanon_row), {k}, {method}) as tanon_answer
    from tanon_numbered
),
tanon_released as (
    select
        generate_subscripts(tanon_answer['found'], 1) as tanon_row,
        unnest(tanon_answer['found']) as k_group
    from tanon_answer
),
tanon_envelopes as materialized (
    select
        generate_subscripts(tanon_answer['envelopes'], 1) as k_group,
        unnest(tanon_answer['envelopes'], recursive := true)
    from tanon_answer
),
tanon_leaving as (
    select k_group, low, high
    from tanon_released join tanon_envelopes using (k_group)
),
tanon_checked as (
    select coalesce((
        select error({function} || ': the release failed its own check: fewer than k share ranges')
        from (select count(*) as tanon_rows from tanon_leaving group by k_group, low, high)
        where tanon_rows < {k} having count(*) > 0
    ), (select tanon_fine from tanon_kept_is_fine)) as tanon_fine
)
select {if for_owner} tanon_id as {id}, {end} k_group, low, high {,sensitive}
from tanon_released
join tanon_numbered using (tanon_row)
join tanon_envelopes using (k_group)
where (select tanon_fine from tanon_checked)
order by k_group {,sensitive}, encode({sensitive:encoded}) {if for_owner} , tanon_id {end}
