-- Returns the dates, ages and places that the Safe Harbor rule of HIPAA does not allow.
--
-- No rows does not prove compliance. The rule also removes names, numbers and pictures, which the
-- function does not examine.
--
--   Dates   only the year may remain. The function searches every column for a year with a month, a
--           quarter, a week or a day: 2024-02-29, 29/02/24, 2024Q1, 2024-W09-5, 03FEB2024,
--           20240229, also inside longer texts. Names of months are English, German or French. The
--           first of January in a date column counts as the year.
--   Ages    ages above 89 may remain only as one group: 90, '90+' or '>89'. The function reports 91
--           and '90-94'.
--   Places  three digits of a ZIP code may remain, but none of small_zips. These are areas with up
--           to 20,000 people. Release them as 000.
--
-- Some forms of dates are also forms of identifiers and amounts, such as numbers of 6, 7, 8, 12 or
-- 14 digits, 02/2024 and Feb-24. The function reports such a column only if at least half of its
-- values of this form can be dates.
--
-- The function refuses a call without ages and zips, because it cannot recognize these columns.
-- Pass [] if there are none. It does not find seconds since 1970, numbers of days, days without a
-- year, two-digit years in a number, and years outside 1800 to 2199.
--
-- Cost: one pass over all values, with up to 25 expressions for each.
--
-- Arguments:
--   source      relation                the table, the view or the query in parentheses
--   ages        columns or none = NULL  the columns with ages; [] if there are none
--   zips        columns or none = NULL  the columns with ZIP codes; [] if there are none
--   small_zips  texts = NULL            the first three digits of areas with too few people
-- Checks:
--   ages        ages is not null  columns of source, or [] if none has ages
--   zips        zips is not null  columns of source, or [] if none has ZIP codes
-- Result:
--   item    VARCHAR  the column
--   tells   VARCHAR  'a date', 'an age' or 'a place'
--   tuples  BIGINT   the number of rows
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
