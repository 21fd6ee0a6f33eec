-- The groups of a release that break (k,P)-anonymity; no rows means that it is (k,P)-anonymous.
--
-- Looks only at what is published, as a reader does: rows with the same ranges are one k-group,
-- rows of it with the same word at the same level are one P-group. Each envelope needs k rows, each
-- word in it P rows. A withheld range or letter counts as a value.
--
-- Every other column tells rows apart as well, and counts, unless it is named in sensitive: an id
-- or own_pattern that was left in shows here. So do group numbers that split a class; as
-- tanon.publish_series numbers, by ranges and words alone, they split none.
--
-- Cost: two hash aggregations of the release.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   k          integer > 1   how many rows must share their ranges
--   p          integer >= 1  how many of them must share their word
--   sensitive  columns or none of release as sensitive = []  the sensitive columns, which nobody
--       knows
-- Result:
--   low      DOUBLE[]  the ranges of the group: lower ends
--   high     DOUBLE[]  upper ends
--   word     VARCHAR   the word of the group; NULL where the ranges alone fail
--   level    INTEGER   its level
--   rows     BIGINT    how many rows the group has
--   problem  VARCHAR   what is wrong
-- For: the owner
-- Holds: no rows
-- Example:
--   from tanon.series_violations('published_incomes', k := 13, p := 7,
--       sensitive := 'charity')
--   order by all limit 5

step leaving
    from {release}
end

step undeclared
    select coalesce(' and the same ' || string_agg(
        column_name, ', ' order by column_name asc nulls last
    ), '')
        as tanon_and_more
    from {release:columns}
    where folded not in ('low', 'high', 'word', 'level', 'k_group', 'p_group')
        and not tanon._is_named(folded, {sensitive:text})
end

from {kp_failing}
