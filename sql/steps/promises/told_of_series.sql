-- What is found in a release of series: how many share their ranges, and how many of them a word.
-- Yields: told_of_series
-- Reads: kp_classes, kp_failing
-- Takes: k, p

step told_of_series
    select
        2 as place, 'rows that share their ranges' as property, 'at least ' || {k} as promise,
        tanon._figure(min(tanon_sharing)) as found,
        coalesce(min(tanon_sharing) >= {k}, true) as holds
    from (
        select sum(tanon_rows) as tanon_sharing from {kp_classes} group by low, high, tanon_others
    )
    union all
    select 3, 'rows of them that share their word', 'at least ' || {p},
        tanon._figure(min(tanon_rows)), coalesce(min(tanon_rows) >= {p}, true)
    from {kp_classes}
    union all
    select 4, 'ranges and words', 'fit together', case when count(*) = 0 then 'fit together'
            else count(*) || ' that do not' end, count(*) = 0
    from {kp_failing}
    where starts_with(problem, 'ranges')
end
