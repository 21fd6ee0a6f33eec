-- Returns the facts of the report about a k-anonymous release of events.
--
-- Pass the arguments of tanon.publish_events. tanon_duck.report draws these rows. The sections are
-- release, columns, promise, granularities, lattice, group sizes, risk, left out, what if, utility,
-- attacks and warnings. The help of tanon.granularity_metrics, tanon.group_sizes,
-- tanon.risk_by_granularity, tanon.publish_events and tanon.evaluate_events explains the figures.
--
-- Granularities have their figures at the chosen levels, by k only. If only the time is generalized
-- and no granularity is acceptable, the report describes the one that suppresses the fewest rows.
-- The promise then does not hold. In other cases without an acceptable choice, the function raises
-- the error of tanon.publish_events. Rows with public = false reveal facts of the source that only
-- the owner may see.
--
-- Cost: at most four times the cost of tanon.granularity_metrics. With levels, limits or hidden
-- cells, the cost of tanon.publish_events and one aggregation for each granularity.
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
