{# Counts per (snapshot, value) through tanon_reposition, and a check of what comes back. #}
{% include "fragments/snapshot_cells.sql" %},
tanon_values as materialized (
    select tanon_sa, row_number() over (order by tanon_sa nulls last) - 1 as tanon_value
    from (select distinct tanon_sa from tanon_cells)
),
tanon_counts as materialized (
    select tanon_value, tanon_home, tanon_records
    from tanon_cells join tanon_values
        on tanon_cells.tanon_sa is not distinct from tanon_values.tanon_sa
),
tanon_beta as (
    {if beta is null} select null::double[] as tanon_betas
    {else} {if tanon._is_positive(beta)} select [{beta}::double] as tanon_betas
    {else} select if(
            count(*) > count(distinct tanon_value),
            error({function} || ': beta must give one cost for each value of ' || {sa:text}
                || ', got ' || count(*) - count(distinct tanon_value) || ' more'),
            list(coalesce("cost"::double, error({function}
                || ': beta must give a cost for every value of ' || {sa:text}
                || ', got none for ' || coalesce(tanon_sa::varchar, 'NULL')
            )) order by tanon_value)
        ) as tanon_betas
        from tanon_values left join {beta:relation} as tanon_given_beta
            on tanon_given_beta."value" is not distinct from tanon_sa
    {end} {end}
),
tanon_flows as materialized (
    select unnest(tanon_reposition(
        {function},
        (select list({'home': tanon_home, 'value': tanon_value, 'records': tanon_records})
            from tanon_counts),
        tanon_betas,
        {if tanon._is_cost_formula(mu)} null
        {else} (
            select list({'distance': "distance"::bigint, 'cost': "cost"::double})
            from {mu:relation}
        ) {end},
        {l}, {w}, {mu}, {method}, {start}, {late}
    ), recursive := true)
    from tanon_beta
),
tanon_slots as (
    select tanon_slot, tanon_value, sum(tanon_records) as tanon_n
    from tanon_flows where tanon_slot is not null
    group by all
),
tanon_wrong as (
    select 'snapshots that are not l-eligible' as tanon_what
    from tanon_slots
    group by tanon_slot
    having max(tanon_n) * tanon._numerator({l}) > sum(tanon_n) * tanon._denominator({l})
    union all
    select 'records moved backward or beyond the window'
    from tanon_flows where tanon_slot - tanon_home not between 0 and {w} - 1
    union all
    select 'counts that do not add up'
    from (
        select tanon_value, tanon_home, tanon_records from tanon_counts
        union all
        select tanon_value, tanon_home, -tanon_records from tanon_flows
    )
    group by tanon_value, tanon_home
    having sum(tanon_records) <> 0
    {if late = 'covered'}
    union all
    select 'snapshots that do not stay together'
    from tanon_flows
    group by tanon_home
    having count(distinct coalesce(tanon_slot, tanon_home - 1)) > 1
    {end}
),
tanon_checked as (
    select coalesce((
        select error({function} || ': the result must be l-eligible and complete, got '
            || string_agg(distinct tanon_what, ', ') || ': nothing is returned')
        from tanon_wrong having count(*) > 0
    ), true) as tanon_fine
)
