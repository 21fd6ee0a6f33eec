-- The dates, ages and places that the Safe Harbor rule of HIPAA does not leave.
--
-- Of dates the year alone may stay: every column is looked at, texts and numbers too, for a year
-- that has a month, a week, a quarter or a day beside it (2024-02-29, 29/02/2024, 20240229,
-- 2024-W09, 3 Feb 2024). A date column keeps the year alone where all its dates are the first of
-- January.
-- Of ages, those above 89 may stay as one group only: 90, '90+' or '>89'; 91 and '90-94' are told.
-- Of ZIP codes three digits may stay, and none of small_zips, the codes of the areas with up to
-- 20,000 people, which are published as 000. It looks at nothing else of the rule, which also takes
-- names, numbers and pictures away: that no row is found is no claim of compliance.
--
-- Cost: one pass over the table; texts are matched with some expressions.
--
-- Arguments:
--   source      relation              the table, the view or the query in parentheses
--   ages        columns or none = []  the columns with ages
--   zips        columns or none = []  the columns with ZIP codes
--   small_zips  texts = NULL          three digits of the areas that are too small
-- Result:
--   item    VARCHAR  the column
--   tells   VARCHAR  'a date', 'an age' or 'a place'
--   tuples  BIGINT   rows in which it does
-- For: the owner
-- Holds: no rows
-- Shards: not offered: columns are weighed against each other over all rows
-- Example:
--   from tanon.safe_harbor_violations('visits', ages := 'age', zips := 'zip')
--   order by all

step dates
    select case
        when bool_and(tanon._is_packed_date(columns(*)::varchar)) then count(columns(*))
        else count_if(tanon._tells_a_date(columns(*)::varchar)) end
    from {source}
end

step told_ages
    select count_if(tanon._tells_an_age(columns(*)::varchar))
    from (select {ages} from {source})
end

step told_places
    select count_if(tanon._tells_a_place(
        columns(*)::varchar, {if small_zips is null}[]{else}{small_zips}{end}))
    from (select {zips} from {source})
end

select item, 'a date' as tells, tuples::bigint as tuples
from (unpivot (from {dates}) on columns(*) into name item value tuples)
where tuples > 0
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
