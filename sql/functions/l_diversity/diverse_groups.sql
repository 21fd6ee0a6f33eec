-- Returns a table with a group number, so that each group is l-diverse (Anatomy, Xiao and Tao
-- 2006).
--
-- The function changes no value. The result is for the owner, because it has quasi-identifiers and
-- sensitive values side by side. To release two tables, use tanon.publish_table_pair.
--
-- Within each part, for example each snapshot, the function sorts rows by sensitive value. It
-- distributes them over as many groups as have at least l rows each. No value and no respondent has
-- more than one l-th of a group. NULL counts as a value. The secret decides the order of equal
-- values, so an adversary who knows the secret can repeat the distribution. A value or a respondent
-- with more than one l-th of a part is an error.
--
-- Cost: one SHA-256 for each row and two sorts. DuckDB spills to disk what does not fit in memory.
-- Parts in which respondents have several rows are distributed in Python, in memory.
--
-- Arguments:
--   source     relation        the table, the view or the query in parentheses
--   sensitive   column as sensitive  the sensitive value
--   l          rational > 1    no value may have more than one l-th of a group
--   partition  columns = NULL  the columns of the parts that the function splits separately, such
--       as the snapshot
--   uses persons
--   secret     secret = NULL   the secret that decides between equal values; NULL: the secret of
--       the process
-- Checks:
--   respondent  not tanon._share_a_name(respondent, sensitive)  a column apart from sensitive and
--       partition
--   respondent  not tanon._share_a_name(respondent, partition)  a column apart from sensitive and
--       partition
-- Result:
--   source.*  as in source  the row
--   a_group   BIGINT        the number of its group, from 1
-- For: the owner
-- Example:
--   from tanon.diverse_groups('visits', sensitive := 'diagnosis', l := 2, respondent := 'patient')
--   order by all limit 6

step dealing_key materialized
    select tanon._key({secret}, 'tanon.anatomize', list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from {source:columns}
end

step dealt_rows materialized
    select
        *,
        tanon._keyed(
            (select tanon_key from {dealing_key}), tanon._cell_text(row(*columns(*)))
        ) as tanon_hash,
        {if respondent is null}null{else}tanon._order_key({respondent}){end} as tanon_order
    from {source}
end

from {anatomy}
