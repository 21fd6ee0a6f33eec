-- Returns the risks that remain in a (k,P)-anonymous release of series.
--
-- No rows means that tanon found no risk. (k,P)-anonymity hides which row belongs to a series. It
-- does not limit what the possible rows have in common. The function checks each sensitive column:
--
--   'repeated value'  a value has more than 1/P of a class.
--   'narrow values'   the values of a class lie within a twentieth of the whole range.
--   'follows series'  values correlate with the last range.
--   'nearest value attack'  an adversary who knows the last reading and chooses the nearest value
--                     is right more often than 1/P. Needs source.
--   'P is 2'          each member of a class of two knows the value of the other. Use 3 or more.
--   'k beyond P'      more rows share ranges than words. Only P protects the sensitive value.
--   'exact readings'  a range of width 0 reveals a reading.
--   'own pattern'     the release contains own_pattern, so an adversary finds fewer than P rows.
--   'unnamed column'  a column has no role in the promise and sensitive does not name it.
--   'poor words'      words of level 1 say nothing, and words of level 2 say little.
--
-- P and k are the sizes of the smallest groups of the release.
--
-- Cost: a few hash aggregations. With source, one join of each class with itself.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   sensitive  columns of release as sensitive  the sensitive columns
--   source     relation = NULL                  the original series, for the attack
--   series_id  column of source and release as respondent = NULL  the series in both relations
--   series     columns(list, number) = NULL     a list column, or one column for each reading
-- Checks:
--   source  (source is null) = (series_id is null)  given together with series_id and series
--   source  (source is null) = (series is null)  given together with series_id and series
-- Result:
--   warning  VARCHAR  the name of the warning
--   affects  VARCHAR  the column; NULL if the row is about all columns
--   rows     BIGINT   the number of released rows concerned
--   share    DOUBLE   the share of these rows in the release, or the share of right guesses
--   advice   VARCHAR  the meaning and the remedy
-- For: the owner
-- Example:
--   from tanon.series_warnings('published_incomes', sensitive := 'charity')

-- What speaks against a release: by sensitive value and by group.

step sized_groups
    select
        low, high, word, level, count(*) as tanon_size, row_number() over () as tanon_class
    from {release} group by low, high, word, level
end

step promised
    select
        min(tanon_size) as p, sum(tanon_size)::bigint as total,
        (select min(rows) from (select count(*) as rows from {release} group by low, high)) as k
    from {sized_groups}
end

step classes_of_values
    {for s in tanon._list(sensitive) joined by ' union all '}
    select
        {s} as affects, tanon_class, tanon_size,
        (low[-1] + high[-1]) / 2 as last_middle,
        tanon._value_text({s:name}) as secret,
        case when regexp_matches(typeof({s:name}), '^(DOUBLE|FLOAT|DECIMAL.*|U?[A-Z]*INT(EGER)?)$')
        then {s:name}::varchar::double end as number,
        {if source is null} null {else} {series_id} {end} as tanon_id
    from {release} join {sized_groups} using (low, high, word, level)
    {end}
end

step spread
    select affects, tanon_class, tanon_size, max(number) - min(number) as spread
    from {classes_of_values} group by affects, tanon_class, tanon_size
end

step width
    select affects, max(number) - min(number) as width, corr(number, last_middle) as correlation,
        count(number) as rows
    from {classes_of_values} group by affects
end

step about_secrets
    select
        'repeated value' as warning, affects, sum(rows)::bigint as rows,
        sum(rows) / any_value(total) as share,
        'up to ' || round(100 * max(rows / tanon_size)) || ' % of guesses are right, not '
            || round(100 / any_value(p)) || ' %: tanon.publish_perturbed_series' as advice
    from (
        select affects, tanon_class, tanon_size, secret, count(*) as rows
        from {classes_of_values} group by affects, tanon_class, tanon_size, secret
    ), {promised}
    where rows * p > tanon_size
    group by affects
    union all
    select
        'narrow values', affects, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'an adversary who finds the class knows the value to within 5 % of all values'
    from {spread} join {width} using (affects), {promised}
    where spread <= width / 20
    group by affects
    union all
    select
        'follows series', affects, rows, abs(correlation),
        'values correlate with the last range; see the attack nearest_value of tanon.series_attack'
    from {width} where abs(correlation) >= 0.5
end

step about_groups
    select
        'P is ' || p as warning, null as affects,
        sum(tanon_size) filter (tanon_size = p)::bigint as rows,
        sum(tanon_size) filter (tanon_size = p) / any_value(total) as share,
        'each member of a class of two knows the value of the other' as advice
    from {sized_groups}, {promised} where p <= 2 group by p
    union all
    select
        'k beyond P', null, sum(tanon_size) filter (tanon_size < k)::bigint,
        sum(tanon_size) filter (tanon_size < k) / any_value(total),
        'k = ' || any_value(k) || ' protects readings, but sensitive values have only P = '
            || any_value(p)
    from {sized_groups}, {promised} where k > p having count(*) > 0
    union all
    select
        'exact readings', null, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'a range of width 0 reveals a reading of each row'
    from {sized_groups}, {promised}
    where list_bool_or(list_transform(low, lambda l, i: l = high[i])) having count(*) > 0
    union all
    select
        'poor words', null, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'words of level 1 say nothing, words of level 2 little: use fewer readings or a smaller P'
    from {sized_groups}, {promised} where level <= 2 having count(*) > 0
end

step series_rows
    select {series_id} as tanon_id, {readings} as tanon_values from {source}
end

step about_columns
    select
        case when folded = 'own_pattern' then 'own pattern' else 'unnamed column' end as warning,
        column_name as affects, total as rows, 1.0::double as share,
        case when folded = 'own_pattern'
            then 'an adversary who knows the readings knows it and finds fewer rows: remove it'
            else 'the promise does not include it: remove it or name it in sensitive' end as advice
    from {release:columns}, {promised}
    where total > 0
        and folded not in ('low', 'high', 'word', 'level', 'k_group', 'p_group', 'domain_low',
            'domain_high')
        and not tanon._is_named(folded, {sensitive:text})
        {if source is not null} and not tanon._is_named(folded, {series_id:text}) {end}
end

step known_values
    select affects, tanon_class, tanon_size, number, s.tanon_id, s.tanon_values[-1] as tanon_last
    from {classes_of_values} join {series_rows} as s using (tanon_id)
    where number is not null and {checked series_are_fine}
end

step nearest_values
    select
        affects, k.tanon_id,
        any_value(abs(k.number - tanon_last)) as own,
        min(abs(other.number - tanon_last)) as nearest,
        count(*) filter (abs(other.number - tanon_last) = abs(k.number - tanon_last)) as ties
    from {known_values} as k join {classes_of_values} as other using (affects, tanon_class)
    group by affects, k.tanon_id
end

step about_attack
    select
        'nearest value attack' as warning, affects, count(*) as rows,
        avg(if(own = nearest, 1 / ties, 0)) as share,
        'share of series with the value nearest to their last reading in the class; 1/P is '
            || round(1 / any_value(p), 3) as advice
    from {nearest_values}, {promised} group by affects
    having avg(if(own = nearest, 1 / ties, 0)) > 1 / any_value(p)
end

select * from {about_secrets}
union all
select * from {about_groups}
union all
select * from {about_columns}
{if source is not null} union all select * from {about_attack} {end}
order by all asc nulls last
