-- The dates, ages and places that the Safe Harbor rule of HIPAA does not leave.
--
-- Dates: only the year may stay. Every column is searched, texts and numbers too, for a year with a
-- month, a quarter, a week or a day beside it: 2024-02-29, 29/02/24, 02/2024, 2024Q1, 2024-W09-5,
-- 03FEB2024, 2024-060, 20240229, also inside longer texts. Names of months are English, German or
-- French. The first of January, as a date column shows it, counts as the year alone.
-- Some forms are also those of identifiers and amounts: numbers of 6 to 8, 12 or 14 digits, and
-- 02/2024, 2024/02, 2024-060, 29/02/24, 2024.02 and Feb-24. A column with such values has dates if
-- at least half of its values of that form can be dates.
--
-- Ages: those above 89 may stay as one group only: 90, '90+' or '>89'. 91 and '90-94' are reported.
-- Places: three digits of a ZIP code may stay, but none of small_zips. These are the areas with up
-- to 20,000 people, and are published as 000.
-- Columns of ages and of ZIP codes are known only by name. So ages and zips must be given; []
-- says that there are none. Without them the function raises an error, and a check could not tell.
--
-- Not found: seconds since 1970 and other running numbers of days; a day or a month without its
-- year; two-digit years in one number, such as 290224; years outside 1800 to 2199. The function
-- looks at nothing else of the rule, which also removes names, numbers and pictures. No row in the
-- result is no proof of compliance.
--
-- Cost: one pass over all cells; each is matched with up to 25 expressions.
--
-- Arguments:
--   source      relation                the table, the view or the query in parentheses
--   ages        columns or none = NULL  the columns with ages; [] if there are none
--   zips        columns or none = NULL  the columns with ZIP codes; [] if there are none
--   small_zips  texts = NULL            three digits of the areas that are too small
-- Checks:
--   ages        ages is not null  columns of source, or [] if none has ages
--   zips        zips is not null  columns of source, or [] if none has ZIP codes
-- Result:
--   item    VARCHAR  the column
--   tells   VARCHAR  'a date', 'an age' or 'a place'
--   tuples  BIGINT   rows in which it does
-- For: the owner
-- Holds: no rows
-- Example:
--   from tanon.safe_harbor_violations('visits', ages := 'age', zips := 'zip')
--   order by all

step spelt
    select item, tanon._spelt_date(value) as spelling, count(*) as tuples
    from (
        unpivot (select columns(*)::varchar from {source})
        on columns(*) into name item value value
    )
    group by item, spelling
end

step dates
    select item, sum(dates) as tuples
    from (
        select item, coalesce(sum(tuples) filter (spelling % 2 = 0), 0) as dates,
            coalesce(sum(tuples) filter (spelling % 2 = 1), 0) as others
        from {spelt}
        where spelling is not null
        group by item, spelling // 2
    )
    where dates > 0 and dates >= others
    group by item
end

step told_ages
    select count_if(regexp_extract_all(columns(*)::varchar, '\d+(?:\.\d+)?')[-1]::double > 90)
    from (select {ages} from {source})
end

step told_places
    select count_if(tanon._tells_a_place(
        columns(*)::varchar, {if small_zips is null}[]{else}{small_zips}{end}))
    from (select {zips} from {source})
end

select item, 'a date' as tells, tuples::bigint as tuples
from {dates}
{if len(tanon._list(ages)) > 0}
union all
select item, 'an age', tuples::bigint
from (unpivot (from {told_ages}) on columns(*) into name item value tuples)
where tuples > 0
{end}
{if len(tanon._list(zips)) > 0}
union all
select item, 'a place', tuples::bigint
from (unpivot (from {told_places}) on columns(*) into name item value tuples)
where tuples > 0
{end}
