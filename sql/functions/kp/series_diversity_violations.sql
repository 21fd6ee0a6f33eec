-- The sensitive values that fill more than 1/l of a class; no rows means that all is l-diverse.
--
-- A class is the rows with one envelope and one word: the least an adversary can narrow a person
-- down to. If every class is l-diverse, so is every set of rows that fits some knowledge of values
-- and patterns. NULL counts as a value. Different values may still be close to each other.
--
-- Cost: two hash aggregations; DuckDB spills what does not fit in memory.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   sensitive  column of release as sensitive  the sensitive value
--   l          integer > 1          no value may fill more than 1/l of a class
-- Result:
--   low          DOUBLE[]      the envelope of the class
--   high         DOUBLE[]      the envelope of the class
--   word         VARCHAR       its word
--   level        INTEGER       its level
--   {sensitive}  as in source  the value that is too frequent
--   frequency    BIGINT        rows of the class with this value
--   rows         BIGINT        rows of the class
-- For: the owner
-- Holds: no rows
-- Example:
--   from tanon.series_diversity_violations(
--       '(select * replace (charity // 500 as charity) from published_incomes)',
--       sensitive := 'charity', l := 2
--   ) order by all

step frequent_values
    select low, high, word, level, {sensitive}, count(*) as tanon_frequency
    from {release}
    group by all
end

step classes_with_sizes
    select low, high, word, level, count(*) as tanon_rows from {release} group by all
end

select
    f.low, f.high, f.word, f.level, {f.sensitive}, tanon_frequency as frequency, tanon_rows as rows
from {frequent_values} as f
join {classes_with_sizes} as c on
    f.low is not distinct from c.low and f.high is not distinct from c.high
    and f.word is not distinct from c.word and f.level is not distinct from c.level
where tanon_frequency * {l} > tanon_rows
