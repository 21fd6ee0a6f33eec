with tanon_call as (
select true
),
-- sql/functions/help/presets.sql
tanon_listed as (
    select unnest(tanon._presets(), recursive := true)
)
-- sql/functions/help/presets.sql
select preset, rule, checks, unchecked, source, date
from tanon_listed
