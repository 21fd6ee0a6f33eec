-- The rows of a release as texts. Where rows stand for many, those of which nothing is told may
-- have any value.
-- Yields: texts_of_relation
-- Takes: release, qi, ts, keep, records

guard records_are_counts on texts_of_relation
    {if records is null}
    select null::varchar where false
    {else}
    select 'records must hold whole numbers of 0 or more, got ' || count(*) || ' rows that do not'
    from {release}
    where not coalesce({records} >= 0, false)
    having count(*) > 0
    {end}
end

-- A label of time is of no type that the header could name.
guard ts_is_released on texts_of_relation
    {if ts is null}
    select null::varchar where false
    {else}
    select 'ts must be a column of release, got ' || {ts:text}
    from (select tanon._folded({ts:text}) as wanted)
    where wanted not in (select folded from {release:columns})
    {end}
end

step texts_of_relation materialized
    select
        {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
        {q:name},
        {end}
        tanon_label, sum(tanon_n) as tanon_n
    from (
        select
            {for q in tanon._list(qi) joined by ''}tanon._value_text({q:name}) as {q:name}, {end}
            {for q in tanon._list(keep) joined by ''}
            {if records is not null}
            case when {q:name} is null
                {for p in tanon._list(qi) joined by ''} and {p:name}::varchar = '*'{end}
                then '*' else tanon._value_text({q:name}) end
            {else}tanon._value_text({q:name}){end} as {q:name},
            {end}
            {if ts is null}null::varchar{else}{ts}::varchar{end} as tanon_label,
            {if records is null}1{else}{records}{end} as tanon_n
        from {if ts is null} {release}
            {else} (from {release} union all by name select null::varchar as {ts} where false) {end}
        where {checked records_are_counts} and {checked ts_is_released}
    )
    group by all
end
