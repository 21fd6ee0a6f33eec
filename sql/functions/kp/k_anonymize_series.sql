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
-- Groups are numbered, and rows ordered, by what is published of them and seed. Publish with
-- keep_id := false. The release is checked before it is returned.
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
--   keep_id    boolean = false        whether the id comes first, for your own checks
--   method     one of 'exchange', 'halves', 'sequential' = 'exchange'  see above
--   seed       integer = 0            decides the order of rows and ties
-- Checks:
--   sensitive  not tanon._share_a_name(sensitive, list_append(tanon._list(series), id))  columns
--       other than id and series
-- Result:
--   {id}         as in source  (with keep_id) the series
--   k_group      BIGINT        number of the group
--   low          DOUBLE[]      the lowest reading of the group at each position
--   high         DOUBLE[]      the highest
--   {sensitive}  as in source  the sensitive columns
-- Example:
--   from tanon.k_anonymize_series('incomes', id := 'name', series := 'incomes', k := 12,
--       sensitive := 'charity')
--   order by all limit 3

{% set passed_columns = "{,tanon_s.sensitive}" %}
with
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
tanon_checked as (
    select coalesce((
        select error({function} || ': the release failed its own check: fewer than k share ranges')
        from (
            select sum(rows) as rows
            from (select k_group, count(*) as rows from tanon_released group by k_group)
            join tanon_envelopes using (k_group) group by low, high
        )
        where rows < {k} having count(*) > 0
    ), true) as tanon_fine
)
select {if keep_id} tanon_id as {id}, {end} k_group, low, high {,sensitive}
from tanon_released
join tanon_numbered using (tanon_row)
join tanon_envelopes using (k_group)
where (select tanon_fine from tanon_checked)
order by hash(k_group {,sensitive}, {seed})
