-- Returns the facts of the report about a (k,P)-anonymous release of series.
--
-- Pass the owner's copy of the release, which tanon.publish_series returns with for_owner := true.
-- tanon_duck.report draws these rows. The sections are release, promise, words, loss, breach,
-- utility, attacks and warnings. The help of tanon.series_violations, tanon.series_loss,
-- tanon.series_breach, tanon.evaluate_series, tanon.series_attack and tanon.series_warnings
-- explains the figures. Rows with public = false reveal facts of the source that only the owner may
-- see.
--
-- Cost: the cost of these functions, and three times the cost of tanon.series_attack.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the owner's copy
--   source     relation                                 the original series
--   series_id  column not null of source and release  the series
--   series     columns(list, number) not null           a list column, or one for each position
--   k          integer > 1  the fewest rows that share their ranges
--   p          integer >= 1                             the fewest of these rows that also share
--       their word
--   sensitive  columns(plain) or none of source and release = []  the sensitive columns; none: no
--       sections breach, attacks and warnings
--   uses asks
-- Checks:
--   p  tanon._at_least(k, p)  at most k
-- Result:
--   uses facts
-- For: the owner
-- Example:
--   from tanon.report_series(
--       '(select name, p.* from incomes join published_incomes as p using (charity))',
--       '(select name, incomes as yearly, charity from incomes)',
--       series_id := 'name', series := 'yearly', k := 12, p := 6, sensitive := 'charity')

-- The series that a report is about, under a name that no other column has and in one list, so that
-- the report tells unknown columns and wrong types; random queries of them and of the rows of its
-- release without withheld cells.

step series_to_compare
    select {series_id}, {readings} as
        {tanon._identifier(concat('the readings of ', series::varchar))}
        {,sensitive}
    from {source}
    where {checked series_are_fine}
end

piece pair_of_series
    '(from tanon_release)', '(from tanon_series_to_compare)', {series_id:text},
        {tanon._text(concat('the readings of ', series::varchar))}
end

step series_answers
    from tanon.evaluate_series(
        '(from tanon_release where not contains(word, ''.'') and len(low) = list_count(low) and '
        'len(high) = list_count(high) '
        'and coalesce(isfinite(list_sum(low) + list_sum(high)), false))',
        '(from tanon_series_to_compare)',
        {series_id:text}, {tanon._text(concat('the readings of ', series::varchar))},
        greatest({queries}, 1))
    where (select count(*) >= 0 from {series_to_compare})
end

step classes materialized
    select low, high, word, level, count(*) as tanon_n,
        row_number() over (order by low asc nulls last, high asc nulls last, word asc nulls last,
            level asc nulls last) as tanon_class
    from {release}
    group by low, high, word, level
end

step series_rows
    select {series_id} as tanon_id, {readings} as tanon_values from {source}
end

use utility_of_series = facts_of_series_answers(answers = series_answers)

step facts
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('series released', null, coalesce(sum(tanon_n), 0), null, null, null, true),
            tanon._fact('words', null, count(*), null, null, null, true),
            tanon._fact('ranges', null, count(distinct (low, high)), null, null, null, true)
        ] as facts
    from {classes}
    union all
    select 2, 1, 'promise', [
            tanon._fact('series that share their ranges', null,
                (select min(n) from (select sum(tanon_n) as n from {classes} group by low, high)),
                {k}, count(*) filter (word is null) = 0, null, true),
            tanon._fact('of them, that share their word', null,
                (select min(tanon_n) from {classes}), {p}, count(*) filter (word is not null) = 0,
                null, true)
        ]
    from tanon.series_violations('(select low, high, word, level from tanon_release)', {k}, {p})
    union all
    select 3, tanon_class, 'words', [tanon._fact(word, tanon_class::varchar, tanon_n, level, null,
        (to_json([low, high]))::varchar, false)]
    from {classes}
    union all
    select 4, 1, 'loss', [
            tanon._fact('series left out', null, suppressed, null, null, null, false),
            tanon._fact('value loss', null, value_loss, null, null,
                'how wide ranges are on average', true),
            tanon._fact('pattern loss', null, pattern_loss, null, null,
                'how far words are from the shapes: 0 is the same, 2 the opposite', true)
        ]
    from tanon.series_loss({pair_of_series})
    where (select count(*) >= 0 from {series_to_compare})
    {if len(tanon._list(sensitive)) > 0}
    union all
    select 5, 1, 'breach', [
            tanon._fact('worst by values', null, max(by_values), null, null, null, true),
            tanon._fact('worst by pattern', null, max(by_pattern), null, null, null, true),
            tanon._fact('worst by both', null, max(by_both), 1 / {p}, max(by_both) <= 1 / {p},
                'the chance of the sensitive value for who knows values and pattern', true)
        ]
    from tanon.series_breach({pair_of_series}, {sensitive:text})
    union all
    {for a in ['unified', 'values', 'pattern'] joined by ' union all '}
    select 7, list_position(['unified', 'values', 'pattern'], {a}), 'attacks', [
            tanon._fact('inference', {a}, hit_rate, promised, null,
                'knows ' || case {a} when 'unified' then 'values and pattern' else {a} end
                || ' of a series and guesses its sensitive value', true),
            tanon._fact('low', {a}, low, null, null, 'inference', true),
            tanon._fact('high', {a}, high, null, null, 'inference', true),
            tanon._fact('baseline', {a}, promised, null, null, 'inference', true),
            tanon._fact('targets', {a}, targets, null, null, 'inference', false)
        ]
    from tanon.series_attack({pair_of_series}, {sensitive:text}, {a})
    {end}
    union all
    select 8, row_number() over (order by warning asc nulls last, affects asc nulls last),
        'warnings',
        [tanon._fact(warning, affects, share, null, null, advice, true)]
    from tanon.series_warnings({tanon._text(concat('(select low, high, word, level, ',
        tanon._identifiers(sensitive, ''), ' from tanon_release)'))}, {sensitive:text})
    {end}
    {if queries > 0}
    union all
    from {utility_of_series}
    {end}
end

{facts_in_order}
