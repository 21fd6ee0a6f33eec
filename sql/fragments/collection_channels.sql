{# What a recipient finds in published itemsets, and what a check must not find. #}
with {% include "fragments/collection.sql" %},
tanon_found as (
    select unnest(tanon_read_channels(tanon_collection, {k}::bigint, {closed})) as tanon_channel
    from tanon_encoded
)
select
    coalesce(list_select(tanon_values, tanon_channel['base']), []) as base,
    coalesce(list_select(tanon_values, tanon_channel['top']), []) as top,
    tanon_channel['frequency'] as frequency
from tanon_found, tanon_dictionary
