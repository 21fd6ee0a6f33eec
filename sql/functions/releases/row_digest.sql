-- A digest of the rows of a table: the same for the same rows, in whatever order they stand.
--
-- SHA-256 over each row, with names and types of columns in front, then over the sorted digests in
-- sets of eight, six times, and over what is left. Two tables have one digest only if they have the
-- same columns in the same order and the same rows equally often. 1 and '1' are two rows, 0.0 and
-- -0.0 as well. An ENUM counts as text. A TIMESTAMP WITH TIME ZONE counts as an instant. No setting
-- of DuckDB changes the digest. It begins with the number of this rule. UNION, VARIANT, nested
-- times with time zone and TIMESTAMPTZ_NS count by DuckDB's sort key: another version of DuckDB may
-- give another digest for them.
--
-- Whoever has a digest can try tables until one has it: of a table of which everything is known
-- but one value, it gives the value away. keyed := true gives a digest that only the holder of the
-- secret can compute: for sources, and for all else that does not leave.
--
-- Cost: one SHA-256 and one sort of all rows; DuckDB spills what does not fit in memory.
--
-- Arguments:
--   source  relation              the table, the view or the query in parentheses
--   only_columns  columns or none = []  the columns that count; none: all
--   keyed   boolean = false       whether the secret is part of it
--   secret  secret = NULL         what keys it; NULL: the one that the process holds
-- Checks:
--   secret  secret is null or keyed  left out unless keyed
-- Result:
--   rows    BIGINT   how many there are
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
