{# The channels tanon_found with items in place of their codes. #}
select
    coalesce(list_select(tanon_values, tanon_channel['base']), []) as base,
    coalesce(list_select(tanon_values, tanon_channel['top']), []) as top,
    tanon_channel['frequency'] as frequency
from tanon_found, tanon_dictionary
