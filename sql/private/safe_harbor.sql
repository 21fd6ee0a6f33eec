-- What a value tells beside a year, an age of up to 89 and three digits of a ZIP code: NULL in, no.

-- A regular expression, of parts by name. <open> and <close> are where a number begins and ends
-- that is no part of a word or of a number with decimals.
create or replace macro tanon._of_dates(pattern) as '(?i)' || replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(pattern,
    '<week>', '(W(0[1-9]|[1-4]\d|5[0-3])-?[1-7]?|W[1-9]|([KC]W|wk|week|woche|semaine) ?\d\d?)'),
    '<part>', '(Q[1-4]|[1-4]Q|H[12])'),
    '<gap>', '([-/._] ?| )'),
    '<year>', '(18|19|20|21)\d\d'),
    '<nth>', '(00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6])'),
    '<month>', '(0?[1-9]|1[0-2])'),
    '<day>', '(0?[1-9]|[12]\d|3[01])'),
    '<name>', '(jan(uary|uar|v(ier)?)?|jän(ner)?|feb(ruary|ruar|r)?|f[eé]vr?(ier)?|mar(ch|s)?'
        || '|m(ä|ae)rz|mrz|a[pv]r(il)?|ma[iy]|june?|juni|juin|july?|juli|juil(let)?|aug(ust)?'
        || '|ao[uû]t|sept?(ember|embre)?|o[ck]t(ober|obre)?|nov(ember|embre)?'
        || '|d[eé][cz](ember|embre)?)'),
    '<open>', '(^|[^\pL\d.]|[^\d]\.)'),
    '<close>', '((\.0+)?(T|[^\pL\d.]|\.\D|\.?$))');

-- A year with a month, a week, a quarter or a day, wherever it stands in a text.
create or replace macro tanon._tells_a_date(x) as
    regexp_matches(x, tanon._of_dates(concat_ws('|',
        -- 2024-02, 2024-02-29, 2024/02/29, 2024年2月
        '(^|\D)<year>-(0[1-9]|1[0-2])(T|[^\pL\d]|$)',
        '(^|\D)<year><gap><month><gap><day>(T|[^\pL\d]|$)',
        '(^|\D)<year> ?[年년] ?<month>(\D|$)',
        -- 29.02.2024, 2/29/2024
        '(^|\D)(<day><gap><month>|<month><gap><day>)<gap><year>(\D|$)',
        -- 2024-W09-5, 2024Q1, 2024M02
        '(^|\D)<year>([-/._, ]*(<part>|<week>)|-?M<month>)([^\pL\d]|$)',
        -- Q1 2024, KW 9/2024, 1st quarter of 2024
        '(^|[^\pL\d])(<part>[-/._, ]*|<week>([-/._, ]+))(of |de )?<year>(\D|$)',
        '[1-4](st|nd|rd|th|er|e|\.)? ?(quarter|quartal|trimestre)[, ]*(of |de )?<year>(\D|$)',
        '(quarter|quartal|trimestre) [1-4][, ]*(of |de )?<year>(\D|$)')))
    or regexp_matches(x, tanon._of_dates(concat_ws('|',
        -- Feb 2024, February 29th, 2024, Thu Feb 29 10:15:00 2024
        '(^|[^\pL])<name>\.?[-/._, ]+(<day>(st|nd|rd|th)?[-/._, ]+)?'
            || '(\d\d?:\d\d(:\d\d)? +([A-Z]{3,4} )?)?(of |de )?<year>(\D|$)',
        -- 03FEB2024, 29FEB24, FEB2024, 2024FEB03
        '(^|[^\pL\d])([0-3]\d<name>(<year>|\d\d)|<name><year>|<year><name>([0-3]\d)?)'
            || '(T|[^\pL\d]|$)',
        -- 29-Feb-24
        '(^|[^\pL\d])<day>(st|nd|rd|th)?\.?[-/._ ]+<name>\.?[-/._, '']+\d\d([^\pL\d]|$)',
        -- 2024-Feb-03, 2024 Feb 3, but not "in 2024 may have"
        '(^|\D)<year>[-/._, ]+<name>([-/._,;)]| *\d|$)')));

-- Some forms are dates and other numbers or identifiers as well: 20240229, 02/2024, 12.05.24. Of a
-- column they are dates if at least half of its values of that form can be.
-- For one value: 0 a date by itself, 2 * form a value that can be a date, 2 * form + 1 one that has
-- the form and cannot be a date, NULL nothing of it.
create or replace macro tanon._spelt_date(x) as case
    when not regexp_matches(x, '\d\d') or regexp_full_match(x, '\d{4}-01-01( 00:00:00)?') then null
    when tanon._tells_a_date(x) then 0
    when not regexp_matches(x, tanon._of_dates(
        '<open>(\d{6,8}|\d{12}|\d{14}|<year>[-/]\d{3}|\d{1,5}[-/_]<year>'
        || '|\d+\.\d\d(\d\d)?|<year>[/_]\d\d?|\d\d?([-/.])\d\d?([-/.])\d\d|\pL{3,9}[-/'']\d\d'
        || '|\d{2,5}-\d)<close>')) then null
    -- 20240229, 20240229101500
    when regexp_matches(x, tanon._of_dates(
        '<open><year>(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])'
        || '(([01]\d|2[0-3])[0-5]\d([0-5]\d)?)?<close>')) then 2
    -- 29022024, 02292024, 2292024 as a number, 2024060 for the sixtieth day
    when regexp_matches(x, tanon._of_dates(
        '<open>(0?[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])<year><close>'
        || '|<open>(0?[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])<year><close>'
        || '|<open><year><nth><close>')) then 4
    -- 202402
    when regexp_matches(x, tanon._of_dates('<open><year>(0[1-9]|1[0-2])<close>')) then 6
    -- 2024-060
    when regexp_matches(x, tanon._of_dates('<open><year>[-/]<nth><close>')) then 8
    -- 02/2024
    when regexp_matches(x, tanon._of_dates('<open><month>[-/_]<year><close>')) then 10
    -- 02.2024, 2024.02
    when regexp_matches(x, tanon._of_dates(
        '<open>((0[1-9]|1[0-2])\.<year>|<year>\.(0[1-9]|1[0-2]))<close>')) then 12
    -- 29/02/24, 2/29/24, 24-02-29
    when regexp_matches(x, tanon._of_dates('<open>(<day>/<month>/\d\d|<month>/<day>/\d\d'
        || '|\d\d/<month>/<day>|<day>-<month>-\d\d|<month>-<day>-\d\d|\d\d-<month>-<day>'
        || '|<day>\.<month>\.\d\d|<month>\.<day>\.\d\d|\d\d\.<month>\.<day>)<close>')) then 14
    -- 2024/02, 2024_02
    when regexp_matches(x, tanon._of_dates('<open><year>[/_]<month><close>')) then 16
    -- Feb-24
    when regexp_matches(x, tanon._of_dates('<open><name>[-/'']\d\d<close>')) then 18
    -- 2024-2, but not the codes 2947-0 and 2160-1
    when regexp_matches(x, tanon._of_dates('<open><year>-[1-9]<close>')) then 20
    when regexp_matches(x, tanon._of_dates('<open>(18|19|20|21)\d{6}(\d{4}|\d{6})?<close>')) then 3
    when regexp_matches(x, tanon._of_dates('<open>\d{7,8}<close>')) then 5
    when regexp_matches(x, tanon._of_dates('<open>\d{6}<close>')) then 7
    when regexp_matches(x, tanon._of_dates('<open><year>[-/]\d{3}<close>')) then 9
    when regexp_matches(x, tanon._of_dates('<open>\d{1,5}[-/_]<year><close>')) then 11
    when regexp_matches(x, tanon._of_dates('<open>\d+\.\d\d(\d\d)?<close>')) then 13
    when regexp_matches(x, tanon._of_dates(
        '<open>\d\d?([-/.])\d\d?([-/.])\d\d<close>')) then 15
    when regexp_matches(x, tanon._of_dates('<open><year>[/_]\d\d?<close>')) then 17
    when regexp_matches(x, tanon._of_dates('<open>\pL{3,9}[-/'']\d\d<close>')) then 19
    when regexp_matches(x, tanon._of_dates('<open>\d{2,5}-\d<close>')) then 21
end;

create or replace macro tanon._tells_a_place(x, small) as
    len(regexp_replace(x, '\D', '', 'g')) > 3
    or list_contains(small, lpad(regexp_replace(x, '\D', '', 'g'), 3, '0'));
