-- Returns a k-anonymous release of series, with ranges that at least k series share.
--
-- Use this function if recipients need no shapes. For words use tanon.publish_series.
--
-- Values of method:
--
--   'exchange'    halves the table into groups of nearly k, then moves and swaps series between
--                 neighbouring groups while ranges become narrower. It has the lowest loss.
--   'halves'      the same without moves and swaps.
--   'sequential'  the published method: two distant seeds, then row after row.
--
-- The function refuses a column of sensitive that nearly identifies respondents, unless
-- allow_identifying names it. It checks the release before it returns rows. Columns of sensitive
-- are unchanged. Group numbers and the order of rows follow from the released values. The secret
-- decides ties.
--
-- Release the same series once, as for tanon.publish_series. for_owner := true adds series_id. Do
-- not release this copy.
--
-- Cost: nearly linear. Memory: all series and the release, 1 to 2 kB for each series of 10
-- readings, without spilling.
--
-- Arguments:
--   source     relation               the table, the view or the query in parentheses
--   series_id  column not null as respondent  the series; each series has one row
--   series     columns(list, number)  a list column, or one column for each reading
--   k          integer > 1            the fewest series that share their ranges
--   sensitive  columns or none = []  columns to release unchanged
--   allow_identifying  columns or none = []   columns of sensitive to release although they nearly
--       identify respondents
--   max_singled_out  number in [0, 1] = 0.05  the largest share of rows that may have a unique
--       value in such a column
--   for_owner  boolean = false        whether to add series_id, for the checks of the owner
--   method  one of 'exchange', 'halves', 'sequential' = 'exchange'  how the function finds groups
--   scale      one of 'none', 'position', 'series' = 'none'  the unit in which series are close, as
--       in tanon.publish_series
--   secret     secret = NULL          the secret that decides ties; NULL: the secret of the process
-- Checks:
--   sensitive  not tanon._share_a_name(sensitive, tanon._list(series))  columns other than
--       series_id and series
--   sensitive  not tanon._share_a_name(sensitive, series_id)  columns other than
--       series_id and series
--   allow_identifying  allow_identifying among sensitive  columns that sensitive names
-- Result:
--   {series_id}         as in source  (with for_owner) the series
--   k_group      BIGINT        the number of the group
--   low          DOUBLE[]      the lowest reading of the group at each position
--   high         DOUBLE[]      the highest reading of the group at each position
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
