-- Returns the presets of a policy: published rules, and the checks of each.
--
-- A preset checks the figures of a rule on a table. The column unchecked names the rest of the
-- rule. A passed preset is no proof that a release complies.
--
-- Result:
--   preset     VARCHAR  the name
--   rule       VARCHAR  the requirement
--   checks     VARCHAR  the functions of the preset, with the arguments from the rule
--   unchecked  VARCHAR  the requirements that the preset does not check
--   source     VARCHAR  the document of the rule
--   date       DATE     the date of the document, or of its reading if it has none
-- For: anybody
-- Example:
--   from tanon.presets()

step listed
    select unnest(tanon._presets(), recursive := true)
end

select preset, rule, checks, unchecked, source, date
from {listed}
