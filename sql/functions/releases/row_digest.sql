-- Returns a digest of a table, which is the same for the same rows in any order.
--
-- Two tables have the same digest only if they have the same columns in the same order and the same
-- rows equally often. Values of different types differ, such as 1 and '1', and so do 0.0 and -0.0.
-- An ENUM counts as text, and a TIMESTAMP WITH TIME ZONE as an instant. Settings of DuckDB do not
-- change the digest. It begins with the version of its rule. For UNION, VARIANT, nested times with
-- time zone and TIMESTAMPTZ_NS, another version of DuckDB may give another digest.
--
-- An adversary who knows a table except for one value can try values until the digest matches. For
-- a table that you do not release, use keyed := true. Only the holder of the secret can compute the
-- digest then.
--
-- Cost: one SHA-256 for each row and one sort. DuckDB spills to disk what does not fit in memory.
--
-- Arguments:
--   source  relation              the table, the view or the query in parentheses
--   only_columns  columns or none = []  the columns to use; none: all columns
--   keyed   boolean = false       whether the digest depends on the secret
--   secret  secret = NULL         the secret; NULL: the secret of the process
-- Checks:
--   secret  secret is null or keyed  omitted unless keyed is true
-- Result:
--   rows    BIGINT   the number of rows
--   digest  VARCHAR  the digest, in hexadecimal digits
-- For: the owner
-- Example:
--   from tanon.row_digest('visits', only_columns := ['admitted', 'diagnosis'])

step digested
    select {if len(tanon._list(only_columns)) = 0} * {else} {only_columns} {end} from {source}
end

step rows_digested
    select count(*) as tanon_rows from {digested}
end

step digest_key materialized
    select tanon._key({if keyed} {secret} {else} null {end}, 'tanon.row_digest', array_to_string(
        list_transform([*columns(*)], lambda c: concat(strlen(c), ':', c)), ''
    )) as tanon_key
    from (
        select tanon._column_written(columns(* exclude (tanon_none)))
        from (select 0 as tanon_none) left join {digested} on false
    )
end

step digested_texts
    select concat(*columns(*)) as tanon_text
    from (select tanon._measured_text(tanon._cell_text(columns(*))) from {digested})
end

step row_hashes
    select tanon_hash, tanon_hash[:3] as tanon_part
    from (
        select sha256((select tanon_key from {digest_key}) || encode(tanon_text)) as tanon_hash
        from {digested_texts}
    )
end

-- Fixed sets of sorted digests: a list of all of them would have to fit memory.
step folded(hashes)
    select tanon_part, sha256(tanon_eight) as tanon_hash
    from (
        select
            tanon_part, row_number() over tanon_order as tanon_place,
            concat(tanon_hash
                {for i in range(1, 8) joined by ''}
                , lead(tanon_hash, {tanon._plain(i)}) over tanon_order{end}
            ) as tanon_eight
        from {hashes}
        window tanon_order as (partition by tanon_part order by tanon_hash asc nulls last)
    )
    where tanon_place % 8 = 1
end

use folded_once = folded(hashes = row_hashes)
use folded_twice = folded(hashes = folded_once)
use folded_thrice = folded(hashes = folded_twice)
use folded_more = folded(hashes = folded_thrice)
use folded_again = folded(hashes = folded_more)
use folded_last = folded(hashes = folded_again)

select
    (select tanon_rows from {rows_digested}) as rows,
    '1:' || sha256(concat(
        hex((select tanon_key from {digest_key})),
        (select string_agg(
            tanon_hash, '' order by tanon_part asc nulls last, tanon_hash asc nulls last
        ) from {folded_last})
    )) as digest
