-- What simulated adversaries find in a k-anonymous release.
--
-- Of the same call as tanon.publish_k_anonymous, generalized and hidden as there, and without the
-- groups it leaves out. The questions are those of the Article 29 Working Party (WP216):
--
--   singling out  somebody knows the quasi-identifiers, the time and all kept values of a
--                 respondent; right where no other respondent fits. Targets are respondents
--   linkability   somebody has one row of a respondent of several rows, and picks another one at
--                 random among those that are equal in at most three columns; right where it is the
--                 same respondent's. The columns are those by which this is right most often.
--                 Targets are the rows of respondents of several
--   inference     for each kept column: somebody knows quasi-identifiers and time, and guesses the
--                 most frequent value of the group. Targets are rows
--
-- hit_rate has its 95 % interval (Wilson). baseline is what guesses without the release get right:
-- nobody, a row at random, the most frequent value of all. control is the same attack on the source
-- as it stands: with values and time as they are; for linkability with the best columns of the
-- source, whichever these are; and, for inference, the rows that are alone with their
-- quasi-identifiers and time, whose value is read off. An attack that
-- finds no more than its baseline learnt nothing from the release; a control near the baseline says
-- that there was nothing to be learnt. Where time alone is made coarser and no granularity is
-- acceptable, the one that leaves out the least is looked at.
--
-- An adversary who links by more than three columns, or by others for each row, may be right more
-- often. In tables of more than 100,000 rows sets are made of fewer than the ten columns that link
-- best alone, of four from a million on.
--
-- Cost: that of tanon.unprotected_columns, two aggregations of all rows, and one for each column
-- and for each set of columns: 175 for ten, and at most twenty million rows to aggregate, or 14 for
-- each.
--
-- Arguments:
{% include "arguments/release.sql" %}
-- Result:
--   criterion  VARCHAR  singling out, linkability or inference
--   affects    VARCHAR  for inference the column, for linkability the columns that link best
--   attack     VARCHAR  what the adversary knows and does
--   targets    BIGINT   whom or what it is tried on
--   hits       DOUBLE   how many are found, linked or guessed, on average
--   hit_rate   DOUBLE   their share
--   low        DOUBLE   the lower end of its 95 % interval
--   high       DOUBLE   the upper end
--   baseline   DOUBLE   the share without the release
--   control    DOUBLE   the share in the source as it stands
-- For: the owner
-- Shards: not offered: it draws its samples from the whole table
-- Example:
--   from tanon.k_anonymity_attack('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter'], k := 5, keep := ['diagnosis'])

use measured = all_measured(sizes = sizes_offered)

select
    tanon_criterion as criterion, tanon_affects as affects, tanon_attack as attack,
    tanon_targets as targets, tanon_hits as hits, tanon_hits / nullif(tanon_targets, 0) as hit_rate,
    tanon._interval(tanon_hits / nullif(tanon_targets, 0), tanon_targets).low as low,
    tanon._interval(tanon_hits / nullif(tanon_targets, 0), tanon_targets).high as high,
    tanon_baseline as baseline, tanon_control as control
from {attacked}
order by tanon_place asc nulls last, tanon_affects asc nulls last
