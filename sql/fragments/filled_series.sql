{# From cells (id, instant, value) and a grid of instants to one list for each id. #}
tanon_wanted as (select count(*) as tanon_instants from tanon_grid),
tanon_missing as (
    select coalesce((
        select error(
            {function} || ': source must have a value at each of the ' || any_value(tanon_instants)
            || ' instants, or fill must say what to put there, got ' || count(*)
            || ' ids that lack some: '
            || array_to_string(list_sort(list(tanon_id::varchar))[:5], ', ')
        )
        from (
            select tanon_id, any_value(tanon_instants) as tanon_instants
            from tanon_cells, tanon_wanted group by tanon_id
            having count(*) < any_value(tanon_instants)
        )
        {if fill is not null} where false {end} having count(*) > 0
    ), true) as tanon_fine
),
tanon_every as (
    select
        tanon_id, tanon_place, tanon_value,
        last_value(tanon_value ignore nulls) over tanon_before as tanon_last,
        first_value(tanon_value ignore nulls) over tanon_after as tanon_next,
        last_value(if(tanon_value is null, null, tanon_place) ignore nulls) over tanon_before
            as tanon_last_place,
        first_value(if(tanon_value is null, null, tanon_place) ignore nulls) over tanon_after
            as tanon_next_place
    from (from (select distinct tanon_id from tanon_cells), tanon_grid)
    left join tanon_cells using (tanon_id, tanon_instant)
    where (select tanon_fine from tanon_missing)
    window
        tanon_before as (
            partition by tanon_id order by tanon_place
            rows between unbounded preceding and current row
        ),
        tanon_after as (
            partition by tanon_id order by tanon_place
            rows between current row and unbounded following
        )
)
select
    tanon_id as {id},
    list(coalesce(
        tanon_value,
        {if fill::varchar = 'linear'}
        tanon_last + (tanon_next - tanon_last) * (tanon_place - tanon_last_place)
            / (tanon_next_place - tanon_last_place),
        {end}
        {if fill::varchar in ('previous', 'linear')} tanon_last, tanon_next
        {else} {if fill is null} null {else} {fill}::double {end} {end}
    ) order by tanon_place) as series,
    count(*) filter (tanon_value is null) as filled
from tanon_every
group by tanon_id
