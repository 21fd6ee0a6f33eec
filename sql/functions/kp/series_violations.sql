-- Returns the groups of a release of series that violate (k,P)-anonymity.
--
-- No rows means that the release is (k,P)-anonymous. The function uses only the release. Rows with
-- the same ranges are one group and need k rows. Rows of a group with the same word and level are
-- one class and need P rows. A withheld range or letter counts as a value.
--
-- Any column that sensitive does not name counts as known to the adversary. Therefore the function
-- reports a remaining series_id or own_pattern. Group numbers of tanon.publish_series split no
-- class.
--
-- Cost: two hash aggregations of the release.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   k          integer > 1   the fewest rows that share their ranges
--   p          integer >= 1  the fewest of these rows that also share their word
--   sensitive  columns or none of release as sensitive = []  the sensitive columns, which the
--       adversary does not know
-- Result:
--   low      DOUBLE[]  the lower ends of the ranges
--   high     DOUBLE[]  the upper ends of the ranges
--   word     VARCHAR   the word of the class; NULL if the ranges have too few rows
--   level    INTEGER   the level of the word
--   rows     BIGINT    the number of rows
--   problem  VARCHAR   the violated rule
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
