{# Pairs (target, envelope) whose ranges hold the target's known values, with the target's secret.
   Needs tanon_targets, tanon_marked, tanon_envelopes, tanon_positions. A grid over two positions
   makes it a join on equality; sixteen positions are compared as columns, others afterwards. #}
{% set slots = 16 %}
{% set shares = '[0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]' %}
{% macro cells(axis) %}
range(
            len(list_filter({{ axis }}_edges, lambda e: e <= coalesce(low[{{ axis }}], '-inf'))),
            len(list_filter({{ axis }}_edges, lambda e: e <= coalesce(high[{{ axis }}], 'inf'))) + 1
        )
{%- endmacro %}
tanon_slots as (
    select
        list_resize(tanon_known[:{{ slots }}], {{ slots }}, tanon_known[1]) as slots,
        case when len(tanon_known) > {{ slots }} then tanon_known[{{ slots + 1 }}:] end as others,
        tanon_known[-1] as x, tanon_known[(len(tanon_known) + 1) // 2] as y
    from tanon_positions
),
tanon_grid as (
    select
        slots, others, x, y,
        quantile_disc(tanon_values[x], {{ shares }}) as x_edges,
        quantile_disc(tanon_values[y], {{ shares }}) as y_edges
    from tanon_targets, tanon_slots
    group by all
),
tanon_boxes as (
    select
        envelope,
        list_transform(others, lambda i: coalesce(low[i], '-inf')) as lows,
        list_transform(others, lambda i: coalesce(high[i], 'inf')) as highs,
        x_cell, unnest({{ cells('y') }}) as y_cell
{% for s in range(1, slots + 1) %}
        , coalesce(low[slots[{{ s }}]], '-inf') as l{{ s }}
        , coalesce(high[slots[{{ s }}]], 'inf') as h{{ s }}
{% endfor %}
    from (select *, unnest({{ cells('x') }}) as x_cell from tanon_envelopes, tanon_grid)
),
tanon_points as (
    select
        target, secret, list_transform(others, lambda i: tanon_values[i]) as values,
        len(list_filter(x_edges, lambda e: e <= tanon_values[x])) as x_cell,
        len(list_filter(y_edges, lambda e: e <= tanon_values[y])) as y_cell
{% for s in range(1, slots + 1) %}
        , tanon_values[slots[{{ s }}]] as v{{ s }}
{% endfor %}
    from tanon_targets left join tanon_marked using (target), tanon_grid
),
tanon_inside as materialized (
    select target, secret, envelope
    from tanon_points as p join tanon_boxes as b on
        p.x_cell = b.x_cell and p.y_cell = b.y_cell and
{% for s in range(1, slots + 1) %}
        l{{ s }} <= v{{ s }} and h{{ s }} >= v{{ s }}{{ '' if loop.last else ' and' }}
{% endfor %}
    where values is null or list_bool_and(list_transform(
        range(1, len(values) + 1), lambda i: lows[i] <= values[i] and values[i] <= highs[i]))
)
