-- The rows of the source as they were moved: each with its published snapshot, NULL if suppressed.
-- Only rows of groups that split are ranked, by a keyed hash; whole groups go one way.
-- Yields: moved_rows
-- Reads: flows, flows_are_right, hashes_that_repeat, stream_values, told_apart
-- Takes: source, ts, sa, granularity, secret, keep, for_owner

-- Which of the records of a snapshot and value go where, by their rank.
step shares materialized
    select
        tanon_sa, tanon_home, tanon_records, tanon_loss,
        tanon._snapshot_start((select any_value({ts}) from {source}), tanon_slot, {granularity})
            as tanon_published,
        tanon_slot - tanon_home as tanon_distance,
        dense_rank() over (order by tanon_home, tanon_value) as tanon_group,
        coalesce(sum(tanon_records) over (
            partition by tanon_value, tanon_home order by tanon_slot nulls last
            rows between unbounded preceding and 1 preceding
        ), 0)::bigint as tanon_before
    from {flows} join {stream_values} using (tanon_value)
    where {checked flows_are_right}
end

-- Whole groups go one way; of the others each row gets a rank.
step placed_groups materialized
    select
        tanon_group, any_value(tanon_home) as tanon_home, any_value(tanon_sa) as tanon_sa,
        count(*) = 1 as tanon_whole,
        any_value(tanon_published) as tanon_published,
        any_value(tanon_distance) as tanon_distance,
        any_value(tanon_loss) as tanon_loss
    from {shares}
    group by tanon_group
end

step placed_rows not materialized
    select
        {if for_owner} tanon_row.* {else} {tanon_row.ts}, {tanon_row.sa} {,tanon_row.keep} {end},
        tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss
    from {source} as tanon_row join {placed_groups}
        on tanon._snapshot({tanon_row.ts}, {granularity}) = tanon_home
        and {tanon_row.sa} is not distinct from tanon_sa
end

step key_of_ranks materialized
    select tanon._key({secret}, {function}, list(column_type order by column_type)) as tanon_key
    from {source:columns}
    where tanon._is_named(folded, list_concat([{ts:text}, {sa:text}], {keep:text}))
end

-- Rows are hashed by what is declared; the owner's view tells equal ones apart by all columns.
step rows_to_rank
    select
        * exclude (tanon_whole, tanon_published, tanon_distance, tanon_loss),
        tanon._keyed(
            (select tanon_key from {key_of_ranks}),
            concat({ts:encoded}, {sa:encoded}, {keep:encoded})
        ) as tanon_hash
        {if for_owner}
        , tanon._keyed(
            (select tanon_key from {key_of_ranks}),
            row(*columns(* exclude (
                tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss
            )))::varchar
        )
        {else}, 0 {end} as tanon_hash_of_all
    from {placed_rows}
    where not tanon_whole
end

piece as_the_owner_sees
order by tanon_hash_of_all
end

use repeated_ranks = hashes_that_repeat(rows = rows_to_rank)
use ranks_told_apart = told_apart(rows = rows_to_rank, repeated = repeated_ranks,
    key = key_of_ranks, order = as_the_owner_sees)

step ranked_rows
    select
        * exclude (tanon_hash, tanon_hash_of_all),
        row_number() over (partition by tanon_group order by tanon_hash) as tanon_rank
    from {ranks_told_apart}
end

step moved_rows
    select
        * exclude (tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss),
        tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
    from {placed_rows}
    where tanon_whole
    union all
    select
        tanon_ranked.* exclude (tanon_group, tanon_rank),
        tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
    from {ranked_rows} as tanon_ranked join {shares} as tanon_s
        on tanon_ranked.tanon_group = tanon_s.tanon_group
        and tanon_rank > tanon_before and tanon_rank <= tanon_before + tanon_records
end
