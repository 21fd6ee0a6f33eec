-- How many distinct respondents share each value of the quasi-identifiers.
--
-- A respondent who appears a hundred times with the same value counts once: people, not rows.
-- NULL in a quasi-identifier is a value like any other. With ts, time is a quasi-identifier too,
-- in the granularity given; a time outside all granules is an error, nothing is left out. For the
-- owner: small groups are listed like large ones.
--
-- Cost: two hash aggregations; DuckDB spills what does not fit in memory.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   uid          column not null as respondent  whom a row is about: the respondent
--   qi           columns as quasi-identifier  the quasi-identifiers
{% include "arguments/time.sql" %}
-- Result:
--   {qi}       as in source  the value
--   {ts}       VARCHAR       (with ts) the label of the granule
--   frequency  BIGINT        distinct respondents with this value
--   tuples     BIGINT        rows with this value
-- For: the owner
-- Shards:
--   query  by qi  whole groups in each shard
-- Shards by uid:
--   frequencies  left by uid           whole respondents in each shard
--   query        by qi of frequencies  their counts added up
-- Example:
--   from tanon.frequency_set('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularity := 'month')
--   order by all

let granularities = granularity

from {labelled_frequencies}
