-- How many respondents each two columns single out together, and each alone.
--
-- Singled out is whoever has values of both columns that no other respondent has. A pair that tells
-- far more people apart than either column is what a decision on roles has to look at. NULL is a
-- value of its own. At most 16 columns at a time: 120 pairs.
--
-- Cost: one grouping of the rows for each pair; all of it spills.
--
-- Arguments:
--   source  relation                        the table, the view or the query in parentheses
--   respondent   column not null as respondent   whom a row is about
--   qi      columns as quasi-identifier     the columns to look at
-- Checks:
--   respondent  not tanon._share_a_name(respondent, qi)  a column that is not among qi
--   qi   len(tanon._list(qi)) <= 16        at most 16 columns
-- Result:
--   first_column   VARCHAR  one column
--   second_column  VARCHAR  the other; NULL for the first alone
--   combinations   BIGINT   how many different values they have together
--   singled_out    DOUBLE   share of respondents with values of their own
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
