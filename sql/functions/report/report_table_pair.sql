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
--   sensitive   column as sensitive             the sensitive value
--   l          rational > 1                    the least number of values that must balance
--   partition  columns = NULL                  what is split by itself: the column of the snapshots
--   uses persons
--   allow_identifying  columns or none = []            those of qi that leave although they tell
--       who a row is about
--   max_singled_out  number in [0, 1] = 0.05  the share of rows of which such a column may have a
--       value that no other row has
--   uses asks
--   secret     secret = NULL                   what decides between equal values; NULL: what the
--       process holds
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
-- Result:
--   uses facts
-- For: the owner
-- Example:
--   from tanon.report_table_pair('visits', qi := ['age', 'sex'], sensitive := 'diagnosis', l := 2,
--       respondent := 'patient', queries := 100)

piece settings
    qi := {qi:text}, sensitive := {sensitive:text}, l := {tanon._text(l)},
        allow_identifying := {allow_identifying:text},
    {if partition is not null}partition := {partition:text},{end}
    respondent := {respondent:text}, rows_are_persons := {rows_are_persons},
    secret := {tanon._text(secret)}
end

step dealt_owners materialized
    from tanon.publish_table_pair('(from tanon_source)', result := 'individuals', {settings},
        for_owner := {if respondent is null}false{else}true{end})
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
