-- The two tables that Anatomy releases: quasi-identifiers with groups, and groups with values.
--
-- result := 'individuals' gives one row for each row of source: quasi-identifiers and group.
-- result := 'values' gives the sensitive values of each group with their counts. No other column
-- of source is released, respondent least of all. In a group no value and no person has more than
-- one l-th of the rows; both calls check every group and raise if one breaks this. A partition in
-- which a value or a person has more than one l-th of the rows is refused.
--
-- This limits a guess to 1/l for an adversary who does not learn from the two tables which values
-- go with which quasi-identifiers. Who does learn it guesses better: where values follow from age
-- and sex, an estimate (EM) from the two tables alone was right for 88 % of 6,000 patients at l =
-- 2.
-- A person with rows in several groups is one of those who share all of them; see
-- tanon.table_pair_warnings. If every row is a different person, say rows_are_persons := true.
--
-- Both calls deal the same groups, as both take the secret that the process holds, or the same
-- one that is given; who knows it can repeat the deal. With it a later release of the same
-- partitions is the same; another secret or another l deals anew, and two deals together tell
-- more than 1/l. Rows come sorted, so that their order tells nothing of the source. for_owner :=
-- true adds respondent, and gives one row for each row of source: for tanon.check_release and
-- tanon.table_pair_warnings. Keep it.
--
-- Columns of qi that by themselves tell who a row is about (nested ones, times, values that only
-- one row has, for more than max_singled_out of the rows) are refused unless named in
-- allow_identifying. With respondent, texts of qi that hold an identifier of a respondent as a
-- whole word are refused as well, and those of sensitive always. Names and identifiers of fewer
-- than four letters and digits are not looked for.
--
-- Cost: one SHA-256 a row, one sort by hash and one by partition and value, one aggregation for
-- the check and for each column of qi, one sort of the result. With respondent, an aggregation by
-- person; partitions in which persons come again are dealt in Python, a million rows in some
-- seconds.
--
-- Arguments:
--   source     relation                        the table, the view or the query in parentheses
--   qi         columns as quasi-identifier  the quasi-identifiers
--   sensitive   column as sensitive  the sensitive value
--   l          rational > 1                    the least number of values that must balance
--   result     one of 'individuals', 'values'  which of the two tables
--   partition  columns = NULL                  what is split by itself: the column of the snapshots
--   uses persons
--   allow_identifying  columns or none = []            those of qi that leave although they tell
--       who a row is about
--   max_singled_out  number in [0, 1] = 0.05  the share of rows of which such a column may have a
--       value that no other row has
--   secret     secret = NULL                   what decides between equal values; NULL: what the
--       process holds
--   for_owner  boolean = false                 the same rows, each once, with respondent beside
--       them
-- Checks:
--   sensitive  not tanon._share_a_name(sensitive, qi)  none of qi
--   sensitive  not tanon._share_a_name(sensitive, partition)  none of partition
--   qi  not tanon._share_a_name(qi, partition)  none of partition
--   respondent  not tanon._share_a_name(respondent, qi)  a column apart from qi, sensitive and
--       partition
--   respondent  not tanon._share_a_name(respondent, sensitive)  a column apart from qi, sensitive
--       and partition
--   respondent  not tanon._share_a_name(respondent, partition)  a column apart from qi, sensitive
--       and partition
--   allow_identifying  allow_identifying among qi  columns that qi names
--   for_owner  respondent is not null or not for_owner  false where rows are persons
-- Result individuals:
--   {respondent}        as in source  (with for_owner) the person
--   {partition}  as in source  the partition; VARCHAR instead of ENUM or JSON, as qi
--   {qi}         as in source  the quasi-identifiers
--   a_group      BIGINT        the group
-- For: others
-- Result values:
--   {respondent}        as in source  (with for_owner) the person
--   {partition}  as in source  the partition; VARCHAR instead of ENUM or JSON, as sensitive
--   a_group      BIGINT        the group
--   {sensitive}         as in source  the sensitive value
--   records      BIGINT        the rows of the group with this value, 1 with for_owner
-- For: others
-- Promises: check_release(
--     qi := list_concat(tanon._list($partition), ['a_group'],
--         case when $result = 'individuals' then tanon._list($qi) else [] end),
--     sensitive := case when $result = 'values' then [$sensitive] else [] end,
--     records := case when $result = 'values' then 'records' end,
--     l := case when $result = 'values' then $l end)
-- Example:
--   from tanon.publish_table_pair('visits', qi := ['age', 'sex'], sensitive := 'diagnosis', l := 2,
--     result := 'values', respondent := 'patient')
--   order by all limit 6

let keep = qi

step kept_rows not materialized
    select {qi}, null::integer as tanon_whose from {source}
end

use kept_people = a_person_each()
use kept_identifiers = identifiers_of_persons()

step dealing_key materialized
    select tanon._key({secret}, 'tanon.publish_anatomy', list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from {source:columns}
    where tanon._is_named(
        folded, list_concat(tanon._list({partition:text}), {qi:text}, [{sensitive:text}])
    )
end

step dealt_rows materialized
    select
        {partition,} {qi}, {sensitive} {,respondent},
        tanon._keyed(
            (select tanon_key from {dealing_key}),
            concat({partition:encoded}, {qi:encoded}, {sensitive:encoded})
        ) as tanon_hash,
        {if respondent is null}null{else}tanon._order_key({respondent}){end} as tanon_order
    from {source}
end

step published_rows materialized
    select tanon._without_labels(columns(*))
    from {anatomy} where {checked kept_is_fine} and {checked sa_names_nobody}
end

guard groups_are_diverse
    select 'the release must be l-diverse, got ' || count(*)
        || ' groups that are not: nothing is released'
    from (
        select a_group
        from (select a_group, count(*) as tanon_n from {published_rows}
            group by a_group, {sensitive})
        group by a_group
        having tanon._exceeds_share(max(tanon_n), sum(tanon_n), {l})
        {if respondent is not null}
        union
        select a_group
        from (select a_group, count(*) as tanon_n from {published_rows}
            group by a_group, {respondent})
        group by a_group
        having tanon._exceeds_share(max(tanon_n), sum(tanon_n), {l})
        {end}
    )
    having count(*) > 0
end

{if for_owner}
from (
    select {respondent,} {partition,}
        {if result = 'values'}a_group, {sensitive}, 1::bigint as records{else}{qi}, a_group{end}
    from {published_rows}
)
{else}
{if result = 'values'}
from (
    select {partition,} a_group, {sensitive}, count(*) as records
    from {published_rows}
    group by {partition,} a_group, {sensitive}, tanon._spelling({sensitive})
)
{else}
from (select {partition,} {qi}, a_group from {published_rows})
{end}
{end}
where {checked groups_are_diverse}
order by
    {for p in tanon._list(partition) joined by ''}
    tanon._order_key({p:name}) asc nulls last, {end}
    {if result = 'values'}
    a_group asc nulls last, tanon._order_key({sensitive}) asc nulls last
    {else}
    {for q in tanon._list(qi) joined by ''}
    tanon._order_key({q:name}) asc nulls last, {end}
    a_group asc nulls last
    {end}
    {if for_owner}, tanon._order_key({respondent}) asc nulls last{end}
