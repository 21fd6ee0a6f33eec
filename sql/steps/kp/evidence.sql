-- What speaks against a release: by sensitive value and by group.
-- Yields: about_groups, about_secrets, classes_of_values, promised
-- Takes: published, sensitive, source, id

step sized_groups
    select
        low, high, pr, level, count(*) as tanon_size, row_number() over () as tanon_class
    from {published} group by low, high, pr, level
end

step promised
    select
        min(tanon_size) as p, sum(tanon_size)::bigint as total,
        (select min(rows) from (select count(*) as rows from {published} group by low, high)) as k
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
        {if source is null} null {else} {id} {end} as tanon_id
    from {published} join {sized_groups} using (low, high, pr, level)
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
            || round(100 / any_value(p)) || ' %: tanon.diversify' as advice
    from (
        select affects, tanon_class, tanon_size, secret, count(*) as rows
        from {classes_of_values} group by affects, tanon_class, tanon_size, secret
    ), {promised}
    where rows * p > tanon_size
    group by affects
    union all
    select
        'narrow values', affects, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'whoever finds the P-group knows the value within 5 % of all values'
    from {spread} join {width} using (affects), {promised}
    where spread <= width / 20
    group by affects
    union all
    select
        'follows series', affects, rows, abs(correlation),
        'correlation with the last range; tanon.kp_attack: how often the nearest value is right'
    from {width} where abs(correlation) >= 0.5
end

step about_groups
    select
        'P is ' || p as warning, null as affects,
        sum(tanon_size) filter (tanon_size = p)::bigint as rows,
        sum(tanon_size) filter (tanon_size = p) / any_value(total) as share,
        'members of a P-group of two know each other''s values' as advice
    from {sized_groups}, {promised} where p <= 2 group by p
    union all
    select
        'k beyond P', null, sum(tanon_size) filter (tanon_size < k)::bigint,
        sum(tanon_size) filter (tanon_size < k) / any_value(total),
        'k = ' || any_value(k) || ' hides readings; the sensitive value is one of P = '
            || any_value(p)
    from {sized_groups}, {promised} where k > p having count(*) > 0
    union all
    select
        'exact readings', null, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'ranges of width 0 publish a reading of each of these rows'
    from {sized_groups}, {promised}
    where list_bool_or(list_transform(low, lambda l, i: l = high[i])) having count(*) > 0
    union all
    select
        'poor words', null, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'words of level 1 say nothing, of level 2 little: fewer readings or a smaller P'
    from {sized_groups}, {promised} where level <= 2 having count(*) > 0
end
