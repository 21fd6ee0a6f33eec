-- What a k-anonymous release has chosen, holds and loses, in one row.
--
-- Of the same call as tanon.publish_k_anonymous: the granularity and the levels that are chosen,
-- and what the released rows themselves give when they are counted, with the respondents still in
-- them and after the same checks. For the owner: rows left out are counted exactly.
--
-- Cost: that of tanon.publish_k_anonymous without its order.
--
-- Arguments:
{% include "arguments/release.sql" %}
-- Result:
--   granularity     VARCHAR                the granularity of ts, NULL without
--   levels          MAP(VARCHAR, INTEGER)  the level of each attribute, 0 for the value itself
--   records         BIGINT                 rows released
--   suppressed      BIGINT                 rows left out
--   cells           BIGINT                 attributes suppressed in rows released
--   respondents     BIGINT                 distinct respondents in the release
--   groups          BIGINT                 distinct values of the quasi-identifiers
--   gen_m           BIGINT                 the fewest respondents who share one
--   gen_s           BIGINT                 the sum of respondents over all of them
--   discernibility  BIGINT                 squared rows of each group, all rows for one left out
--   entropy         DOUBLE                 bits that a row loses on average, as in
--       tanon.minimal_generalizations; NULL where granularities alone are offered, without prefer
--   criteria  STRUCT(property VARCHAR, promise VARCHAR, found VARCHAR, holds BOOLEAN)[]  (with
--       limits or population) what was asked of each group beside k, what the worst one reaches
-- For: the owner
-- Shards:
--   hierarchies, levels  refused  choose levels on a sample, and apply them to the source
--   prefer, sensitive, limits  refused  bits are reckoned from all rows at once
--   population, presence  refused  bits are reckoned from all rows at once
--   suppression, remainder             refused  cells of several groups are weighed together
--   granularities                      required  tables without a time are for one machine
--   span, uncovered, granularity_metrics.sizes_offered  by qi  whole groups in each, added up
--   some_are_feasible                  decided  from these
--   granularity_metrics.measured       decided  from these
--   granules_apart, values_apart  by qi  added up
--   choice, one_is_acceptable          decided  from these
--   all_who_are_kept      by uid when keep  who is there
--   values_kept           left by anything when keep  who has which value, alone in its shard
--   alone_with_a_value    left by tanon_folded, tanon_text of values_kept when keep  and in all
--   singled_out           by tanon_only of alone_with_a_value when keep  each once
--   values_together       left by anything when keep  the same of all columns together
--   alone_with_all        left by tanon_texts of values_together when keep  and in all
--   singled_out_together  by tanon_only of alone_with_all when keep  each once
--   identifier_lengths    by anything when keep  how long identifiers are
--   names_met             left by anything when keep  identifiers, and words of as many letters
--   identifiers_met as identifiers_found  by tanon_word of names_met when keep  in all
--   kept_is_fine, kept_together_is_fine  decided  from these
--   sensitive_is_limited  decided  from roles
--   rows_that_stay, k_holds, uid_is_there_once  by qi  the release is counted again, everywhere
--   few_are_left_out      decided  from all shards together
--   released_sums         by qi  whole groups in each, added up
--   people_released       left by qi  who is in the release of this shard
--   number_released       by tanon_whose of people_released  each once
-- Example:
--   from tanon.publish_k_anonymous_summary('visits', uid := 'patient', qi := ['sex'],
--       ts := 'admitted', granularities := ['week', '2 weeks', 'month'], k := 5,
--       max_suppression := 0.05, keep := ['diagnosis'])

use measured = walked()

step kept_rows not materialized
    select {uid} as tanon_whose, * from {source}
end

use kept_people = people_of_rows()
use kept_identifiers = identifiers_of_rows()

select
    {if ts is not null}tanon_c.tanon_name{else}null::varchar{end} as granularity,
    map {
        {for q in tanon._list(qi) joined by ', '}
        {q}: {if tanon._is_searched(ts, hierarchies, prefer, limits, presence)}
        tanon_c.{q:name}{else}0{end}
        {end}
    }::map (varchar, integer) as levels,
    tanon_kept as records, tanon_left_out as suppressed,
    tanon_m.tanon_cells as cells, (select tanon_people from {number_released}) as respondents,
    tanon_m.tanon_groups as groups, tanon_m.tanon_m as gen_m, tanon_m.tanon_s as gen_s,
    tanon_m.tanon_discernibility::bigint as discernibility,
    {if tanon._is_searched(ts, hierarchies, prefer, limits, presence)}tanon_bits
    {else}null::double{end}
        as entropy
    {if limits is not null or presence is not null}
    , (select tanon_criteria from {criteria}) as criteria
    {end}
from {released_measures} as tanon_m, {choice} as tanon_c
where {checked k_holds} and {checked limits_hold} and {checked left_out_is_within_limits}
    and {checked presence_holds} and {checked population_is_met} and {checked few_are_left_out}
    and {checked uid_is_there_once}
    and {checked one_is_acceptable} and {checked kept_is_fine} and {checked kept_together_is_fine}
    and {checked sensitive_is_limited}
