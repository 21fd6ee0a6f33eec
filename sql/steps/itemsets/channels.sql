-- Inference channels: what a recipient finds in published itemsets, and what a check must not
-- find; then channels with items in place of their codes.
-- Yields: channels_read, channels_in_items
-- Reads: dictionary, encoded_collection
-- Takes: k, closed

step channels_read
    select unnest(tanon._answer(tanon_read_channels(tanon_collection, {k}::bigint, {closed})))
        as tanon_channel
    from {encoded_collection}
end

piece channels_in_items(channels)
select
    coalesce(list_select(tanon_values, tanon_channel['base']), []) as base,
    coalesce(list_select(tanon_values, tanon_channel['top']), []) as top,
    tanon_channel['frequency'] as frequency
from {channels}, {dictionary}
end
