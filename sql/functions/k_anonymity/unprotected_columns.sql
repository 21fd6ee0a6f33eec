-- What every other column would tell, were it in a k-anonymous release.
--
-- Of the same call as tanon.publish_k_anonymous, generalized and hidden as there, and without the
-- groups it leaves out. A column singles a respondent out if somebody who knows the
-- quasi-identifiers, the time and this one value finds no other respondent. In a group of one value
-- whoever finds the group knows it. Guesses are of the most frequent value of a group, row by row;
-- usual_rate is what guessing the most frequent value of all rows gets right. Columns that keep
-- does not name stay home: their rows say what naming them would cost. What several columns tell
-- together is told by tanon.k_anonymity_attack. Values are compared as text. Where time alone is
-- made coarser and no granularity is acceptable, the one that leaves out the least is looked at.
--
-- Cost: that of tanon.granularity_metrics, a join of all rows, and one aggregation for each column.
--
-- Arguments:
{% include "arguments/release.sql" %}
-- Result:
--   column_name         VARCHAR  the column
--   kept                BOOLEAN  whether it leaves
--   distinct_values     BIGINT   how many values it has in the release
--   singled_out         BIGINT   respondents whom it singles out within a group
--   singled_out_share   DOUBLE   their share of the respondents in the release
--   in_groups_of_one_value        BIGINT  respondents in a group in which all have one value
--   in_groups_of_one_value_share  DOUBLE  their share
--   guess_rate          DOUBLE   share of rows whose value the best guess in the group gets right
--   usual_rate          DOUBLE   the same without the release: always the most frequent value
-- For: the owner
-- Shards: not offered: columns are weighed against each other over all rows
-- Example:
--   from tanon.unprotected_columns('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter'], k := 5, keep := ['diagnosis'])
--   order by all

use measured = all_measured(sizes = sizes_offered)

select
    tanon_column as column_name, tanon._is_named(tanon_folded, {keep:text}) as kept,
    tanon_values as distinct_values, tanon_alone as singled_out,
    coalesce(tanon_alone / nullif(tanon_people, 0), 0) as singled_out_share,
    tanon_alike as in_groups_of_one_value,
    coalesce(tanon_alike / nullif(tanon_people, 0), 0) as in_groups_of_one_value_share,
    tanon_most / tanon_rows as guess_rate, tanon_usual / tanon_rows as usual_rate
from {told_by_column}
order by all asc nulls last
