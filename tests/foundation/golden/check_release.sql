with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "release")
    union all by name select null as "admitted", null as "diagnosis", null as "sex" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.check_release: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "release")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
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
                from tanon_columns_of_release, (values
                (1, 'sex', 'sex', 'tanon.check_release: qi must be columns of release, none twice', '', ''),
                (1000000, 'admitted', 'admitted', 'tanon.check_release: ts must be a column of release', '', ''),
                (2000001, 'diagnosis', 'diagnosis', 'tanon.check_release: keep must be columns of release, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- sql/steps/promises/told.sql
tanon_told_of_columns as (
    select
        1 as place, 'columns' as property, 'a role for each' as promise,
        coalesce('none for ' || string_agg(
            column_name, ', ' order by column_name asc nulls last
        ), 'one for each')
            as found,
        count(*) = 0 as holds
    from tanon_columns_of_release
    where not tanon._is_named(folded, list_concat(
        ['sex']::varchar[], tanon._list('admitted'), []::varchar[], ['diagnosis']::varchar[],
        tanon._list(NULL)
    ))
),
-- sql/functions/releases/check_release.sql
tanon_left_rows as not materialized (
    select
        0 as tanon_all, null as tanon_whose,
         1
            as tanon_times, *
    from tanon_release
),
-- sql/steps/promises/sharing.sql
tanon_shared_by_rows as materialized (
    with tanon_several as materialized (
        select tanon_whose as tanon_name from tanon_left_rows group by tanon_whose having count(*) > 1
    )
    select sum(tanon_f)::bigint as tanon_people, sum(tanon_n)::bigint as tanon_rows
    from (
        select
            tanon_all, tanon_name, sum(tanon_times) as tanon_n,
            case when tanon_name is null then count(tanon_whose) else 1 end as tanon_f
            , tanon._order_key("sex") as "sex"
            , tanon._order_key("admitted") as "admitted"
        from tanon_left_rows left join tanon_several on tanon_whose = tanon_name
        group by tanon_all, tanon_name
            , tanon._order_key("sex")
            , tanon._order_key("admitted")
    )
    group by tanon_all
        , "sex"
        , "admitted"
),
-- sql/steps/promises/told.sql
tanon_told_of_rows as (
    select null::integer as place, null::varchar as property, null::varchar as promise,
        null::varchar as found, null::boolean as holds
    where false
    union all
    select 2, 'rows that share what is known', 'at least ' || 5,
        tanon._figure(min(tanon_rows)), coalesce(min(tanon_rows) >= 5, true)
    from tanon_shared_by_rows
),
-- sql/functions/releases/check_release.sql
tanon_known_rows as materialized (
    select
             row(0 , "sex" , "admitted"
        , tanon._spelling("sex")
        , tanon._spelling("admitted")) as tanon_known,
         tanon_times
    from tanon_left_rows
    where not ( false )
),
-- sql/steps/promises/diversity.sql
tanon_diversity as materialized (
    select null::varchar as tanon_column, null::bigint as tanon_distinct, null::double as tanon_l,
        null::boolean as tanon_is_diverse
    where false
),
-- sql/steps/promises/diversity.sql
tanon_told_of_values as (
    select null::integer as place, null::varchar as property, null::varchar as promise,
        null::varchar as found, null::boolean as holds
    where false
    union all
    select 6, 'distinct values of ' || tanon_column, 'not promised', tanon._figure(tanon_distinct),
        true
    from tanon_diversity
)
-- sql/functions/releases/check_release.sql
select property, promise, found, holds
from (
    from tanon_told_of_columns
    union all from tanon_told_of_rows
    union all from tanon_told_of_values
)
order by place asc nulls last, property asc nulls last
