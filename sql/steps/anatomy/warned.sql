-- What the two tables of Anatomy do not hold against, by group and by individual.
-- Yields: warned_of_pair
-- Reads: groups_fit, people_in_groups, values_in_groups
-- Takes: individuals, counts, qi, sensitive, partition, owner, respondent

step values_weighed materialized
    select
        tanon_group, tanon_n, sum(tanon_n) over (partition by tanon_group) as tanon_size,
        sum(tanon_n) over (partition by {sensitive}) as tanon_of_value,
            sum(tanon_n) over () as tanon_rows
    from {values_in_groups}
    where tanon_n > 0 and {checked groups_fit}
end

step groups_weighed materialized
    select
        tanon_group, any_value(tanon_size)::bigint as tanon_size, count(*) as tanon_values,
        max(tanon_n / tanon_size) as tanon_worst,
        max(tanon_n / tanon_size * tanon_rows / tanon_of_value) as tanon_gain
    from {values_weighed}
    group by tanon_group
end

step rows_weighed materialized
    select
        sum(tanon_size)::bigint as tanon_rows, count(*) as tanon_groups,
        max(tanon_worst) as tanon_worst
    from {groups_weighed}
end

step groups_alike
    select tanon_group from {people_in_groups} group by tanon_group having count(*) = 1
end

-- Who is the only one with their quasi-identifiers, where they are; and how often that is.
step found_present materialized
    select {qi}, any_value(a_group) as tanon_group, count(*) as tanon_n
    from {individuals}
    group by {partition,} {qi}
end

-- Whoever is alone in several partitions, and never beside a like, is followed from one to the
-- next: what is left of the values that all of their groups have?
step followed materialized when partition is not null
    select row_number() over () as tanon_someone, list(tanon_group) as tanon_groups
    from {found_present}
    group by {qi}
    having max(tanon_n) = 1 and count(*) > 1
end

step left_of_values when partition is not null
    select tanon_someone, tanon_times
    from (
        select tanon_someone, tanon_times, count(*) as tanon_met
        from (
            select
                tanon_someone, len(tanon_groups) as tanon_times,
                unnest(tanon_groups) as tanon_group
            from {followed}
        ) join {values_in_groups} using (tanon_group)
        where tanon_n > 0
        group by tanon_someone, tanon_times, {sensitive}
    )
    where tanon_met = tanon_times
    group by tanon_someone, tanon_times
    having count(*) = 1
end

-- Which values all groups of a person with several rows have: those who know that the value is the
-- same in all of them are left with these.
step persons_of_several_rows materialized when owner is not null
    select
        {respondent} as tanon_who, count(*) as tanon_records,
        count(distinct a_group) as tanon_of
    from {owner}
    group by {respondent}
    having count(*) > 1
end

step groups_of_persons when owner is not null
    select {respondent} as tanon_who, a_group as tanon_group from {owner}
        group by {respondent}, a_group
end

step values_in_common when owner is not null
    select tanon_records, count(*) as tanon_left
    from (
        select tanon_p.tanon_who, tanon_records
        from {persons_of_several_rows} as tanon_p
        join {groups_of_persons} as tanon_g on tanon_p.tanon_who = tanon_g.tanon_who
        join {values_in_groups} using (tanon_group)
        where tanon_n > 0
        group by tanon_p.tanon_who, tanon_records, tanon_of, {sensitive}
        having count(*) = tanon_of
    )
    group by tanon_who, tanon_records
end

step further_columns_of_pair
    select column_name as tanon_column
    from {individuals:columns}
    where folded <> 'a_group'
        and not tanon._is_named(folded, list_concat({qi:text}, tanon._list({partition:text})))
    union
    select column_name
    from {counts:columns}
    where folded not in ('a_group', 'records')
        and not tanon._is_named(folded, list_concat([{sensitive:text}],
            tanon._list({partition:text})))
end

step warned_of_values
    select
        1 as tanon_place, 'best guess' as warning, {sensitive:text} as affects,
        sum(tanon_size) filter (g.tanon_worst = r.tanon_worst)::bigint as rows,
        any_value(r.tanon_worst) as share,
        'whoever finds the group of somebody and guesses its most frequent value is right so '
            || 'often, in ' || count(*) filter (g.tanon_worst = r.tanon_worst) || ' of '
            || count(*) || ' groups: l = ' || round(1 / any_value(r.tanon_worst), 3)
            || ' promises no less, if nobody learns from the tables which values go with whom'
            as advice
    from {groups_weighed} as g, {rows_weighed} as r
    having count(*) > 0
    union all
    select
        2, 'two values', {sensitive:text}, sum(tanon_size)::bigint,
        sum(tanon_size) / any_value(tanon_rows),
        'groups of two values: whoever can rule one out knows the other, and in a group of two '
            || 'rows each knows the value of the other; take a larger l'
    from (from {groups_weighed} where tanon_values <= 2), (select tanon_rows from {rows_weighed})
    having count(*) > 0
    union all
    select
        3, 'rare value', {sensitive:text}, sum(tanon_size)::bigint,
        sum(tanon_size) / any_value(tanon_rows),
        'their group has a value that is up to ' || round(max(tanon_gain), 1)
            || ' times as likely there as in the whole release: l bounds the chance, not what '
            || 'is learnt'
    from (from {groups_weighed} where tanon_gain >= 10),
        (select tanon_rows from {rows_weighed})
    having count(*) > 0
end

step warned_of_individuals
    select
        4 as tanon_place, 'who is in it' as warning, null::varchar as affects, count(*) as rows,
        count(*) / any_value(tanon_rows) as share,
        'no other row there has their quasi-identifiers, which are released as they are: whoever '
            || 'knows them sees that they are in it, and in which group' as advice
    from (from {found_present} where tanon_n = 1), (select tanon_rows from {rows_weighed})
    having count(*) > 0
    union all
    select
        5, 'one kind of people', null, sum(tanon_size)::bigint,
        sum(tanon_size) / any_value(tanon_rows),
        'all in their group have the same quasi-identifiers: what values these have between them '
            || 'is told exactly'
    from (from {groups_weighed} semi join {groups_alike} using (tanon_group) where tanon_size > 1),
        (select tanon_rows from {rows_weighed})
    having count(*) > 0
    {if partition is not null}
    union all
    select
        6, 'followed', {sensitive:text}, sum(tanon_times)::bigint,
        sum(tanon_times) / any_value(tanon_rows),
        count(*) || ' who are alone with their quasi-identifiers in several partitions: one value '
            || 'is in all of their groups, and is theirs if it stays the same'
    from {left_of_values}, (select tanon_rows from {rows_weighed})
    having count(*) > 0
    {end}
    {if owner is not null}
    union all
    select
        7, 'values in common', {sensitive:text}, sum(tanon_records)::bigint,
        sum(tanon_records) / any_value(tanon_rows),
        count(*) || ' of ' || (select count(*) from {persons_of_several_rows})
            || ' persons with several rows: fewer than ' || round(1 / any_value(tanon_worst), 3)
            || ' values are in all of their groups, and for ' || count(*) filter (tanon_left = 1)
            || ' of them a single one; an adversary who knows that the value of a person is always '
            || 'the same is left with these'
    from {values_in_common}, (select tanon_rows, tanon_worst from {rows_weighed})
    where round(tanon_left * tanon_worst, 9) < 1
    having count(*) > 0
    {end}
end

step warned_of_pair
    from {warned_of_values}
    union all
    from {warned_of_individuals}
    union all
    select
        8, 'unnamed column', tanon_column, tanon_rows, 1::double,
        'no promise holds for it: leave it out, or name it in qi'
    from {further_columns_of_pair}, {rows_weighed}
    where tanon_rows > 0
end
