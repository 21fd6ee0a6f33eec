-- The rules of others that a policy may name, and what is run for each.
--
-- A preset checks the figures of a rule on a table, and unchecked says what it does not look at: it
-- is no claim that a release complies.
--
-- Result:
--   preset     VARCHAR  its name
--   rule       VARCHAR  what is asked
--   checks     VARCHAR  the functions that are run, with the arguments that the rule gives
--   unchecked  VARCHAR  what the rule asks besides
--   source     VARCHAR  where it was read
--   date       DATE     the day of that version or, where it tells none, of the reading
-- For: anybody
-- Example:
--   from tanon.presets()

step listed
    select unnest(tanon._presets(), recursive := true)
end

select preset, rule, checks, unchecked, source, date
from {listed}
