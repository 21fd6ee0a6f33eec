-- Returns the number of distinct respondents in each group of quasi-identifiers.
--
-- Use this function to see all groups. tanon.k_anonymity returns one row for the table, and
-- tanon.k_anonymity_violations returns only groups below k.
--
-- A respondent with a hundred rows in a group counts once. NULL in a quasi-identifier is a value.
-- With ts, the granule of the time is part of the group. A time outside all granules is an error.
-- The result is for the owner, because it lists small groups too.
--
-- If source is a sample of a population, pass weight, sampling_fraction or population_size. The
-- result then has the individual risk of Benedetti and Franconi (1998) for each group. This is the
-- expected value of one over the number of people of the population in the group. The estimate
-- assumes that all people of a group are drawn with the same probability. It is too low if most
-- groups of the population are small, and too high if groups are large and similar.
--
-- Cost: two hash aggregations. DuckDB spills to disk what does not fit in memory.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   respondent   column not null as respondent  the respondent of the row
--   qi           columns as quasi-identifier  the quasi-identifiers
--   uses time
--   uses sample
-- Result:
--   {qi}        as in source  the quasi-identifiers of the group
--   {ts}        VARCHAR       (with ts) the label of the granule
--   frequency   BIGINT        the number of distinct respondents
--   tuples      BIGINT        the number of rows
--   population_frequency  DOUBLE  (with weight or sampling_fraction or population_size) people of
--       the population in the group: the sum of weights, or an estimate from the fraction
--   individual_risk       DOUBLE  (with weight or sampling_fraction or population_size) the risk of
--       each respondent of the group
-- For: the owner
-- Example:
--   from tanon.frequency_set('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
--       granularity := 'month')
--   order by all

let granularities = granularity

piece population_and_risk
, tanon_people as population_frequency, tanon_risk as individual_risk
end

use labelled_risks = labelled(counts = individual_risks, more = population_and_risk)

{if concat(weight, sampling_fraction, population_size) = ''}
from {labelled_frequencies}
{else}
{labelled_risks}
{end}
