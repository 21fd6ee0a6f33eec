with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from "visits"
)
-- sql/functions/hierarchies/hierarchies.sql
from tanon.interval_hierarchy('visits', 'age', widths := [5, 10, 20], top := 90)
 union all
from tanon.prefix_hierarchy('visits', 'zip', lengths := [4, 3])
