-- How many respondents there are, in the release, and in several of its groups.
-- Yields: counted_people
-- Reads: coded, released

step rows_of_people
    select count(*) as tanon_people, count(*) filter (tanon_groups > 1) as tanon_several
    from (
        select count(distinct tanon_group) as tanon_groups
        from {released}
        group by tanon_person
    )
end

step counted_people materialized
    select
        (select count(distinct tanon_person) from {coded}) as tanon_everybody,
        (select tanon_people from {rows_of_people}) as tanon_released,
        (select tanon_several from {rows_of_people}) as tanon_several
end
