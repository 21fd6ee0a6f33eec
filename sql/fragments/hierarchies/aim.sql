{# {{ aims }}: what each value becomes at each node of {{ chosen }}. #}
{{ aims }} as materialized (
    select
        tanon_node,
        {for q in tanon._list(qi) joined by ''}
        tanon_ladders.{q:name}[tanon_at.{q:name} + 1] as {q:name},
        {end}
        {if ts is not null}tanon_ladders.tanon_time[tanon_place]{else}[1]{end} as tanon_time
    from {{ chosen }} join tanon_lattice as tanon_at using (tanon_node), tanon_ladders
)
