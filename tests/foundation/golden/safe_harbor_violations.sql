with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "age", null as "zip" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.safe_harbor_violations: source must be a relation without columns that begin with tanon_, got one with '
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
                (1, 'age', 'age', 'tanon.safe_harbor_violations: ages must be columns of source, none twice', '', ''),
                (1000001, 'zip', 'zip', 'tanon.safe_harbor_violations: zips must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/safe_harbor/safe_harbor_violations.sql
tanon_spelt as (
    select item, tanon._spelt_date(value) as spelling, count(*) as tuples
    from (
        unpivot (select columns(*)::varchar from tanon_source)
        on columns(*) into name item value value
    )
    group by item, spelling
),
-- sql/functions/safe_harbor/safe_harbor_violations.sql
tanon_dates as (
    select item, sum(dates) as tuples
    from (
        select item, coalesce(sum(tuples) filter (spelling % 2 = 0), 0) as dates,
            coalesce(sum(tuples) filter (spelling % 2 = 1), 0) as others
        from tanon_spelt
        where spelling is not null
        group by item, spelling // 2
    )
    where dates > 0 and dates >= others
    group by item
),
-- sql/functions/safe_harbor/safe_harbor_violations.sql
tanon_told_ages as (
    select count_if(regexp_extract_all(columns(*)::varchar, '\d+(?:\.\d+)?')[-1]::double > 90)
    from (select "age" from tanon_source)
),
-- sql/functions/safe_harbor/safe_harbor_violations.sql
tanon_told_places as (
    select count_if(tanon._tells_a_place(
        columns(*)::varchar, []))
    from (select "zip" from tanon_source)
)
-- sql/functions/safe_harbor/safe_harbor_violations.sql
select item, 'a date' as tells, tuples::bigint as tuples
from tanon_dates
union all
select item, 'an age', tuples::bigint
from (unpivot (from tanon_told_ages) on columns(*) into name item value tuples)
where tuples > 0
union all
select item, 'a place', tuples::bigint
from (unpivot (from tanon_told_places) on columns(*) into name item value tuples)
where tuples > 0
