-- Into how many shards rows go; whoever runs the shards puts another number here.
-- Yields: partitions

step partitions
    select 1 as tanon_partitions
end
