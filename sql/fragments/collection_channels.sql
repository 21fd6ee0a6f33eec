{# What a recipient finds in published itemsets, and what a check must not find. #}
with {% include "fragments/collection.sql" %},
tanon_found as (
    select unnest(tanon_read_channels(tanon_collection, {k}::bigint, {closed})) as tanon_channel
    from tanon_encoded
)
{% include "fragments/channels_in_items.sql" %}
