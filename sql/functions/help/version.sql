-- The version of the installed tanon functions.
--
-- Returns: VARCHAR
-- Example:
--   select tanon.version()

{% set own = version %}
'{{ own }}'
