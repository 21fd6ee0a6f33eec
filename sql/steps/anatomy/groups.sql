-- Every row with its group: sorted by value and dealt like cards, per partition. Equal values are
-- dealt in the order of a keyed hash of their rows; one number holds the place of the value and,
-- below it, the 96 bits of the hash, and sorts fastest. Equal rows are numbered, so that each is
-- dealt by itself: neighbours in the deal would show that they share their value. A partition in
-- which a person has several rows is dealt in Python. The function says what `dealt_rows` are, with
-- respondent, tanon_hash and tanon_order, which puts equal rows in order, and `dealing_key`, the
-- tanon_key that made the hash.
-- Yields: anatomy
-- Reads: dealing_key, dealt_rows
-- Takes: source, sensitive, l, partition, respondent

-- Equal rows have equal hashes: as neighbours in an order they would be dealt, or moved, alike,
-- which shows who shares a value. Each copy gets a hash of its own. Hardly any hash comes twice
-- where rows tell people apart, and only those that do are numbered.

-- `rows` have a tanon_hash.
step hashes_that_repeat(rows) materialized
    select tanon_hash from {rows} group by tanon_hash having count(*) > 1
end

-- `key` has the tanon_key of the hashes; `order` says which copy of a row is the first.
step told_apart(rows, repeated, key, order)
    from {rows} anti join {repeated} using (tanon_hash)
    union all
    select * exclude (tanon_copy) replace (
        case when tanon_copy = 1 then tanon_hash else tanon._keyed(
            (select tanon_key from {key}), concat(tanon_copy, ' of ', tanon_hash)
        ) end as tanon_hash)
    from (
        select *, row_number() over (partition by tanon_hash {order}) as tanon_copy
        from {rows} semi join {repeated} using (tanon_hash)
    )
end

step counts_to_deal
    select {partition,} {sensitive} as tanon_sa, count(*) as tanon_n
    from {source}
    group by {partition,} {sensitive}
end

step records_of_persons when respondent is not null
    select {partition,} {respondent} as tanon_who, count(*) as tanon_n
    from {source}
    group by {partition,} {respondent}
end

step levels_of_persons when respondent is not null
    select {partition,} max(tanon_n) as tanon_most
    from {records_of_persons}
    {if partition is not null} group by {partition} {end}
end

step sizes_of_values
    select {partition,} sum(tanon_n)::bigint as tanon_size, max(tanon_n) as tanon_level
    from {counts_to_deal}
    {if partition is not null} group by {partition} {end}
end

step sizes_of_partitions
    select
        tanon_v.*, {if respondent is null}1{else}tanon_most{end} as tanon_most,
        tanon._anatomy_groups(
            tanon_size, {if respondent is null}tanon_level{else}greatest(tanon_level,
                tanon_most){end}, {l}
        ) as tanon_deals
    from {sizes_of_values} as tanon_v
    {if respondent is not null}
    join {levels_of_persons} as tanon_p on true
        {for p in tanon._list(partition) joined by ''}
        and tanon_v.{p:name} is not distinct from tanon_p.{p:name}{end}
    {end}
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
        || arg_min(
            case when tanon_most > tanon_level then tanon_most || ' rows of one person'
                else tanon_level || ' equal values' end, tanon_first)
        || ' among ' || arg_min(tanon_size, tanon_first) || ' rows'
        {if partition is not null} || ' at '
        || arg_min(concat_ws(', ', {for p in tanon._list(partition) joined by ', '}
            coalesce(tanon._value_text({p:name}), 'NULL'){end}), tanon_first)
        {end}
        || ': tanon.publish_stream makes every snapshot of a stream l-eligible'
    from {partition_offsets}
    where tanon._exceeds_share(greatest(tanon_level, tanon_most), tanon_size, {l})
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
order by tanon_order asc nulls last
end

use repeated_deals = hashes_that_repeat(rows = dealt_rows)
use rows_told_apart = told_apart(rows = dealt_rows, repeated = repeated_deals,
    key = dealing_key, order = whichever)

step turns_of_rows
    select
        tanon_row.*,
        row_number() over (
            {if partition is not null} partition by {tanon_row.partition} {end}
            order by tanon_above + tanon_hash asc nulls last
        ) - 1 as tanon_turn
    from {rows_told_apart} as tanon_row join {places_of_values}
        on {tanon_row.sensitive} is not distinct from tanon_sa
end

step turns_kept materialized when respondent is not null
    select tanon_turns.*, tanon_first, tanon_deals, tanon_n
    from {turns_of_rows} as tanon_turns
    join {partition_offsets} as tanon_offsets on true
        {for p in tanon._list(partition) joined by ''}
        and tanon_turns.{p:name} is not distinct from tanon_offsets.{p:name}{end}
    join {records_of_persons} as tanon_persons on {tanon_turns.respondent} = tanon_who
        {for p in tanon._list(partition) joined by ''}
        and tanon_turns.{p:name} is not distinct from tanon_persons.{p:name}{end}
end

-- Of each partition in which a person comes again, all that the deal hangs on. A person is named by
-- the place of their first row.
step rows_of_repeated when respondent is not null
    select
        tanon_first, list({'tanon_turn': tanon_turn, 'tanon_first': tanon_one}) as tanon_rows,
        min(tanon_hash)::varchar as tanon_seed
    from (
        select
            tanon_first, tanon_turn, tanon_hash,
            min(tanon_turn) over (partition by tanon_first, {respondent}) as tanon_one
        from {turns_kept}
        where tanon_n > 1
    )
    group by tanon_first
end

step counts_of_values when respondent is not null
    select
        tanon_first, any_value(tanon_deals) as tanon_deals,
        list(tanon_n::bigint order by tanon_above asc nulls last) as tanon_counts
    from {counts_to_deal} as tanon_counts
    join {partition_offsets} as tanon_offsets on true
        {for p in tanon._list(partition) joined by ''}
        and tanon_counts.{p:name} is not distinct from tanon_offsets.{p:name}{end}
    join {places_of_values} as tanon_places
        on tanon_counts.tanon_sa is not distinct from tanon_places.tanon_sa
    group by tanon_first
end

step dealt_anew when respondent is not null
    select
        tanon_first, unnest(tanon_dealt) as tanon_place,
        generate_subscripts(tanon_dealt, 1) - 1 as tanon_turn
    from (
        select
            tanon_first,
            tanon._answer(
                tanon_deal_records(tanon_seed, tanon_deals, tanon_counts, tanon_rows)
            ) as tanon_dealt
        from {rows_of_repeated} join {counts_of_values} using (tanon_first)
    )
end

step anatomy
    {if respondent is null}
    select
        tanon_turns.* exclude (tanon_turn, tanon_hash, tanon_order),
        tanon_first + tanon_turn % tanon_deals + 1 as a_group
    from {turns_of_rows} as tanon_turns join {partition_offsets} as tanon_offsets on true
        {for p in tanon._list(partition) joined by ''}
        and tanon_turns.{p:name} is not distinct from tanon_offsets.{p:name}{end}
    {else}
    select
        tanon_turns.* exclude (
            tanon_turn, tanon_hash, tanon_order, tanon_first, tanon_deals, tanon_n
        ),
        tanon_turns.tanon_first + coalesce(tanon_place, tanon_turns.tanon_turn % tanon_deals) + 1
            as a_group
    from {turns_kept} as tanon_turns left join {dealt_anew} as tanon_anew
        on tanon_turns.tanon_first = tanon_anew.tanon_first
        and tanon_turns.tanon_turn = tanon_anew.tanon_turn
    {end}
end
