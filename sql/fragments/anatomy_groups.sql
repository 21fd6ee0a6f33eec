{# Every row with its group: sorted by value and dealt like cards, per partition. One number holds
   the place of the value and, below it, the hash that orders equal values: it sorts fastest. #}
tanon_numbers as (
    select {partition,} {sa} as tanon_sa, count(*) as tanon_n from {source} group by all
),
tanon_partitions as materialized (
    select
        {partition,}
        sum(tanon_n)::bigint as tanon_size,
        max(tanon_n) as tanon_level,
        tanon._anatomy_groups(sum(tanon_n), max(tanon_n), {l}) as tanon_deals
    from tanon_numbers
    {if partition is not null} group by {partition} {end}
),
tanon_offsets as materialized (
    select
        *,
        coalesce(sum(tanon_deals) over (
            {if partition is not null} order by {partition} {end}
            rows between unbounded preceding and 1 preceding
        ), 0)::bigint as tanon_first
    from tanon_partitions
),
tanon_eligible as (
    select coalesce((
        select error({function} || ': every partition must be l-eligible for l = ' || {l}
            || ', got ' || count(*) || ' that are not, the first with '
            || arg_min(tanon_level, tanon_first)
            || ' equal values among ' || arg_min(tanon_size, tanon_first) || ' rows'
            {if partition is not null} || ' at '
            || arg_min(concat_ws(', ', {for p in tanon._list(partition) joined by ', '}
                coalesce({p:name}::varchar, 'NULL'){end}), tanon_first)
            {end}
            || ': tanon.reposition makes every snapshot of a stream l-eligible')
        from tanon_offsets
        where tanon_level * tanon._numerator({l}) > tanon_size * tanon._denominator({l})
        having count(*) > 0
    ), true) as tanon_fine
),
tanon_bits as (
    select ceil(log2(greatest(max(tanon_values), 1)))::ubigint as tanon_bits
    from (
        select count(*) as tanon_values from tanon_numbers
        {if partition is not null} group by {partition} {end}
    )
),
tanon_cells as materialized (
    select
        * exclude (tanon_place, tanon_bits),
        tanon_place << 62 - tanon_bits::integer as tanon_key
    from (
        select
            {tanon_numbers.partition,} tanon_sa, tanon_deals, tanon_first,
            row_number() over (
                {if partition is not null} partition by {tanon_numbers.partition} {end}
                order by tanon_sa nulls last
            ) - 1 as tanon_place
        from tanon_numbers join tanon_offsets on true
            {for p in tanon._list(partition) joined by ''}
            and tanon_numbers.{p:name} is not distinct from tanon_offsets.{p:name}{end}
        where (select tanon_fine from tanon_eligible)
    ) cross join tanon_bits
),
tanon_dealt as (
    select
        tanon_rows.*, tanon_deals, tanon_first,
        row_number() over (
            {if partition is not null} partition by {tanon_rows.partition} {end}
            order by tanon_key + (
                hash(*columns(tanon_rows.*), {seed}) >> (select tanon_bits + 2 from tanon_bits)
            )::bigint
        ) - 1 as tanon_turn
    from {source} as tanon_rows join tanon_cells
        on {tanon_rows.sa} is not distinct from tanon_sa
        {for p in tanon._list(partition) joined by ''}
        and tanon_rows.{p:name} is not distinct from tanon_cells.{p:name}{end}
),
tanon_anatomy as (
    select
        * exclude (tanon_deals, tanon_first, tanon_turn),
        tanon_first + tanon_turn % tanon_deals + 1 as a_group
    from tanon_dealt
)
