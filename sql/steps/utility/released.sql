-- What a release says, as numbers of generalized values and of granules, and which values of the
-- source each generalized one is. Where rows stand for many, those of which nothing is told may
-- have any value.
-- Yields: released_cells, members_listed
-- Reads: generals, spans
-- Takes: release, qi, ts, keep, records

guard records_are_counts on texts_of_release
    {if records is null}
    select null::varchar where false
    {else}
    select 'records must hold whole numbers of 0 or more, got ' || count(*) || ' rows that do not'
    from {release}
    where not coalesce({records} >= 0, false)
    having count(*) > 0
    {end}
end

step texts_of_release materialized
    select
        {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
        {q:name},
        {end}
        tanon_label, sum(tanon_n) as tanon_n
    from (
        select
            {for q in tanon._list(qi) joined by ''}{q:name}::varchar as {q:name}, {end}
            {for q in tanon._list(keep) joined by ''}
            {if records is not null}
            case when {q:name} is null
                {for p in tanon._list(qi) joined by ''} and {p:name}::varchar = '*'{end}
                then '*' else {q:name}::varchar end
            {else}{q:name}::varchar{end} as {q:name},
            {end}
            {if ts is null}null::varchar{else}{ts}::varchar{end} as tanon_label,
            {if records is null}1{else}{records}{end} as tanon_n
        from {release}
        where {checked records_are_counts}
    )
    group by all
end

step release_coded materialized
    select
        tanon_r.tanon_n, tanon_span, [
            {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ', '}
            {tanon._dictionary(q)}.tanon_number
            {end}
        ] as tanon_numbers
    from {texts_of_release} as tanon_r left join {spans} as tanon_s
        on tanon_r.tanon_label is not distinct from tanon_s.tanon_label
    {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
    left join (
        select tanon_general, tanon_number from {generals} where tanon_attribute = {q}
    ) as {tanon._dictionary(q)}
        on tanon_r.{q:name} is not distinct from {tanon._dictionary(q)}.tanon_general
    {end}
end

guard release_is_of_source on released_cells
    select 'release must hold values of source as they are at levels'
        {if ts is not null}|| ' and labels of granularity'{end}
        || ', got ' || sum(tanon_n)::bigint || ' rows with others'
        || '; tanon.publish_k_anonymous_summary tells what a release was made with'
    from {release_coded}
    where tanon_span is null or list_count(tanon_numbers) < len(tanon_numbers)
    having count(*) > 0
end

step released_cells
    select list(list_concat(
        {if ts is not null}[tanon_span],{end} tanon_numbers, [tanon_n, 0]
    )::double[]) as tanon_released
    from {release_coded}
    where {checked release_is_of_source}
end

step members_listed
    select list(tanon_members order by tanon_place) as tanon_members
    from (
        select
            list_position(list_concat({qi:text}, tanon._list({keep:text})), tanon_attribute)
                as tanon_place,
            list(tanon_leaves order by tanon_number) as tanon_members
        from {generals}
        group by tanon_attribute
        {if ts is not null}union all select 0, null{end}
    )
end
