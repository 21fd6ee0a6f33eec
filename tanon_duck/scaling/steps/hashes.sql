-- How many rows have been digested, where their digests lie in shards. For shards alone.
-- Yields: hashes_met
-- Reads: row_hashes

step hashes_met
    select count(*) as tanon_rows from {row_hashes}
end
