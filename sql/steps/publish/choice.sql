-- The choice that is released, as choose_by says; of granularities alone the finest one.
-- Yields: choice, one_is_acceptable
-- Reads: best_first, candidates, finest, row_count, span, weighed
-- Takes: ts, k, max_suppression, hierarchies, choose_by, limits, presence

use candidates_weighed = weighed(nodes = candidates)

step choice materialized
    {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)}
    from {candidates_weighed} {best_first} limit 1
    {else}
    from {finest}
    {end}
end

guard one_is_acceptable on rows_in_choice
    select
        {if hierarchies is not null}'hierarchies must hold levels that leave'
        {else}{if ts is not null}'granularities must hold one that leaves'
        {else}'max_suppression must be a share that leaves room for'{end}{end}
        || ' at most ' || {max_suppression} || ' of the rows in groups of fewer than ' || {k}
        || ' respondents' {if limits is not null}
        || ' or outside limits, and what limits leave out within them, taken together'{end}
        {if presence is not null}|| ' or too seldom in population'{end}
        || ', got none for ' || tanon_rows_of_all || ' rows'
        {if hierarchies is not null}
        || '; tanon.tune_events tells how many rows must be left out'
        {else}{if ts is not null}
        || '; tanon.granularity_metrics tells how far each granularity is'
        {end}{end}
        {if hierarchies is null}
        || ', and hierarchies may generalize more than time'
        {end}
    from {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)}{row_count}
        {else}(select tanon_rows as tanon_rows_of_all from {span}){end}
    where (select count(*) = 0 from {choice})
end
