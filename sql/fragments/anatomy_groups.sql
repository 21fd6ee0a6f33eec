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
tanon_values as (
    select tanon_sa, row_number() over (order by tanon_sa nulls last) - 1 as tanon_place
    from (select distinct tanon_sa from tanon_numbers)
),
tanon_bits as (
    select ceil(log2(greatest(count(*), 1)))::integer as tanon_bits from tanon_values
),
tanon_keys as materialized (
    select tanon_sa, tanon_place << 62 - tanon_bits as tanon_key
    from tanon_values cross join tanon_bits
    where (select tanon_fine from tanon_eligible)
),
tanon_dealt as (
    select
        tanon_rows.*,
        row_number() over (
            {if partition is not null} partition by {tanon_rows.partition} {end}
            order by tanon_key + (
                hash(*columns(tanon_rows.*), {seed})
                >> (select (tanon_bits + 2)::ubigint from tanon_bits)
            )::bigint
        ) - 1 as tanon_turn
    from {source} as tanon_rows join tanon_keys
        on {tanon_rows.sa} is not distinct from tanon_sa
),
tanon_anatomy as (
    select
        tanon_dealt.* exclude (tanon_turn),
        tanon_first + tanon_turn % tanon_deals + 1 as a_group
    from tanon_dealt join tanon_offsets on true
        {for p in tanon._list(partition) joined by ''}
        and tanon_dealt.{p:name} is not distinct from tanon_offsets.{p:name}{end}
)
