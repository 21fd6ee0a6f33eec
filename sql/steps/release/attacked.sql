-- What simulated adversaries find in a release, by the three questions of the Article 29 Working
-- Party (WP216): is somebody singled out, can rows of one person be linked, a value be inferred.
-- Each with the same attack on the table as it stands, where it must work, and with what guessing
-- without the release gets right.
-- Yields: attacked
-- Reads: coded, counted_people, further_columns, linked, released, told_by_column
-- Takes: ts, keep

step kept_places materialized
    select coalesce(list(tanon_place order by tanon_place asc nulls last), []) as tanon_places
    from {further_columns}
    where tanon._is_named(tanon_folded, {keep:text})
end

step attacked_rows materialized
    select
        tanon_group, tanon_person,
        hash(tanon_value, list_select(tanon_told, (select tanon_places from {kept_places})))
            as tanon_key
    from {released}
end

step found_alone
    select count(distinct tanon_first) as tanon_alone
    from (
        select min(tanon_person) as tanon_first
        from {attacked_rows}
        group by tanon_group, tanon_key
        having min(tanon_person) = max(tanon_person)
    )
end

step source_alone materialized
    select
        count(distinct tanon_first) filter (tanon_first = tanon_last) as tanon_alone,
        count(*) filter (tanon_n = 1) as tanon_alone_rows,
        sum(tanon_n) as tanon_rows
    from (
        select
            count(*) as tanon_n, min(tanon_person) as tanon_first,
            max(tanon_person) as tanon_last
        from {coded}
        group by hash(tanon_raw, tanon_t)
    )
end

step attacked materialized
    select
        1 as tanon_place, 'singling out' as tanon_criterion, null::varchar as tanon_affects,
        'knows quasi-identifiers' {if ts is not null}|| ', time'{end}
            || ' and all that is kept; wants a row that is nobody else''s'
            as tanon_attack,
        tanon_released as tanon_targets, f.tanon_alone::double as tanon_hits,
        0::double as tanon_baseline, s.tanon_alone / nullif(tanon_everybody, 0) as tanon_control
    from {found_alone} as f, {source_alone} as s, {counted_people}
    union all
    select
        2, 'linkability', r.tanon_columns,
        'has one row of somebody and picks another that is equal in up to three columns of choice',
        r.tanon_targets, r.tanon_hits, r.tanon_lucky / nullif(r.tanon_targets, 0),
        s.tanon_hits / nullif(s.tanon_targets, 0)
    from {linked} as r, {linked} as s
    where r.tanon_side = 1 and s.tanon_side = 2
    union all
    select
        3, 'inference', tanon_column,
        'knows quasi-identifiers' {if ts is not null}|| ' and time'{end}
            || ' and guesses the most frequent value of the group',
        coalesce(c.tanon_rows, 0), coalesce(tanon_most, 0)::double, tanon_usual / c.tanon_rows,
        tanon_alone_rows / s.tanon_rows
    from {told_by_column} as c, {source_alone} as s
    where tanon._is_named(tanon_folded, {keep:text})
end
