-- Returns the share of respondents whom each column and each pair of columns single out.
--
-- A column or a pair singles out a respondent if no other respondent has these values. Use this
-- function to decide which columns are quasi-identifiers. A pair can single out many more
-- respondents than either column. tanon.suggest_roles looks at single columns. NULL counts as a
-- value.
--
-- Cost: one aggregation for each pair, for at most 16 columns. DuckDB spills to disk what does not
-- fit in memory.
--
-- Arguments:
--   source  relation                        the table, the view or the query in parentheses
--   respondent   column not null as respondent   the respondent of the row
--   qi      columns as quasi-identifier     the columns to examine
-- Checks:
--   respondent  not tanon._share_a_name(respondent, qi)  a column that is not among qi
--   qi   len(tanon._list(qi)) <= 16        at most 16 columns
-- Result:
--   first_column   VARCHAR  the first column
--   second_column  VARCHAR  the second column; NULL for the first column without another one
--   combinations   BIGINT   the number of different values or pairs of values
--   singled_out    DOUBLE   the share of respondents with values that no other respondent has
-- For: the owner
-- Example:
--   from tanon.identifying_pairs('visits', respondent := 'patient', qi := ['zip', 'age', 'sex'])
--   order by singled_out desc, combinations, first_column, second_column

step rows_of_people materialized
    select tanon_who, {qi}
    from {source} join {numbered_people} on {respondent} = tanon_uid
end

step singled_by_pairs materialized
    {for p in tanon._pairs_of(tanon._list(qi)) joined by ' union all '}
    select {tanon._pair_first_text(p, qi)} as tanon_one,
        {tanon._pair_second_text(p, qi)} as tanon_other,
        count(*) as tanon_groups, count(distinct tanon_only) as tanon_alone
    from (
        select case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
        from {rows_of_people}
        group by {tanon._pair_columns(p, qi)}
    )
    {end}
end

select
    tanon_one as first_column, tanon_other as second_column, tanon_groups as combinations,
    coalesce(tanon_alone / nullif((select count(*) from {numbered_people}), 0), 0) as singled_out
from {singled_by_pairs}
