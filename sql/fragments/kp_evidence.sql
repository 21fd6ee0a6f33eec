{# What speaks against a release: by sensitive value, by group and, given the originals, attack. #}
tanon_groups as (
    select
        low, high, pr, level, count(*) as tanon_size, row_number() over () as tanon_class
    from {published} group by low, high, pr, level
),
tanon_promised as (
    select
        min(tanon_size) as p, sum(tanon_size)::bigint as total,
        (select min(rows) from (select count(*) as rows from {published} group by low, high)) as k
    from tanon_groups
),
tanon_secrets as (
    {for s in tanon._list(sensitive) joined by ' union all '}
    select
        {s} as affects, tanon_class, tanon_size,
        (low[-1] + high[-1]) / 2 as last_middle,
        {s:name}::varchar as secret,
        case when regexp_matches(typeof({s:name}), '^(DOUBLE|FLOAT|DECIMAL.*|U?[A-Z]*INT(EGER)?)$')
        then {s:name}::varchar::double end as number,
        {if source is null} null {else} {id} {end} as tanon_id
    from {published} join tanon_groups using (low, high, pr, level)
    {end}
),
tanon_spread as (
    select affects, tanon_class, tanon_size, max(number) - min(number) as spread
    from tanon_secrets group by affects, tanon_class, tanon_size
),
tanon_width as (
    select affects, max(number) - min(number) as width, corr(number, last_middle) as correlation,
        count(number) as rows
    from tanon_secrets group by affects
),
tanon_about_secrets as (
    select
        'repeated value' as warning, affects, sum(rows)::bigint as rows,
        sum(rows) / any_value(total) as share,
        'up to ' || round(100 * max(rows / tanon_size)) || ' % of guesses are right, not '
            || round(100 / any_value(p)) || ' %: tanon.diversify' as advice
    from (
        select affects, tanon_class, tanon_size, secret, count(*) as rows
        from tanon_secrets group by affects, tanon_class, tanon_size, secret
    ), tanon_promised
    where rows * p > tanon_size
    group by affects
    union all
    select
        'narrow values', affects, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'whoever finds the P-group knows the value within 5 % of all values'
    from tanon_spread join tanon_width using (affects), tanon_promised
    where spread <= width / 20
    group by affects
    union all
    select
        'follows series', affects, rows, abs(correlation),
        'correlation with the last range; tanon.kp_attack: how often the nearest value is right'
    from tanon_width where abs(correlation) >= 0.5
),
tanon_about_groups as (
    select
        'P is ' || p as warning, null as affects,
        sum(tanon_size) filter (tanon_size = p)::bigint as rows,
        sum(tanon_size) filter (tanon_size = p) / any_value(total) as share,
        'members of a P-group of two know each other''s values' as advice
    from tanon_groups, tanon_promised where p <= 2 group by p
    union all
    select
        'k beyond P', null, sum(tanon_size) filter (tanon_size < k)::bigint,
        sum(tanon_size) filter (tanon_size < k) / any_value(total),
        'k = ' || any_value(k) || ' hides readings; the sensitive value is one of P = '
            || any_value(p)
    from tanon_groups, tanon_promised where k > p having count(*) > 0
    union all
    select
        'exact readings', null, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'ranges of width 0 publish a reading of each of these rows'
    from tanon_groups, tanon_promised
    where list_bool_or(list_transform(low, lambda l, i: l = high[i])) having count(*) > 0
    union all
    select
        'poor words', null, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'words of level 1 say nothing, of level 2 little: fewer readings or a smaller P'
    from tanon_groups, tanon_promised where level <= 2 having count(*) > 0
)
,
{if source is not null}
{% include "fragments/series_rows.sql" %},
tanon_known as (
    select affects, tanon_class, tanon_size, number, s.tanon_id, s.tanon_values[-1] as tanon_last
    from tanon_secrets join tanon_series as s using (tanon_id)
    where number is not null and (select tanon_fine from tanon_series_are_fine)
),
tanon_guesses as (
    select
        affects, k.tanon_id,
        any_value(abs(k.number - tanon_last)) as own,
        min(abs(other.number - tanon_last)) as nearest,
        count(*) filter (abs(other.number - tanon_last) = abs(k.number - tanon_last)) as ties
    from tanon_known as k join tanon_secrets as other using (affects, tanon_class)
    group by affects, k.tanon_id
),
tanon_about_attack as (
    select
        'nearest value attack' as warning, affects, count(*) as rows,
        avg(if(own = nearest, 1 / ties, 0)) as share,
        'share of series whose value is the nearest to their last reading in the P-group; 1/P is '
            || round(1 / any_value(p), 3) as advice
    from tanon_guesses, tanon_promised group by affects
    having avg(if(own = nearest, 1 / ties, 0)) > 1 / any_value(p)
),
{end}
tanon_end as (select true)
