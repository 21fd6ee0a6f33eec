-- What a value tells beside a year, an age of up to 89 and three digits of a ZIP code: NULL in, no.

create or replace macro tanon._is_new_year(x) as
    regexp_full_match(x, '\d{4}-01-01( 00:00:00)?');

-- A year with a month, a week, a quarter or a day, wherever it stands in a text.
create or replace macro tanon._tells_a_date(x) as not tanon._is_new_year(x) and (
    regexp_matches(x,
        '(^|\D)(18|19|20|21)\d\d[-/.](0?[1-9]|1[0-2]|W\d\d|Q[1-4]|H[12])([-/. T]|\D|$)')
    or regexp_matches(x, '(^|\D)\d\d?[-/. ]\d\d?[-/. ](18|19|20|21)\d\d(\D|$)')
    or regexp_matches(x,
        '(^|\W)(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\W+(\d\d?\W+)?'
        || '(18|19|20|21)\d\d(\D|$)', 'i')
);

-- A date without anything between its numbers: 20240229.
create or replace macro tanon._is_packed_date(x) as
    regexp_full_match(x, '(18|19|20|21)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])');

-- One number is an age, or where a group of ages begins that has no end; of two the second ends it.
create or replace macro tanon._tells_an_age(x) as coalesce(
    regexp_extract_all(x, '\d+(?:\.\d+)?')[-1]::double > 90, false);

create or replace macro tanon._tells_a_place(x, small) as
    len(regexp_replace(x, '\D', '', 'g')) > 3
    or list_contains(small, lpad(regexp_replace(x, '\D', '', 'g'), 3, '0'));
