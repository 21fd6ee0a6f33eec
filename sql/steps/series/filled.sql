-- Each id with a reading at every instant, and what was put where it had none. The function says
-- what `readings_at` are (id, instant, value) and what the `instants` are, with their places.
-- Yields: every_reading
-- Reads: instants, readings_at
-- Takes: fill

guard none_is_missing on every_reading when fill is null
    select 'source must have a value at each of the ' || any_value(tanon_instants)
        || ' instants, or fill must say what to put there, got ' || count(*)
        || ' ids that lack some: '
        || array_to_string(
            list(tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
    from (
        select tanon_id, any_value(tanon_instants) as tanon_instants
        from {readings_at}, (select count(*) as tanon_instants from {instants})
        group by tanon_id
        having count(*) < any_value(tanon_instants)
    )
    having count(*) > 0
end

step every_reading
    select
        tanon_id, tanon_place, tanon_value,
        last_value(tanon_value ignore nulls) over tanon_before as tanon_last,
        first_value(tanon_value ignore nulls) over tanon_after as tanon_next,
        last_value(if(tanon_value is null, null, tanon_place) ignore nulls) over tanon_before
            as tanon_last_place,
        first_value(if(tanon_value is null, null, tanon_place) ignore nulls) over tanon_after
            as tanon_next_place
    from (from (select distinct tanon_id from {readings_at}), {instants})
    left join {readings_at} using (tanon_id, tanon_instant)
    {if fill is null}where {checked none_is_missing}{end}
    window
        tanon_before as (
            partition by tanon_id order by tanon_place asc nulls last
            rows between unbounded preceding and current row
        ),
        tanon_after as (
            partition by tanon_id order by tanon_place asc nulls last
            rows between current row and unbounded following
        )
end
