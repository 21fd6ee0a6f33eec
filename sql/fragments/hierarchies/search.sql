{# First each attribute alone, all others on top and time as coarse as it gets: a level that fails
   there fails everywhere (the subset property), and so do the levels below it. What is left is a
   smaller lattice: the rows are rolled up to its bottom, and its nodes are measured on that. #}
tanon_total as materialized (select count(*) as tanon_rows_of_all from {source}),
{for q in tanon._list(qi) joined by ''}
{q:face_base} as materialized (
    select
        tanon_c.{q:name},
        {for o in tanon._others(qi, q) joined by ''}
        [tanon_c.{o:name}[tanon_top.{o:name}]] as {o:name},
        {end}
        list_select(tanon_time, tanon_places) as tanon_time, tanon_who,
        count(*) as tanon_singles, count(*) as tanon_rows
    from tanon_coded as tanon_c, tanon_top, tanon_summits
    group by all
),
{q:face_nodes} as materialized (
    select
        row_number() over () as tanon_node, tanon_level as {q:name},
        {for o in tanon._others(qi, q) joined by ''}0 as {o:name},{end}
        tanon_g
    from tanon_levels, (
        select unnest(range(1, len(tanon_places) + 1)) as tanon_g from tanon_summits
    )
    where tanon_attribute = {q}
),
{% set name, groups = "{q:face_measured}", "{q:face_groups}" %}
{% set base, nodes = "{q:face_base}", "{q:face_nodes}" %}
{% include "fragments/hierarchies/nodes_measured.sql" %}
{q:face} as materialized (
    select min({q:name}) as tanon_low
    from {q:face_nodes} join {q:face_measured} using (tanon_node), tanon_total
    where tanon_suppressed <= {max_suppression} * tanon_rows_of_all
),
{end}
tanon_time_base as materialized (
    select
        {for q in tanon._list(qi) joined by ''}
        [tanon_c.{q:name}[tanon_top.{q:name}]] as {q:name},
        {end}
        tanon_time, tanon_who, count(*) as tanon_singles, count(*) as tanon_rows
    from tanon_coded as tanon_c, tanon_top
    group by all
),
tanon_time_nodes as materialized (
    select
        tanon_place as tanon_node, tanon_place as tanon_g,
        {for q in tanon._list(qi) joined by ', '}0 as {q:name}{end}
    from tanon_times
),
{% set name, groups = "tanon_time_measured", "tanon_time_groups" %}
{% set base, nodes = "tanon_time_base", "tanon_time_nodes" %}
{% include "fragments/hierarchies/nodes_measured.sql" %}
tanon_time_kept as materialized (
    select coalesce(list(tanon_node order by tanon_node), []) as tanon_places
    from tanon_time_measured, tanon_total
    where tanon_suppressed <= {max_suppression} * tanon_rows_of_all
),
tanon_bottom as materialized (
    select
        {for q in tanon._list(qi) joined by ''}
        any_value(tanon_c.{q:name}[{q:face}.tanon_low + 1:]) as {q:name},
        {end}
        list_select(tanon_time, tanon_places) as tanon_time, tanon_who,
        count(*) as tanon_singles, count(*) as tanon_rows
    from tanon_coded as tanon_c, tanon_time_kept
        {for q in tanon._list(qi) joined by ''}, {q:face}{end}
    group by
        {for q in tanon._list(qi) joined by ''}tanon_c.{q:name}[{q:face}.tanon_low + 1], {end}
        list_select(tanon_time, tanon_places), tanon_who
),
tanon_nodes as materialized (
    select
        row_number() over () as tanon_node, tanon_g, tanon_places[tanon_g] as tanon_place,
        {for q in tanon._list(qi) joined by ', '}
        {q:dictionary}.tanon_level - {q:face}.tanon_low as {q:name}
        {end}
    from (
        select unnest(range(1, len(tanon_places) + 1)) as tanon_g, tanon_places
        from tanon_time_kept
    )
    {for q in tanon._list(qi) joined by ''}
    join {q:face} on true
    join (from tanon_levels where tanon_attribute = {q}) as {q:dictionary}
        on {q:dictionary}.tanon_level >= {q:face}.tanon_low
    {end}
),
{% set name, groups = "tanon_lattice", "tanon_lattice_groups" %}
{% set base, nodes = "tanon_bottom", "tanon_nodes" %}
{% include "fragments/hierarchies/nodes_measured.sql" %}
tanon_accepted as materialized (
    select *
    from tanon_nodes join tanon_lattice using (tanon_node), tanon_total
    where tanon_suppressed <= {max_suppression} * tanon_rows_of_all
),
tanon_earlier as (
    select tanon_place as tanon_before, tanon_place as tanon_behind from tanon_times
    {if ts is not null}
    union all
    select a.tanon_place, b.tanon_place
    from tanon_finer join tanon_times as a on tanon_fine = a.tanon_name
    join tanon_times as b on tanon_coarse = b.tanon_name
    {end}
),
tanon_minimal_nodes as (
    from tanon_accepted as n
    where not exists (
        from tanon_accepted as o join tanon_earlier on tanon_before = o.tanon_place
        where tanon_behind = n.tanon_place and o.tanon_node <> n.tanon_node
            {for q in tanon._list(qi) joined by ''} and o.{q:name} <= n.{q:name}{end}
    )
)
