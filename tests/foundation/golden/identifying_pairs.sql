with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "age", null as "patient", null as "sex", null as "zip" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.identifying_pairs: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (0, 'patient', 'patient', 'tanon.identifying_pairs: respondent must be a column of source', '', ''),
                (1000001, 'zip', 'zip', 'tanon.identifying_pairs: qi must be columns of source, none twice', '', ''),
                (1000002, 'age', 'age', 'tanon.identifying_pairs: qi must be columns of source, none twice', '', ''),
                (1000003, 'sex', 'sex', 'tanon.identifying_pairs: qi must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.identifying_pairs: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/roles/looked_at.sql
tanon_numbered_people as materialized (
    select row_number() over () as tanon_who, "patient" as tanon_uid
    from (select distinct "patient" from tanon_source)
),
-- sql/functions/roles/identifying_pairs.sql
tanon_rows_of_people as materialized (
    select tanon_who, "zip", "age", "sex"
    from tanon_source join tanon_numbered_people on "patient" = tanon_uid
),
-- sql/functions/roles/identifying_pairs.sql
tanon_singled_by_pairs as materialized (
    select 'zip' as tanon_one,
        NULL as tanon_other,
        count(*) as tanon_groups, count(distinct tanon_only) as tanon_alone
    from (
        select case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
        from tanon_rows_of_people
        group by "zip", "zip"
    )
     union all
    select 'zip' as tanon_one,
        'age' as tanon_other,
        count(*) as tanon_groups, count(distinct tanon_only) as tanon_alone
    from (
        select case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
        from tanon_rows_of_people
        group by "zip", "age"
    )
     union all
    select 'zip' as tanon_one,
        'sex' as tanon_other,
        count(*) as tanon_groups, count(distinct tanon_only) as tanon_alone
    from (
        select case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
        from tanon_rows_of_people
        group by "zip", "sex"
    )
     union all
    select 'age' as tanon_one,
        NULL as tanon_other,
        count(*) as tanon_groups, count(distinct tanon_only) as tanon_alone
    from (
        select case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
        from tanon_rows_of_people
        group by "age", "age"
    )
     union all
    select 'age' as tanon_one,
        'sex' as tanon_other,
        count(*) as tanon_groups, count(distinct tanon_only) as tanon_alone
    from (
        select case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
        from tanon_rows_of_people
        group by "age", "sex"
    )
     union all
    select 'sex' as tanon_one,
        NULL as tanon_other,
        count(*) as tanon_groups, count(distinct tanon_only) as tanon_alone
    from (
        select case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
        from tanon_rows_of_people
        group by "sex", "sex"
    )
)
-- sql/functions/roles/identifying_pairs.sql
select
    tanon_one as first_column, tanon_other as second_column, tanon_groups as combinations,
    coalesce(tanon_alone / nullif((select count(*) from tanon_numbered_people), 0), 0) as singled_out
from tanon_singled_by_pairs
