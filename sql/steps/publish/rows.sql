-- The rows as the choice has them: attributes at their level, time as the granule and its label. An
-- attribute that may be generalized is a text; at level 0 it is the row's own value, as text.
-- Yields: groups_below_k, rows_at_levels, rows_in_choice, rows_in_time
-- Reads: choice, dictionaries, group_limits, paths, regulars, rows_at, wide_met
-- Takes: source, respondent, qi, ts, k, hierarchies, levels, choose_by, sensitive, limits,
--   presence,
--   distance

step granularity_chosen
    select tanon_name from {choice}
end

use rows_in_granularity = rows_at(chosen = granularity_chosen)

step rows_in_time not materialized
    {if ts is null}
    select tanon_s.*, 1 as tanon_granule, null::varchar as tanon_label
    from {source} as tanon_s
    {else}
    from {rows_in_granularity}
    {end}
end

step rows_at_levels(rows) not materialized
    {if len(tanon._recoded(qi, hierarchies, levels)) = 0}
    {if limits is null}from{else}select *, {sensitive} as tanon_secret from{end} {rows}
    where (select count(*) > 0 from {choice})
    {else}
    {dictionaries}
    select tanon_s.* replace (
        {for q in tanon._recoded(qi, hierarchies, levels) joined by ', '}
        case when {tanon._dictionary(q)}.tanon_level = 0 then tanon._value_text(tanon_s.{q:name})
            else {tanon._dictionary(q)}.tanon_general end as {q:name}
        {end}
    ) {if limits is not null}, {tanon_s.sensitive} as tanon_secret{end}
    from {rows} as tanon_s
    {for q in tanon._recoded(qi, hierarchies, levels) joined by ''}
    join (
        select tanon_raw, tanon_p.tanon_level, tanon_general
        from {tanon._dictionary(q)} as tanon_d join {paths} as tanon_p using (tanon_number)
        join {choice} as tanon_c on tanon_p.tanon_level = tanon_c.{q:name}
        where tanon_attribute = {q}
    ) as {tanon._dictionary(q)}
        on tanon_s.{q:name} is not distinct from {tanon._dictionary(q)}.tanon_raw
    {end}
    {end}
end

use rows_in_choice = rows_at_levels(rows = rows_in_time)

use limits_of_choice = group_limits(rows = rows_in_choice)

step limits_met materialized
    {limits_of_choice}
end

-- Below k, outside the limits, or too seldom in the population. Where a search knows who has a
-- single row, such respondents have no name and add up.
step groups_below_k materialized
    select
        tanon_g.*,{if limits is not null} tanon_holds,{end} row_number() over () as tanon_group
    from (
        select
            {qi}, tanon_granule {if limits is not null}, tanon_label{end},
            sum(tanon_f)::bigint as tanon_frequency, sum(tanon_n)::bigint as tanon_tuples
        from (
            {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)}
            select
                {qi}, tanon_granule {if limits is not null}, tanon_label{end},
                count(*) as tanon_n, case when tanon_who is null then tanon_n else 1 end as tanon_f
            from {rows_in_choice} as tanon_r
                left join {regulars} on {tanon_r.respondent} = tanon_uid
            group by {qi}, tanon_granule, tanon_who {if limits is not null}, tanon_label{end}
            {else}
            select {qi}, tanon_granule, count(*) as tanon_n, 1 as tanon_f
            from {rows_in_choice}
            group by {qi}, tanon_granule, {respondent}
            {end}
        )
        group by {qi}, tanon_granule {if limits is not null}, tanon_label{end}
        {if limits is null and presence is null}having sum(tanon_f) < {k}{end}
    ) as tanon_g
    {if presence is not null}
    left join {wide_met} as tanon_w
        on {for q in tanon._list(qi) joined by ' and '}
            tanon._value_text(tanon_g.{q:name}) is not distinct from tanon_w.{q:name}
        {end} and tanon_g.tanon_granule = tanon_w.tanon_granule
    {end}
    {if limits is not null}
    join {limits_met} as tanon_l
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_g.{q:name} is not distinct from tanon_l.{q:name}
        {end} and tanon_g.tanon_label is not distinct from tanon_l.tanon_label
    {end}
    {if limits is not null or presence is not null}
    where tanon_frequency < {k} {if limits is not null}or not tanon_holds{end}
        {if presence is not null}
        or not ({tanon._presence_text(presence, 'tanon_frequency', 'tanon_wide')})
        {end}
    {end}
end
