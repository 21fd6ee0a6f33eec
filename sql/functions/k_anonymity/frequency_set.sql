-- How many distinct respondents share each value of the quasi-identifiers.
--
-- A respondent who appears a hundred times with the same value counts once: people, not rows.
-- NULL in a quasi-identifier is a value like any other. With ts, time is a quasi-identifier too,
-- in the granularity given; a time outside all granules is an error, nothing is left out. For the
-- owner: small groups are listed like large ones.
--
-- Where source is a sample of a population, weights or a sampling fraction add the individual risk
-- of Benedetti and Franconi (1998) to each group: the mean of one over the people of the population
-- who are in it, given how many are in the sample. It takes every person of a group for drawn with
-- the same probability, and knows nothing of other groups. So it is too low where most groups of
-- the population are small, and too high where groups are large and alike. Of samples of 2 % of
-- 100,000 people it says 0.08 for somebody alone in the sample: in groups of very different sizes
-- (Zipf) 0.4 was true. Of 30 % it says 0.52, where 0.1 is true in groups of ten.
--
-- Cost: two hash aggregations; DuckDB spills what does not fit in memory.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   respondent   column not null as respondent  whom a row is about: the respondent
--   qi           columns as quasi-identifier  the quasi-identifiers
--   uses time
--   uses sample
-- Result:
--   {qi}        as in source  the value
--   {ts}        VARCHAR       (with ts) the label of the granule
--   frequency   BIGINT        distinct respondents with this value
--   tuples      BIGINT        rows with this value
--   population_frequency  DOUBLE  (with weight or sampling_fraction or population_size) people of
--       the population with this value: the sum of weights, or what the fraction says
--   individual_risk       DOUBLE  (with weight or sampling_fraction or population_size) of each of
--       these respondents
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
