-- Returns a proposal for the role of each column, with figures and a reason.
--
-- The function declares nothing. Decide which values others may know, and declare the roles with
-- tanon.set_roles. tanon.identifying_pairs examines pairs of columns.
--
-- A column singles out a respondent if no other respondent has the value. Without respondent each
-- row counts as a respondent. The proposal follows from the type, the figures and the name:
--
--   Respondent        one column with a name such as patient.
--   Time              the first time. Further times and near-keys are drop.
--   Sensitive         a column with a name of a finding.
--   Quasi-identifier  any other column.
--
-- The reason of respondent counts empty and similar identifiers. A declared role is proposed again.
--
-- Cost: one hash of every value, and one aggregation of the hashes. DuckDB spills to disk what does
-- not fit in memory.
--
-- Arguments:
--   source  relation                             the table, the view or the query in parentheses
--   respondent   column not null as respondent = NULL  the respondent of the row; NULL: each row is
--       a different respondent
-- Result:
--   column_name      VARCHAR  the column
--   column_type      VARCHAR  its type
--   distinct_values  BIGINT   the number of different values without NULL; of a column with a
--       collation, the number of spellings
--   nulls            BIGINT   rows with NULL
--   singled_out      DOUBLE   the share of respondents with a value that no other respondent has;
--       NULL for respondent
--   proposed         VARCHAR  respondent, quasi-identifier, time, sensitive, keep or drop
--   how              VARCHAR  a possible generalization
--   reason           VARCHAR  the reason for the proposal
-- For: the owner
-- Example:
--   from tanon.suggest_roles('visits', respondent := 'patient')

step figures_of_columns
    select
        column_name, column_type, tanon_place, tanon_is_nested, tanon_is_time, tanon_rows,
        {if respondent is null}
        coalesce(tanon_distinct, 0)
        {else}
        case when tanon._folded(column_name) = tanon._folded({respondent:text}) then tanon_people
            else coalesce(tanon_distinct, 0) end
        {end}
        as tanon_distinct, coalesce(tanon_nulls, 0) as tanon_nulls,
        coalesce(tanon_alone / nullif(tanon_people, 0), 0) as tanon_share,
        lower(column_name) as tanon_spelt
    from {shape_of_columns} cross join {people_of_source} left join (
        select tanon_name, count(tanon_hash) as tanon_distinct,
            coalesce(sum(tanon_n) filter (where tanon_hash is null), 0)::bigint as tanon_nulls,
            count(distinct tanon_only) as tanon_alone
        from {values_of_columns}
        group by tanon_name
    ) on tanon_name = column_name
end

step looks_of_columns
    select
        *,
        {if respondent is null}
        row_number() over (
            order by
                not regexp_matches(tanon_spelt, tanon._respondent_names())
                    or tanon_is_time or tanon_is_nested asc nulls last,
                tanon_place asc nulls last
        ) = 1
            and regexp_matches(tanon_spelt, tanon._respondent_names())
            and not tanon_is_time and not tanon_is_nested
        {else}
        tanon._folded(column_name) = tanon._folded({respondent:text})
        {end} as tanon_is_uid,
        tanon_is_time and regexp_matches(tanon_spelt, 'birth|born|dob') as tanon_is_birth,
        tanon_is_time and row_number() over (
            order by
                not tanon_is_time
                    or regexp_matches(tanon_spelt, 'birth|born|dob') asc nulls last,
                tanon_place asc nulls last
        ) = 1 as tanon_is_first,
        tanon_rows > 1 and tanon_distinct >= 0.9 * (tanon_rows - tanon_nulls)
            and tanon_distinct > 1 as tanon_is_key
    from {figures_of_columns}
end

select
    column_name, column_type, tanon_distinct as distinct_values, tanon_nulls as nulls,
    case when not tanon_is_uid then tanon_share end as singled_out,
    tanon_look['role'] as proposed, tanon_look['how'] as how, tanon_look['reason'] as reason
from (
    select *, case
        when tanon_is_uid then tanon._look('respondent', null,
            {if respondent is null}'its name: the respondent of a row'{else}
            'given as respondent' || {told_of_identifiers}{end})
        when tanon_is_nested
            then tanon._look('drop', null, 'nested: one value may identify a person')
        when tanon_is_birth
            then tanon._look('quasi-identifier', 'dates year, decade', 'a date of birth is known')
        when tanon_is_first and not tanon_is_birth
            then tanon._look('time', 'month, quarter, year', 'the first time')
        when tanon_is_time then tanon._look('drop', null,
            'a further time: it reveals the time that a granularity hides')
        when regexp_matches(tanon_spelt, tanon._known_names()) then tanon._look('quasi-identifier',
            case when regexp_matches(column_type, 'INT|DOUBLE|FLOAT|DECIMAL')
                then 'intervals 5, 10, 20'
                when regexp_matches(tanon_spelt, 'zip|post|plz') then 'prefixes 4, 3' else 'list'
                end, 'its name: others know it')
        when tanon_is_key and not regexp_matches(column_type, 'DOUBLE|FLOAT|DECIMAL')
            then tanon._look('drop', null, 'nearly a key: almost every row has another value')
        when tanon_distinct <= 1 then tanon._look('keep', null, 'the same in every row')
        when regexp_matches(tanon_spelt, tanon._finding_names())
            then tanon._look('sensitive', null, 'its name: a finding about a person')
        when regexp_matches(column_type, 'INT|DOUBLE|FLOAT|DECIMAL') and tanon_distinct > 8
            then tanon._look('quasi-identifier', 'quantiles 8, 4, 2', 'others may know it')
        else tanon._look('quasi-identifier', 'list', 'others may know it') end as tanon_look
    from {looks_of_columns}
)
order by tanon_place asc nulls last
