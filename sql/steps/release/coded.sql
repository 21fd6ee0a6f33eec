-- The rows as whole numbers, as a release shows them: values of the quasi-identifiers, respondents,
-- granules, and of every other column a hash of the text of each value.
-- Yields: coded, further_columns, groups_at_chosen, members_at_chosen, released
-- Reads: rows_shown, timed
-- Takes: source, respondent, qi, ts, k, hierarchies, choose_by, suppression, remainder, limits,
--   presence

step people materialized
    select tanon_uid, (row_number() over ())::integer as tanon_person
    from (select distinct {respondent} as tanon_uid from {if ts is null}{source}{else}{timed}{end})
end

step hashed not materialized
    select
        tanon_t, tanon_granule, {tanon_s.respondent} as tanon_uid, tanon_raw, tanon_plain,
            tanon_value,
        tanon_is_out,
        hash(columns(lambda c: c = 'tanon_nothing' or tanon._is_further(
            c, list_concat([{respondent:text}], tanon._roles({qi:text}, {ts:text}))))::varchar)
    from (select 0 as tanon_nothing, * from {rows_shown}) as tanon_s
end

-- Of every further column, in the order of the table, what stands for the value of the row; nothing
-- comes first, as there must be something.
step coded materialized
    select
        tanon_raw, tanon_plain, tanon_value, tanon_person, tanon_granule, tanon_t, tanon_is_out,
        list_value(*columns(lambda c: c = 'tanon_nothing' or not starts_with(c, 'tanon_')))
            as tanon_told
    from {hashed} join {people} using (tanon_uid)
end

step members_at_chosen materialized
    select
        tanon_value, tanon_granule, tanon_person, count(*) as tanon_n
        {if tanon._is_more_than_time(
            ts, hierarchies, choose_by, limits, presence, suppression, remainder)}
        , bool_or(tanon_is_out) as tanon_is_out
        {end}
    from {coded}
    group by tanon_value, tanon_granule, tanon_person
end

step groups_at_chosen materialized
    select *, (row_number() over ())::integer as tanon_group
    from (
        select
            tanon_value, tanon_granule, count(*) as tanon_f, sum(tanon_n)::bigint as tanon_n,
            {if tanon._is_more_than_time(
                ts, hierarchies, choose_by, limits, presence, suppression, remainder)}
            not bool_or(tanon_is_out)
            {else}count(*) >= {k}{end} as tanon_is_kept
        from {members_at_chosen}
        group by tanon_value, tanon_granule
    )
end

step released materialized
    select tanon_group, tanon_person, tanon_c.tanon_value, tanon_told[2:] as tanon_told
    from {coded} as tanon_c join {groups_at_chosen} as tanon_g
        on tanon_c.tanon_value = tanon_g.tanon_value
        and tanon_c.tanon_granule = tanon_g.tanon_granule
    where tanon_is_kept
end

step further_columns materialized
    select
        column_name as tanon_column, folded as tanon_folded, column_type as tanon_type,
        (row_number() over ())::integer as tanon_place
    from {source:columns}
    where tanon._is_further(folded, list_concat([{respondent:text}], tanon._roles({qi:text},
        {ts:text})))
end
