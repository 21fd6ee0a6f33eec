{# {{ search }}: one node of {{ start }} after the other, until each is at or above one that passes
   or at or below one that fails; tanon_ok tells which of the two a measured one did. The next is
   the one that splits the rest best, or, where the search climbs, one at the bottom, and
   ever further up as long as nodes fail. #}
{{ search }} as (
    select
        tanon_node, tanon_mask, tanon_witness, tanon_climbs, 0 as tanon_misses,
        null::boolean as tanon_ok,
        null::bigint as tanon_m, null::bigint as tanon_s, null::bigint as tanon_groups,
        null::bigint as tanon_suppressed, null::hugeint as tanon_squares
    from {{ start }}
    union all
    (
        with tanon_open as materialized (from {{ search }} where tanon_ok is null),
        tanon_pick as materialized (
            select p.tanon_node, p.tanon_mask, p.tanon_witness
            from (
                from tanon_open
                order by
                    case when tanon_climbs and tanon_misses < 6 then bit_count(tanon_mask) end,
                    hash(tanon_node), tanon_node
                limit 24
            ) as p, tanon_open as o
            group by all
            order by
                least(
                    count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask),
                    count(*) filter (p.tanon_mask & o.tanon_mask = o.tanon_mask),
                    case when any_value(p.tanon_climbs) then 2 ** any_value(p.tanon_misses) end
                ) desc,
                count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask) desc,
                p.tanon_node
            limit 1
        ),
        {% set chosen, aims, name = "tanon_pick", "tanon_aim", "tanon_found_out" %}
        {% include "fragments/hierarchies/aim.sql" %},
        {% if asked %}
        tanon_heard as materialized (
            from {{ asked }} where tanon_witness = (select tanon_witness from tanon_pick)
        ),
        {% endif %}
        {% include "fragments/hierarchies/measured.sql" %},
        tanon_verdict as materialized (
            select
                p.tanon_node as tanon_at, p.tanon_mask as tanon_of,
                coalesce(tanon_suppressed, 0) <= {max_suppression} * tanon_rows_of_all as tanon_ok,
                {{ name }}.* exclude (tanon_node)
            from tanon_pick as p left join {{ name }} using (tanon_node), tanon_total
        )
        select
            o.tanon_node, o.tanon_mask, o.tanon_witness, o.tanon_climbs,
            case when v.tanon_ok then 0 else least(o.tanon_misses + 1, 40) end,
            case when o.tanon_node = tanon_at then v.tanon_ok end,
            v.* exclude (tanon_at, tanon_of, tanon_ok)
        from tanon_open as o, tanon_verdict as v
        where o.tanon_node = tanon_at or case
            when v.tanon_ok then o.tanon_mask & tanon_of <> tanon_of
            else o.tanon_mask & tanon_of <> o.tanon_mask end
    )
)
