-- A k-anonymous release of time series: every row has ranges that at least k series share.
--
-- Values only: what the ranges of near series leave of their shapes is little. For releases that
-- keep patterns see tanon.publish_series.
--
-- method: 'exchange' halves the table along its main direction into groups of nearly k, then moves
-- and swaps series between neighbouring groups while that narrows ranges: the lowest loss.
-- 'halves' leaves the exchanges out. 'sequential' is top-down splitting as published: two far
-- seeds, row after row to the side it widens less.
--
-- scale: in what readings are near: in their own unit ('none'), in standard deviations of their
-- position ('position'), or in sizes of their series ('series'); see tanon.publish_series.
--
-- Groups are numbered by what is published of them and rows leave sorted; secret decides ties. What
-- leaves is checked before it is returned. sensitive columns leave as they are; one that nearly
-- names a person is refused unless named in accept, as by tanon.publish_series, where also stands
-- why one table is released once. for_owner := true adds the id: keep that copy.
--
-- Cost: near-linear. Memory: all series and the release, 1 to 2 kB for each series of 10
-- readings; nothing of that can spill.
--
-- Arguments:
--   source     relation               the table, the view or the query in parentheses
--   series_id  column not null as respondent  names a series, one row each
--   series     columns(list, number)  a list column, or one column for each reading
--   k          integer > 1            how many series must share their ranges
--   sensitive  columns or none = []  columns to publish as they are
--   allow_identifying  columns or none = []   those of them that leave although they nearly name a
--       person
--   max_singled_out  number in [0, 1] = 0.05  the share of rows of which such a column may have a
--       value that no other row has
--   for_owner  boolean = false        whether to add series_id, for your own checks
--   method     one of 'exchange', 'halves', 'sequential' = 'exchange'  see above
--   scale      one of 'none', 'position', 'series' = 'none'  see above
--   secret     secret = NULL          what decides ties; NULL: the one that the process holds
-- Checks:
--   sensitive  not tanon._share_a_name(sensitive, tanon._list(series))  columns other than
--       series_id and series
--   sensitive  not tanon._share_a_name(sensitive, series_id)  columns other than
--       series_id and series
--   allow_identifying  allow_identifying among sensitive  columns that sensitive names
-- Result:
--   {series_id}         as in source  (with for_owner) the series
--   k_group      BIGINT        number of the group
--   low          DOUBLE[]      the lowest reading of the group at each position
--   high         DOUBLE[]      the highest
--   {sensitive}  as in source  the sensitive columns; VARCHAR instead of ENUM or JSON
-- For: others
-- Promises: check_release(qi := ['k_group', 'low', 'high'], k := $k, keep := $sensitive)
-- Example:
--   from tanon.publish_series_ranges('incomes', series_id := 'name', series := 'incomes', k := 12,
--       sensitive := 'charity', allow_identifying := 'charity')
--   order by all limit 3

let keep = sensitive

step kept_rows
    select *, null as tanon_whose from {source}
end

use kept_people = a_person_each()

step kept_identifiers
    select {series_id} as tanon_id from {source}
end

piece purpose
    'tanon.k_anonymize_series'
end

step series_rows
    select {series_id} as tanon_id, {readings} as tanon_values {,tanon_s.sensitive}
    from {source} as tanon_s
end

step k_answer materialized
    select
        tanon._answer(tanon_k_groups(
            list(tanon_values order by tanon_row asc nulls last), {k}, {method}, {scale}
        )) as tanon_answer
    from {numbered_series}
end

step k_series
    select
        generate_subscripts(tanon_answer['found'], 1) as tanon_row,
        unnest(tanon_answer['found']) as k_group
    from {k_answer}
end

step k_envelopes materialized
    select
        generate_subscripts(tanon_answer['envelopes'], 1) as k_group,
        unnest(tanon_answer['envelopes'], recursive := true)
    from {k_answer}
end

guard k_share_ranges on k_envelopes
    select 'the release failed its own check: fewer than k share ranges'
    from (
        select count(*) as tanon_rows
        from {k_series} join {k_envelopes} using (k_group)
        group by k_group, low, high
    )
    where tanon_rows < {k} having count(*) > 0
end

select {if for_owner} tanon_id as {series_id}, {end} k_group, low, high
    {for c in tanon._list(sensitive) joined by ''}
    , tanon._without_labels({c:name}) as {c:name}{end}
from {k_series}
join {numbered_series} using (tanon_row)
join {k_envelopes} using (k_group)
where {checked kept_is_fine} and {checked kept_together_is_fine}
    and {checked k_share_ranges}
order by
    k_group asc nulls last {,sensitive:ordered}, encode({sensitive:encoded}) asc nulls last
    {if for_owner} , tanon_id asc nulls last {end}
