-- Every column of a table: its shape, its values as numbers with whom they belong to, and how many
-- people there are; each row is a person of its own where respondent is left out.
-- Yields: shape_of_columns, values_of_columns, people_of_source, numbered_people
-- Takes: source, respondent

-- A hash would part what a collation takes for one respondent.
step numbered_people materialized
    select row_number() over () as tanon_who, {respondent} as tanon_uid
    from (select distinct {respondent} from {source})
end

step shape_of_columns
    select *, regexp_matches(column_type, '[\[(]') and not regexp_matches(column_type,
            '^(DECIMAL|ENUM)\(') as tanon_is_nested,
        regexp_full_match(column_type, 'DATE|TIMESTAMP.*') as tanon_is_time
    from (
        select column_name, column_type, row_number() over () as tanon_place
        from (describe from {source:relation})
    )
end

-- A column as numbers: hashes are as different as values are.
step hashed_cells
    select tanon_who, tanon_name, tanon_hash
    from (
        select
            {if respondent is null}row_number() over (){else}tanon_p.tanon_who{end} as tanon_who,
            case when columns(tanon_s.*) is null then null else hash(columns(tanon_s.*)) end
        from {source} as tanon_s
        {if respondent is not null}join {numbered_people} as tanon_p on
            {tanon_s.respondent} = tanon_uid{end}
    ) unpivot include nulls (tanon_hash for tanon_name in (columns(* exclude (tanon_who))))
end

step values_of_columns
    select tanon_name, tanon_hash, count(*) as tanon_n,
        case when min(tanon_who) = max(tanon_who) then min(tanon_who) end as tanon_only
    from {hashed_cells}
    group by tanon_name, tanon_hash
end

step people_of_source materialized
    select count(*) as tanon_rows,
        {if respondent is null}count(*){else}(select count(*)
            from {numbered_people}){end} as tanon_people
    from {source}
end
