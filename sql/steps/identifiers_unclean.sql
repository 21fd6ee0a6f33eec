-- Identifiers of respondents that may hide how many there are.
-- Yields: told_of_identifiers, unclean_identifiers
-- Reads: rows_of_each
-- Takes: respondent

step plain_identifiers
    select
        list_transform(
            [trim(
                lower(tanon._value_text(tanon_uid)), ' ' || chr(9) || chr(10) || chr(13) || chr(160)
            )],
            lambda e: case when e = '' then '' else coalesce(nullif(ltrim(e, '0'), ''), '0') end
        )[1] as tanon_plain,
        count(*) as tanon_n
    from {rows_of_each}
    group by tanon_plain
end

step unclean_identifiers
    select
        'identifiers alike' as warning, {respondent:text} as affects,
            sum(tanon_n)::bigint as respondents,
        'equal but for case, blanks and leading zeros: one person may count as several' as advice,
        8 as tanon_place
    from {plain_identifiers}
    where tanon_n > 1 and tanon_plain <> ''
    having count(*) > 0
    union all
    select
        'empty identifier', {respondent:text}, tanon_n::bigint,
        'empty or blank: rows of several persons may count as one person''s', 9
    from {plain_identifiers}
    where tanon_plain = ''
end

piece told_of_identifiers
    coalesce((
        select string_agg(
            printf('; %s: %d of them', warning, respondents), '' order by tanon_place asc nulls last
        )
        from {unclean_identifiers}
    ), '')
end
