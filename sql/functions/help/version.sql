-- Returns the version of the installed tanon functions.
--
-- Returns: VARCHAR
-- For: anybody
-- Example:
--   select tanon.version()

tanon._version()
