-- Returns the facts of the report about the two tables of Anatomy.
--
-- Pass the arguments of tanon.publish_table_pair. tanon_duck.report draws these rows. The sections
-- are release, promise, group sizes, utility, attacks and warnings. The help of
-- tanon.publish_table_pair, tanon.evaluate_table_pair and tanon.table_pair_warnings explains the
-- figures. Rows with public = false reveal facts of the source that only the owner may see.
--
-- Cost: twice the cost of tanon.publish_table_pair and the cost of tanon.table_pair_warnings. With
-- queries, also the cost of tanon.evaluate_table_pair.
--
-- Arguments:
--   source     relation                        the table, the view or the query in parentheses
--   qi         columns as quasi-identifier     the quasi-identifiers
--   sensitive   column as sensitive             the sensitive value
--   l          rational > 1                    no value may have more than one l-th of the rows
--   partition  columns = NULL                  the columns of the parts that the function splits
--       separately, such as the snapshot
--   uses persons
--   allow_identifying  columns or none = []            columns of qi to release although they
--       nearly identify respondents
--   max_singled_out  number in [0, 1] = 0.05  the largest share of rows that may have a unique
--       value in such a column
--   uses asks
--   secret     secret = NULL                   the secret that decides between equal values; NULL:
--       the secret of the process
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
