-- All that can be told of a k-anonymous release, as rows of facts.
--
-- Of the same call as tanon.publish_events, with levels, limits, hidden cells and without time
-- too, and of exactly the rows that it gives. tanon_duck.report draws these facts and computes
-- nothing besides. Sections, in this order: release, columns, promise, granularities, lattice,
-- group sizes, risk, left out, what if, utility, attacks, warnings; what each says is told by
-- tanon.granularity_metrics, granularity_graph, group_sizes, risk_by_granularity, publish_events
-- (results 'suppressed', 'columns', 'attacks' and 'warnings') and evaluate_events (seed 0),
-- all counts taken once. Granularities are told at the levels that are chosen, by k alone. Where
-- time alone is made coarser and no granularity is acceptable, the promise does not hold, and the
-- report is about the one that leaves out the least; in all else that is the publisher's error.
--
-- value is what was found, bound what it is held to, holds whether it does, NULL where nothing is
-- promised. public is false where a row tells of the source what only its owner should know:
-- values, times, groups below k, and what was not released.
--
-- Cost: at most four times that of tanon.granularity_metrics; with levels, limits or hidden cells
-- that of tanon.publish_events, and a count of respondents for each granularity.
--
-- Arguments:
--   uses release
--   uses asks
-- Result:
--   uses facts
-- For: the owner
-- Example:
--   from tanon.report_events('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter'], k := 5, keep := ['diagnosis'])

use measured = all_measured(sizes = sizes_offered)
use kept_identifiers = identifiers_of_rows()
use asked_rows = rows_to_ask()
use granules_met = granules_of_time(chosen = nearest_granularity, rows = rows_at_nearest)
use levels_wanted = levels_of_choice()
use release_texts = texts_reported()

step facts
    from {facts_of_release}
    union all
    from {facts_of_columns}
    union all
    from {facts_of_promise}
    {if ts is not null}
    union all
    from {facts_of_granularities}
    union all
    from {facts_of_lattice}
    {end}
    union all
    from {facts_of_sizes}
    union all
    from {facts_of_risk}
    union all
    from {facts_of_left_out}
    union all
    from {facts_of_columns_told}
    {if queries > 0}
    union all
    from {facts_of_utility}
    {end}
    union all
    from {facts_of_attacks}
    union all
    from {facts_of_warnings}
end

{facts_in_order}
