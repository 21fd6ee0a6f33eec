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
    select preset, rule, checks, unchecked, source, date
    from (values
{% for p in presets() %}
    (
        {{ p.name | literal }},
        {{ p.rule | literal }},
        {{ p.check | calls | literal }},
        {{ p.unchecked | literal }},
        {{ p.source | literal }},
        date '{{ p.date }}'
    ){{ "" if loop.last else "," }}
{% endfor %}
    ) as t (preset, rule, checks, unchecked, source, date)
end

from {listed}
