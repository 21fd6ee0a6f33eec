{# Every row with its group: sorted by value and dealt like cards, per partition. Equal values are
   dealt in the order of a keyed hash of their rows; one number holds the place of the value and,
   below it, the 96 bits of the hash, and sorts fastest. Equal rows are numbered, so that each is
   dealt by itself: neighbours in the deal would show that they share their value. Set `dealt` to
   what is dealt of a row of {source}, `written` to its text, `typed` to whose types count. #}
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
tanon_keys as materialized (
    select tanon_sa, tanon_place * 79228162514264337593543950336 as tanon_above
    from tanon_values
    where (select tanon_fine from tanon_eligible)
),
tanon_secret_key as materialized (
    select tanon._key({secret}, {function}, list(column_type order by folded)) as tanon_key
    from tanon_columns_of_source where {{ typed }}
),
tanon_hashed as (
    select
        {{ dealt }},
        tanon._keyed((select tanon_key from tanon_secret_key), {{ written }}) as tanon_hash
    from {source} as tanon_row
),
tanon_numbered as (
    select *, row_number() over (partition by tanon_hash) as tanon_copy from tanon_hashed
),
tanon_dealt as (
    select
        tanon_row.* exclude (tanon_hash, tanon_copy),
        row_number() over (
            {if partition is not null} partition by {tanon_row.partition} {end}
            order by tanon_above + case when tanon_copy = 1 then tanon_hash else tanon._keyed(
                (select tanon_key from tanon_secret_key), concat(tanon_copy, ' of ', tanon_hash)
            ) end
        ) - 1 as tanon_turn
    from tanon_numbered as tanon_row join tanon_keys
        on {tanon_row.sa} is not distinct from tanon_sa
),
tanon_anatomy as (
    select
        tanon_dealt.* exclude (tanon_turn),
        tanon_first + tanon_turn % tanon_deals + 1 as a_group
    from tanon_dealt join tanon_offsets on true
        {for p in tanon._list(partition) joined by ''}
        and tanon_dealt.{p:name} is not distinct from tanon_offsets.{p:name}{end}
)
