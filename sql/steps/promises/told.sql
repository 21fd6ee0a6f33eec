-- What is found in a table that left, one row for each promise: columns, rows and respondents.
-- The function says what left_rows are: those of the release, and owners_rows: those of the copy.
-- Yields: told_of_columns, told_of_groups, told_of_rows, told_of_series
-- Reads: kp_classes, kp_failing, left_rows, owners_rows, sharing
-- Takes: release, qi, ts, keep, sensitive, k, p, l, records, owner, respondent, individuals

-- What is found in a release of series: how many share their ranges, and how many of them a word.

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

-- Whether the two tables of Anatomy belong together: the same groups of the same sizes, and no
-- sensitive value beside a person.

step sizes_of_groups
    select sum(tanon_n) as tanon_n
    from (
        select {qi},
            {if records is null} 1 {else} try_cast({records}::varchar as bigint) {end} as tanon_n
        from {release}
        union all
        select {qi}, -1 from {individuals}
    )
    group by {qi}
end

step told_of_groups
    select 7 as place, 'groups of both tables' as property, 'the same sizes' as promise,
        case when count(*) = 0 then 'the same' else count(*) || ' that differ' end as found,
        count(*) = 0 as holds
    from {sizes_of_groups}
    where tanon_n is distinct from 0
    union all
    select 8, 'columns of individuals', 'no sensitive one',
        coalesce(string_agg(
            column_name, ', ' order by column_name asc nulls last
        ), 'none'), count(*) = 0
    from {individuals:columns}
    where tanon._is_named(folded, list_concat({sensitive:text}, tanon._list({records:text})))
end

use shared_by_rows = sharing(rows = left_rows)
use shared_by_people = sharing(rows = owners_rows)

-- Of a group of Anatomy, its rows and those of the person who has most of them.
step groups_by_person
    select sum(tanon_n)::bigint as tanon_rows, max(tanon_n) as tanon_most
    from (
        select {qi}, {respondent} as tanon_who, count(*) as tanon_n
        from {owner}
        group by {qi}, {respondent}
    )
    group by {qi}
end

step told_of_columns
    select
        1 as place, 'columns' as property, 'a role for each' as promise,
        coalesce('none for ' || string_agg(
            column_name, ', ' order by column_name asc nulls last
        ), 'one for each')
            as found,
        count(*) = 0 as holds
    from {release:columns}
    where not tanon._is_named(folded, list_concat(
        {qi:text}, tanon._list({ts:text}), {sensitive:text}, {keep:text},
        tanon._list({records:text})
        {if p is not null} , ['low', 'high', 'word', 'level', 'k_group', 'p_group'] {end}
    ))
end

step told_of_rows
    select null::integer as place, null::varchar as property, null::varchar as promise,
        null::varchar as found, null::boolean as holds
    where false
    {if k is not null}
    union all
    select 2, 'rows that share what is known', 'at least ' || {k},
        tanon._figure(min(tanon_rows)), coalesce(min(tanon_rows) >= {k}, true)
    from {shared_by_rows}
    {if owner is not null}
    union all
    select 3, 'respondents who share what is known', 'at least ' || {k},
        tanon._figure(min(tanon_people)), coalesce(min(tanon_people) >= {k}, true)
    from {shared_by_people}
    {end}
    {end}
    {if owner is not null and l is not null and tanon._share_a_name('a_group', qi)}
    union all
    select 5, 'persons of a group', 'at least ' || {l}, tanon._figure(min(tanon_rows / tanon_most)),
        coalesce(
            bool_and(not tanon._exceeds_share(tanon_most, tanon_rows, {l})),
            true)
    from {groups_by_person}
    {end}
    {if records is not null}
    union all
    select 4, 'rows of a value', 'at least 1', case when count(*) > count(tanon_times)
            then 'no number in ' || count(*) - count(tanon_times) || ' rows'
            else tanon._figure(min(tanon_times)) end,
        count(*) = count(tanon_times) and coalesce(min(tanon_times) >= 1, true)
    from {left_rows}
    {end}
    {if owner is not null}
    union all
    select 4, 'rows of the owner''s copy', 'the same', case
            when coalesce(sum(abs(tanon_n)), 0) = 0 then 'the same'
            else sum(greatest(-tanon_n, 0)) || ' that did not leave, '
                || sum(greatest(tanon_n, 0)) || ' missing' end,
        coalesce(sum(abs(tanon_n)), 0) = 0
    from (
        select * exclude (tanon_n), sum(tanon_n) as tanon_n
        from (
            select tanon_times as tanon_n,
                * exclude (tanon_times, tanon_all, tanon_whose {,records})
            from {left_rows}
            union all by name
            select -1 as tanon_n, * exclude ({respondent} {,records}) from {owner}
        )
        group by all
    )
    {end}
end
