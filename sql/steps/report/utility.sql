-- How well the release answers random counts: facts of a report, the same as those of
-- tanon.evaluate_events for what tanon.publish_events releases.
-- Yields: facts_of_utility, levels_of_choice, texts_reported
-- Reads: attributes_listed, choice, errors_by_selectivity, facts_of_answers, groups_at_chosen,
--     members_listed, release, released_cells, rows_shown, source_cells, span, spans, times_met
-- Takes: source, qi, ts, keep, hierarchies, choose_by, suppression, remainder, limits, presence,
--     queries

step levels_of_choice
    {for q in tanon._list(qi) joined by ' union all '}
    select {q} as tanon_attribute,
        {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)}
        {q:name}::integer as tanon_level from {choice}
        {else}0 as tanon_level{end}
    {end}
    {for c in tanon._list(keep) joined by ''}
    union all
    select {c}, 0
    {end}
end

-- The rows that leave themselves; where time alone is made coarser and nothing is acceptable, those
-- of groups that would do.
step texts_reported materialized
    {if tanon._is_more_than_time(ts, hierarchies, choose_by, limits, presence,
        suppression, remainder)}
    select
        {for q in tanon._list(qi) joined by ''}tanon._value_text({q:name}) as {q:name}, {end}
        {for c in tanon._list(keep) joined by ''}
        {if remainder}
        case when {c:name} is null
            {for q in tanon._list(qi) joined by ''} and {q:name}::varchar = '*'{end}
            then '*' else tanon._value_text({c:name}) end
        {else}tanon._value_text({c:name}){end} as {c:name},
        {end}
        {if ts is null}null::varchar{else}{ts}::varchar{end} as tanon_label, count(*) as tanon_n
    from {release}
    group by all
    {else}
    select
        {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
        tanon._value_text(tanon_s.{q:name}) as {q:name},
        {end}
        tanon_label, count(*) as tanon_n
    from {rows_shown} as tanon_s join {groups_at_chosen} as tanon_g
        on tanon_s.tanon_value = tanon_g.tanon_value
        and tanon_s.tanon_granule = tanon_g.tanon_granule
    where tanon_is_kept
    group by all
    {end}
end

step answers_of_release materialized
    select unnest(tanon._answer(tanon_count_queries(
        tanon_attributes,
        {if ts is null}[]{else}(
            select list(tanon_at order by tanon_moment asc nulls last) from {times_met}
        ){end},
        {if ts is null}1{else}
        (select case when tanon_is_date then 86400000000 else 1 end from {span}){end},
        tanon_cells, tanon_members,
        (select list([tanon_starts, tanon_ends] order by tanon_span asc nulls last) from {spans}),
        tanon_released, 1, {queries}, 0
    )), recursive := true)
    from {attributes_listed}, {members_listed}, {source_cells}, {released_cells}
end

use errors_of_release = errors_by_selectivity(answers = answers_of_release)

step errors_in_report
    from ({errors_of_release})
end

use facts_of_utility = facts_of_answers(errors = errors_in_report)
