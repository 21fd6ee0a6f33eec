-- The rows that are released, still with their respondents, and what they are checked for: all of
-- it is counted again from the rows themselves.
-- Yields: release, k_holds, few_are_left_out, uid_is_there_once
-- Reads: groups_below_k, one_is_acceptable, rows_in_choice
-- Takes: source, uid, qi, ts, k, max_suppression, keep

step release materialized
    select {uid}, {qi} {if ts is not null}, tanon_label as {ts}{end} {,keep}
    from {rows_in_choice} as tanon_r
    where not exists (
        from {groups_below_k} as tanon_b
        where {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
    )
end

guard k_holds on release
    select 'k must hold in the release, got ' || count(*)
        || ' groups of fewer respondents: nothing was published'
    from (
        select count(distinct {uid}) as tanon_f
        from {release}
        group by {qi} {,ts}
            {for q in tanon._list(qi) joined by ''}, tanon._spelling({q:name}){end}
    )
    where tanon_f < {k}
    having count(*) > 0
end

guard few_are_left_out on release
    select 'max_suppression must hold in the release, got ' || (tanon_rows - tanon_kept) || ' of '
        || tanon_rows || ' rows left out: nothing was published'
    from (select count(*) as tanon_rows from {source}),
        (select count(*) as tanon_kept from {release})
    where tanon_rows - tanon_kept > {max_suppression} * tanon_rows and {checked one_is_acceptable}
end

guard uid_is_there_once on release
    select 'source must have ' || {uid:text} || ' once, got ' || min(column_name)
        || ', the name of the second where a join has two'
    from {source:columns}
    where folded = tanon._folded({uid:text}) || '_1'
    having count(*) > 0
end
