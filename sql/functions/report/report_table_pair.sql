-- All that can be told of the two tables of Anatomy, as rows of facts.
--
-- Of the same call as tanon.publish_table_pair. tanon_duck.report draws these rows and computes
-- nothing besides. Sections: release, promise, group sizes, utility, attacks, warnings; what each
-- says is told by tanon.publish_table_pair, evaluate_table_pair (seed 0) and table_pair_warnings.
--
-- value is what was found, bound what it is held to, holds whether it does, NULL where nothing is
-- promised. public is false where a row tells of the source what only its owner should know.
--
-- Cost: twice that of tanon.publish_table_pair, that of tanon.table_pair_warnings, and with queries
-- that of tanon.evaluate_table_pair.
--
-- Arguments:
--   source     relation                        the table, the view or the query in parentheses
--   qi         columns as quasi-identifier     the quasi-identifiers
--   sa         column as sensitive             the sensitive value
--   l          rational > 1                    the least number of values that must balance
--   partition  columns = NULL                  what is split by itself: the column of the snapshots
--   uses persons
--   accept     columns or none = []            those of qi that leave although they tell who
--       a row is about
--   max_singled_out  number in [0, 1] = 0.05  the share of rows of which such a column may have a
--       value that no other row has
--   uses asks
--   secret     secret = NULL                   what decides between equal values; NULL: what the
--       process holds
-- Checks:
--   sa  not tanon._share_a_name(sa, qi)  none of qi
--   sa  not tanon._share_a_name(sa, partition)  none of partition
--   qi  not tanon._share_a_name(qi, partition)  none of partition
--   uid  not tanon._share_a_name(uid, qi)  a column apart from qi, sa and partition
--   uid  not tanon._share_a_name(uid, sa)  a column apart from qi, sa and partition
--   uid  not tanon._share_a_name(uid, partition)  a column apart from qi, sa and partition
--   accept  accept among qi  columns that qi names
-- Result:
--   uses facts
-- For: the owner
-- Example:
--   from tanon.report_table_pair('visits', qi := ['age', 'sex'], sa := 'diagnosis', l := 2,
--       uid := 'patient', queries := 100)

piece settings
    qi := {qi:text}, sa := {sa:text}, l := {tanon._text(l)}, accept := {accept:text},
    {if partition is not null}partition := {partition:text},{end}
    uid := {uid:text}, rows_are_persons := {rows_are_persons},
    secret := {tanon._text(secret)}
end

step dealt_owners materialized
    from tanon.publish_table_pair('(from tanon_source)', result := 'individuals', {settings},
        for_owner := {if uid is null}false{else}true{end})
end

step dealt_values materialized
    from tanon.publish_table_pair('(from tanon_source)', result := 'values', {settings})
end

step rows_guessed not materialized
    from {source}
end

use guesses = guessed(rows = rows_guessed)

step facts
    from {facts_of_pair}
    {if queries > 0}
    union all
    from {utility_of_pair}
    {end}
end

{facts_in_order}
