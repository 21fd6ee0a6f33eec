-- A table with its times expressed in a granularity.
--
-- For the owner, and no release: every row and every column stays, respondents included, and the
-- rows come as those of the source come, so that their order tells the times. A time outside all
-- granules is an error. tanon.publish_events finds the granularity, checks, and releases.
--
-- Arguments:
--   source       relation               the table, the view or the query in parentheses
--   ts           column(time) not null as time  when it happened
--   granularity  granularity            in what ts is expressed
--   calendar     calendar = NULL        granularities of your own
--   tz           text = NULL            whose clock decides, for TIMESTAMP WITH TIME ZONE
-- Result:
--   source.*  as in source  every column, but ts as the label of its granule, a VARCHAR
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
