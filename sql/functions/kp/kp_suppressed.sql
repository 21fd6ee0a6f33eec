-- The series that tanon.kp_anonymize leaves out when called with the same arguments, and why.
--
-- The algorithms kapra and kapra_refined leave out fewer than P series: those for which no P series
-- share a word once all others have found a P-group. The algorithms naive and shared leave out
-- none.
--
-- It takes all arguments of tanon.kp_anonymize, so that one list serves both; sensitive, accept and
-- for_owner change nothing here. With another secret other series may be left out.
--
-- Cost and memory: as tanon.kp_anonymize.
--
-- Arguments:
--   source         relation               the table, the view or the query in parentheses
--   id             column not null as respondent  names a series, one row each
--   series         columns(list, number)  a list column, or one column for each reading
--   k              integer > 1            how many series must share their ranges
--   p              integer >= 1           how many of those must share their word
--   algorithm      one of 'kapra', 'kapra_refined', 'naive', 'shared' = 'shared'  as published
--   max_level      integer in [1, 26] = NULL  as published
--   sensitive      columns or none = []  as published
--   accept         columns or none = []   as published
--   max_singled_out  number in [0, 1] = 0.05  as published
--   for_owner      boolean = false        as published
--   secret         secret = NULL          as published
--   scale          one of 'none', 'position', 'series' = 'none'  as published
--   split          one of 'halves', 'sequential' = 'halves'  as published
--   foreign_words  boolean = false        as published
--   allow_p1       boolean = false        as published
-- Checks:
--   p  tanon._at_least(k, p)  at most k
--   p  tanon._at_least(p, 2) or allow_p1  at least 2, or 1 with allow_p1 := true
--   sensitive  not tanon._share_a_name(sensitive, list_append(tanon._list(series), id))  columns
--       other than id and series
{% set kept = "sensitive" %}
{% include "arguments/kept_checks.sql" %}
-- Result:
--   {id}    as in source  the series
--   reason  VARCHAR       why it cannot be published
-- For: the owner
-- Shards:
--   series_are_fine, series_length, words_met  by id  each id once, and how many look alike
--   near_words            decided  which of these go together
--   series_by_word        left by anything  each series with where it goes
--   query                 by tanon_near of series_by_word as series_rows  whole groups in each
-- Example:
--   from tanon.kp_suppressed('incomes', id := 'name', series := 'incomes', k := 6, p := 4,
--       algorithm := 'kapra', max_level := 2)
--   order by all

piece purpose
    'tanon.kp_anonymize'
end

step series_rows
    select {id} as tanon_id, {readings} as tanon_values from {source}
end

select
    tanon_id as {id},
    'fewer than P = ' || {p} || ' series agree with its word at any level: only '
    || count(*) over () || ' such series are left' as reason
from {kp_series} join {numbered_series} using (tanon_row)
where k_group is null
order by tanon_id asc nulls last
