-- Every row with its group: sorted by value and dealt like cards, per partition. Equal values are
-- dealt in the order of a keyed hash of their rows; one number holds the place of the value and,
-- below it, the 96 bits of the hash, and sorts fastest. Equal rows are numbered, so that each is
-- dealt by itself: neighbours in the deal would show that they share their value. The function
-- says what `dealt_rows` are, with tanon_hash, and `dealing_key`, the tanon_key that made it.
-- Yields: anatomy
-- Reads: dealing_key, dealt_rows, hashes_that_repeat, told_apart
-- Takes: source, sa, l, partition
-- Merges: sum counts_to_deal.tanon_n

step counts_to_deal
    select {partition,} {sa} as tanon_sa, count(*) as tanon_n
    from {source}
    group by {partition,} {sa}
end

step sizes_of_partitions
    select
        {partition,}
        sum(tanon_n)::bigint as tanon_size,
        max(tanon_n) as tanon_level,
        tanon._anatomy_groups(sum(tanon_n), max(tanon_n), {l}) as tanon_deals
    from {counts_to_deal}
    {if partition is not null} group by {partition} {end}
end

step partition_offsets materialized
    select
        *,
        coalesce(sum(tanon_deals) over (
            {if partition is not null} order by {partition:ordered} {end}
            rows between unbounded preceding and 1 preceding
        ), 0)::bigint as tanon_first
    from {sizes_of_partitions}
end

guard partitions_are_eligible on places_of_values
    select 'every partition must be l-eligible for l = ' || {l}
        || ', got ' || count(*) || ' that are not, the first with '
        || arg_min(tanon_level, tanon_first)
        || ' equal values among ' || arg_min(tanon_size, tanon_first) || ' rows'
        {if partition is not null} || ' at '
        || arg_min(concat_ws(', ', {for p in tanon._list(partition) joined by ', '}
            coalesce({p:name}::varchar, 'NULL'){end}), tanon_first)
        {end}
        || ': tanon.reposition makes every snapshot of a stream l-eligible'
    from {partition_offsets}
    where tanon_level * tanon._numerator({l}) > tanon_size * tanon._denominator({l})
    having count(*) > 0
end

step places_of_values materialized
    select
        tanon_sa,
        (row_number() over (order by tanon_sa asc nulls last) - 1) * 79228162514264337593543950336
            as tanon_above
    from (select distinct tanon_sa from {counts_to_deal})
    where {checked partitions_are_eligible}
end

piece whichever
order by tanon_hash asc nulls last
end

use repeated_deals = hashes_that_repeat(rows = dealt_rows)
use rows_told_apart = told_apart(rows = dealt_rows, repeated = repeated_deals,
    key = dealing_key, order = whichever)

step turns_of_rows
    select
        tanon_row.* exclude (tanon_hash),
        row_number() over (
            {if partition is not null} partition by {tanon_row.partition} {end}
            order by tanon_above + tanon_hash asc nulls last
        ) - 1 as tanon_turn
    from {rows_told_apart} as tanon_row join {places_of_values}
        on {tanon_row.sa} is not distinct from tanon_sa
end

step anatomy
    select
        tanon_turns.* exclude (tanon_turn),
        tanon_first + tanon_turn % tanon_deals + 1 as a_group
    from {turns_of_rows} as tanon_turns join {partition_offsets} as tanon_offsets on true
        {for p in tanon._list(partition) joined by ''}
        and tanon_turns.{p:name} is not distinct from tanon_offsets.{p:name}{end}
end
