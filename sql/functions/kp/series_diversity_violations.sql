-- Returns the sensitive values that have more than one l-th of a class.
--
-- No rows means that the release is l-diverse. A class is the set of rows with the same ranges and
-- the same word. If every class is l-diverse, so is every set of rows that matches some knowledge
-- of readings and shape. NULL counts as a value. Different values can still be close to each other.
--
-- Cost: two hash aggregations. DuckDB spills to disk what does not fit in memory.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   sensitive  column of release as sensitive  the sensitive value
--   l          integer > 1          no value may have more than one l-th of a class
-- Result:
--   low          DOUBLE[]      the lower ends of the ranges of the class
--   high         DOUBLE[]      the upper ends of the ranges of the class
--   word         VARCHAR       the word of the class
--   level        INTEGER       the level of the word
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
