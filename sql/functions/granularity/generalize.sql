-- Returns a table with its times expressed in a granularity.
--
-- The result is for the owner and is not a release. It contains every row and every column,
-- respondents included. The rows keep the order of the source, so their order can reveal the exact
-- times. To release a table, use tanon.publish_events. A time outside all granules is an error.
--
-- Arguments:
--   source       relation               the table, the view or the query in parentheses
--   ts           column(time) not null as time  the time of the event
--   granularity  granularity            the granularity of the result
--   calendar     calendar = NULL        your own granularities
--   tz           text = NULL            the time zone of the granules, for TIMESTAMP WITH TIME ZONE
-- Result:
--   source.*  as in source  every column, with ts as the label of its granule, a VARCHAR
-- For: the owner
-- Example:
--   from tanon.generalize('visits', ts := 'admitted', granularity := 'week') order by all limit 5

let granularities = granularity

select * exclude (
    tanon_t, tanon_is_date, tanon_granule
    {if not tanon._is_granularity(granularity)}, tanon_label{end}
)
replace (
    {if tanon._is_granularity(granularity)}
    tanon._label(tanon_t, {granularity})
    {else}
    tanon_label
    {end}
    as {ts}
)
from {placed}
