-- Splits a table into l-diverse groups without changing a value (Anatomy, Xiao and Tao 2006).
--
-- The rows of each partition, for example each snapshot, are sorted by sensitive value and dealt
-- round into as many groups as hold at least l rows each. No value and no person has more than one
-- l-th of a group; if l is a whole number, none comes twice into it. A partition in which a person
-- has several rows is dealt in rounds whose order is drawn. Equal values are dealt in an order
-- decided by secret, equal rows each by itself: who knows the secret can repeat the deal. It is an
-- error if a value or a person has more than one l-th of a partition. NULL in sensitive is a value
-- like any other.
--
-- The result still holds both sides, and is for the owner alone; tanon.publish_table_pair gives the
-- two tables to release, dealt in an order of its own.
--
-- Cost: one SHA-256 a row, one sort by hash and one by partition and value; DuckDB spills what
-- does not fit in memory. With respondent, an aggregation by person; partitions in which persons
-- come again are dealt in Python, in memory.
--
-- Arguments:
--   source     relation        the table, the view or the query in parentheses
--   sensitive   column as sensitive  the sensitive value
--   l          rational > 1    the least number of values that must balance in a group
--   partition  columns = NULL  what is split by itself: the column of the snapshots
--   uses persons
--   secret     secret = NULL   what decides between equal values; NULL: what the process holds
-- Checks:
--   respondent  not tanon._share_a_name(respondent, sensitive)  a column apart from sensitive and
--       partition
--   respondent  not tanon._share_a_name(respondent, partition)  a column apart from sensitive and
--       partition
-- Result:
--   source.*  as in source  the row
--   a_group   BIGINT        its group, numbered from 1
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
