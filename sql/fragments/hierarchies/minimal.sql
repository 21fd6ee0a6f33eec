{# First the nodes are asked of their witnesses: what fails there fails, and so does all below. Of
   those that are left the lowest are measured on all rows together, as most of them pass. Where
   some fail, or there are no witnesses, a search on all rows goes on from there. #}
{% set search, start = "tanon_hearing", "tanon_heard_of" %}
{% set asked, rows = "tanon_testimonies", "tanon_heard" %}
tanon_heard_of as (select *, false as tanon_climbs from tanon_nodes where tanon_witness > 0),
{% include "fragments/hierarchies/search.sql" %},
tanon_survivors as materialized (
    from tanon_nodes as n
    where not exists (
        from tanon_hearing as h
        where not h.tanon_ok and n.tanon_mask & h.tanon_mask = n.tanon_mask
    )
),
tanon_lowest as materialized (
    from tanon_survivors as n
    where tanon_witness > 0 and not exists (
        from tanon_survivors as o
        where o.tanon_node <> n.tanon_node and o.tanon_mask & n.tanon_mask = o.tanon_mask
    )
    order by bit_count(tanon_mask), tanon_node
    limit 16
),
{% set chosen, aims, name = "tanon_lowest", "tanon_targets", "tanon_hits" %}
{% set rows = "tanon_base" %}
{% include "fragments/hierarchies/aim.sql" %},
{% include "fragments/hierarchies/measured.sql" %},
tanon_first as materialized (
    select
        tanon_node, tanon_mask, tanon_hits.* exclude (tanon_node),
        coalesce(tanon_suppressed, 0) <= {max_suppression} * tanon_rows_of_all as tanon_ok
    from tanon_lowest left join tanon_hits using (tanon_node), tanon_total
),
tanon_rest as materialized (
    select *, (select count(*) > 0 from tanon_witnesses) as tanon_climbs
    from tanon_survivors as n
    where not exists (
        from tanon_first as f
        where n.tanon_mask & f.tanon_mask = case when f.tanon_ok
            then f.tanon_mask else n.tanon_mask end
    )
),
{% set search, start, asked = "tanon_search", "tanon_rest", none %}
{% include "fragments/hierarchies/search.sql" %},
tanon_accepted as materialized (
    from tanon_first where tanon_ok
    union all by name
    select * exclude (tanon_misses, tanon_witness, tanon_climbs) from tanon_search where tanon_ok
),
tanon_minimal_nodes as (
    from tanon_accepted as n
    where not exists (
        from tanon_accepted as o
        where o.tanon_node <> n.tanon_node and o.tanon_mask & n.tanon_mask = o.tanon_mask
    )
)
