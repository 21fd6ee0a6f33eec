-- Returns one of the two tables of Anatomy: individuals with groups, or groups with sensitive
-- values.
--
-- Use it to release exact quasi-identifiers. To generalize them, use tanon.publish_events.
--
--   'individuals'  one row for each row of source, with quasi-identifiers and group.
--   'values'       the sensitive values of each group with their counts.
--
-- No value and no respondent has more than one l-th of a group. The release has no other columns of
-- source. Rows are sorted. Call the function twice with the same arguments and the same secret.
-- Both calls then use the same groups and check them before they return rows.
--
-- The function refuses a part in which a value or a respondent has more than one l-th of the rows.
-- It refuses columns of qi that nearly identify respondents, unless allow_identifying names them.
-- In such a column more than max_singled_out of the rows have a unique value, or it is nested or a
-- time. With respondent it refuses texts of qi with an identifier of a respondent as a whole word,
-- and such texts of sensitive in any case. It does not find names and identifiers with fewer than
-- four letters and digits.
--
-- The release does not protect against these:
--
--   Learned relations  the limit of 1/l applies if an adversary cannot learn which values belong to
--                      which quasi-identifiers. If values depend on age and sex, an adversary can
--                      learn this from the two tables and guess much better.
--   Several rows       a respondent with rows in several groups has a value that all their groups
--                      contain. See tanon.table_pair_warnings.
--   Several releases   another secret or another l gives other groups. Both releases together
--                      reveal more than 1/l. With the same secret, the same parts have the same
--                      groups.
--
-- An adversary who knows the secret can repeat the distribution. for_owner := true adds respondent
-- to one row for each row of source, for tanon.check_release and tanon.table_pair_warnings. Do not
-- release this copy.
--
-- Cost: one SHA-256 for each row, three sorts, and one aggregation for each column of qi. Parts in
-- which respondents have several rows are distributed in Python, a million rows in a few seconds.
--
-- Arguments:
--   source     relation                        the table, the view or the query in parentheses
--   qi         columns as quasi-identifier  the quasi-identifiers
--   sensitive   column as sensitive  the sensitive value
--   l          rational > 1                    no value may have more than one l-th of the rows
--   result     one of 'individuals', 'values'  the table to return
--   partition  columns = NULL                  the columns of the parts that the function splits
--       separately, such as the snapshot
--   uses persons
--   allow_identifying  columns or none = []            columns of qi to release although they
--       nearly identify respondents
--   max_singled_out  number in [0, 1] = 0.05  the largest share of rows that may have a unique
--       value in such a column
--   secret     secret = NULL                   the secret that decides between equal values; NULL:
--       the secret of the process
--   for_owner  boolean = false                 whether to return one row for each row of source,
--       with respondent
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
--   for_owner  respondent is not null or not for_owner  false unless respondent is given
-- Result individuals:
--   {respondent}        as in source  (with for_owner) the respondent of the row
--   {partition}  as in source  the part; VARCHAR instead of ENUM or JSON
--   {qi}         as in source  a quasi-identifier; VARCHAR instead of ENUM or JSON
--   a_group      BIGINT        the number of the group
-- For: others
-- Result values:
--   {respondent}        as in source  (with for_owner) the respondent of the row
--   {partition}  as in source  the part; VARCHAR instead of ENUM or JSON
--   a_group      BIGINT        the number of the group
--   {sensitive}         as in source  the sensitive value; VARCHAR instead of ENUM or JSON
--   records      BIGINT        the number of rows of the group with this value; 1 with for_owner
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
