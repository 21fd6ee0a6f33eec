-- What the two tables of Anatomy hold: facts of a report. The function says what `dealt_values` and
-- `dealt_owners` are, the owner's copy of individuals if there is respondent; and how many values
-- of the source are guessed without them: `guesses`.
-- Yields: facts_of_pair, guessed, utility_of_pair
-- Reads: dealt_owners, dealt_values, facts_of_answers, guesses
-- Takes: respondent, qi, sensitive, l, partition, queries

piece known_of_rows
    {if partition is null}{qi}{else}{partition} {,qi}{end}
end

-- How many rows are guessed right by the most frequent value of all, and by that of the partition
-- and the quasi-identifiers in the table as it stands.
step guessed(rows)
    select
        (select max(n) from (select count(*) as n from {rows} group by {sensitive})) as tanon_usual,
        (
            select sum(tanon_most) from (
                select max(n) as tanon_most
                from (
                    select {known_of_rows}, count(*) as n
                    from {rows}
                    group by {known_of_rows}, {sensitive}
                )
                group by {known_of_rows}
            )
        ) as tanon_raw,
        (select count(*) from {rows}) as tanon_all
end

step dealt_people materialized
    select * {if respondent is not null}exclude ({respondent}){end} from {dealt_owners}
end

step groups_dealt materialized
    select
        tanon_group, sum(tanon_n)::bigint as tanon_size, max(tanon_n)::bigint as tanon_most
    from (
        select a_group as tanon_group, records as tanon_n from {dealt_values}
    )
    group by tanon_group
end

step groups_that_differ
    select count(*) as tanon_differ
    from (
        select a_group as tanon_group, count(*) as tanon_size from {dealt_people} group by a_group
    ) as tanon_p full join {groups_dealt} as tanon_g on tanon_p.tanon_group = tanon_g.tanon_group
    where tanon_p.tanon_size is distinct from tanon_g.tanon_size
end

step all_dealt
    select
        coalesce(sum(tanon_size), 0)::bigint as tanon_rows, count(*) as tanon_groups,
        coalesce(sum(tanon_most), 0)::bigint as tanon_hits, max(tanon_most / tanon_size)
            as tanon_worst,
        coalesce(bool_and(not tanon._exceeds_share(tanon_most, tanon_size, {l})), true)
            as tanon_holds
    from {groups_dealt}
end

step facts_of_pair
    select
        1 as tanon_part, 2::bigint as tanon_place, 'release' as section, [
            tanon._fact('rows released', 'in groups', tanon_rows, null, null, null, true),
            tanon._fact('groups', 'in groups', tanon_groups, null, null, null, true)
        ] as facts
    from {all_dealt}
    union all
    select 2, 2, 'promise', [
            tanon._fact('largest share of a value in a group', null, tanon_worst,
                tanon._denominator({l}) / tanon._numerator({l}), tanon_holds,
                'of what is in the table of values', true),
            tanon._fact('groups that differ in both tables', null, tanon_differ, 0,
                tanon_differ = 0, null, true)
        ]
    from {all_dealt}, {groups_that_differ}
    union all
    select 4, tanon_size, 'group sizes',
        [tanon._fact('groups', tanon_size::varchar, count(*), null, null, 'rows', true)]
    from {groups_dealt}
    group by tanon_size
    union all
    select 11, 2, 'attacks',
        tanon._attack_facts('inference', 'the group', tanon_rate, tanon_span,
            tanon._denominator({l}) / tanon._numerator({l}),
            'knows the quasi-identifiers, finds the group and guesses its most frequent value',
            tanon_usual / tanon_all, tanon_raw / tanon_all, tanon_rows)
    from (
        select
            *, tanon_hits / nullif(tanon_rows, 0) as tanon_rate,
            tanon._interval(tanon_rate, tanon_rows) as tanon_span
        from {all_dealt}, (select tanon_usual, tanon_raw, tanon_all from {guesses})
    )
    where tanon_rows > 0
    union all
    select
        12, 100 + row_number() over (
            order by tanon_w.warning asc nulls last, tanon_w.affects asc nulls last
        ), 'warnings',
        [tanon._fact(tanon_w.warning, tanon_w.affects, tanon_w.share, null, null, tanon_w.advice,
            tanon_w.warning <> 'values in common')]
    from tanon.table_pair_warnings('(from tanon_dealt_people)', '(from tanon_dealt_values)',
        qi := {qi:text}, sensitive := {sensitive:text}
        {if partition is not null}, partition := {partition:text}{end}
        {if respondent is not null}, owner := '(from tanon_dealt_owners)',
            respondent := {respondent:text}{end}
    ) as tanon_w
    where (select count(*) >= 0 from {dealt_people}) and (select count(*) >= 0 from {dealt_values})
        {if respondent is not null}and (select count(*) >= 0 from {dealt_owners}){end}
end

step answers_of_groups
    from tanon.evaluate_table_pair('(from tanon_dealt_people)', '(from tanon_dealt_values)',
        '(from tanon_source)', {qi:text}, {sensitive:text}, greatest({queries}, 1))
    where (select count(*) >= 0 from {dealt_people}) and (select count(*) >= 0 from {dealt_values})
end

use utility_of_pair = facts_of_answers(errors = answers_of_groups)
