-- A release whose sensitive values are perturbed until none fills more than 1/l of a class.
--
-- In each class (one envelope, one word) a value that fills more than 1/l of it keeps
-- floor(rows / l) records; the others get a new value within epsilon of it that the column (or,
-- with avoid := 'class', the class) does not hold yet, between the smallest and the largest value
-- of the column where there is room. Numbers keep their type: whole numbers stay whole. Other types
-- need replacements, a table of what may stand for what.
-- What this does not do: a perturbed value is still close to the true one, so who knows the class
-- knows the value to within epsilon. mode := 'minimal' changes as few records as the definition;
-- where floats are round numbers the changed ones stand out, and rounding undoes them. mode :=
-- 'jitter' moves every value of a class that was not diverse by multiples of the resolution of the
-- repeated values (their greatest common divisor), so that rounding finds nothing.
-- l cannot exceed the smallest class: P of the release.
--
-- What leaves are ranges, word, level, the perturbed column and what is named in keep, sorted.
-- Which of equal rows change, and by how much, is decided by secret. Whether a row was changed
-- leaves with for_owner := true only: with it the change can be undone, as the values that were not
-- changed show what stood there. A kept column that nearly names a person is refused unless in
-- accept.
--
-- One release of one table: a second one, perturbed anew, shows which values are in both and so
-- which are true.
--
-- The result is checked; use tanon.kp_diversity_violations to check it again.
--
-- Memory: about 1 kB per row: the whole column is perturbed at once.
--
-- Arguments:
--   published     relation(low DOUBLE[], high DOUBLE[], pr VARCHAR, level INTEGER)  the release
--   sensitive     column of published as sensitive  the column to perturb
--   l             integer > 1                     no value may fill more than 1/l of a class
--   epsilon       number > 0 = NULL               how far a number may move
--   mode          one of 'minimal', 'jitter' = 'minimal'  what moves: few values or whole classes
--   avoid         one of 'column', 'class' = 'column'     where a new value must be unused
--   replacements  relation(value VARCHAR, replacement VARCHAR) = NULL  what may stand for what
--   keep          columns or none of published as keep = []  what else leaves, as it is
--   accept        columns or none of published = []  those of them that leave although they nearly
--       name a person
--   max_singled_out  number in [0, 1] = 0.05  the share of rows of which such a column may have a
--       value that no other row has
--   for_owner     boolean = false                 whether to add perturbed
--   secret        secret = NULL                   what decides; NULL: that of the process
-- Checks:
--   epsilon  epsilon is not null or replacements is not null  a number > 0
--   keep  not tanon._share_a_name(keep, ['low', 'high', 'pr', 'level', sensitive])  columns apart
--       from low, high, pr, level and sensitive
--   keep  not tanon._share_a_name(keep, 'own_pattern')  columns apart from own_pattern
{% set kept, respondent = "keep", none %}
{% include "arguments/kept_checks.sql" %}
-- Result:
--   low          DOUBLE[]         the ranges: lower ends
--   high         DOUBLE[]         upper ends
--   pr           VARCHAR          the word
--   level        INTEGER          its level
--   {sensitive}  as in published  the sensitive value, perhaps perturbed
--   {keep}       as in published  what was to be kept
--   perturbed    BOOLEAN          (with for_owner) whether it was
-- For: others
-- Promises: check_release(qi := ['low', 'high', 'pr', 'level'], sensitive := $sensitive, l := $l,
--     keep := $keep)
-- Shards: not offered: a release of series, in the hands of its owner, fits one machine
-- Example:
--   from tanon.diversify(
--       '(select * replace (charity // 500 * 500 as charity) from published_incomes)',
--       sensitive := 'charity', l := 2, epsilon := 50
--   ) order by all limit 5

let source = published

step kept_rows
    select *, null as tanon_whose from {published}
end

use kept_people = a_person_each()
use kept_identifiers = no_identifiers()

step diversified materialized
    select
        low, high, pr, level,
        case when tanon_text is null then {n.sensitive}
        else cast_to_type(tanon_text, {n.sensitive}) end as {sensitive}
        {,keep}, tanon_text is not null as perturbed
    from {keyed_rows} as n left join {drawn_values} using (tanon_place)
end

-- An independent check of what is published.
guard result_is_diverse on diversified
    select 'the result must be l-diverse, got ' || count(*) || ' crowded values'
    from (
        select sum(tanon_times) as rows, max(tanon_times) as frequency
        from (
            select low, high, pr, level, {sensitive}, count(*) as tanon_times
            from {diversified} group by all
        )
        group by low, high, pr, level
    )
    where frequency * {l} > rows
    having count(*) > 0
end

select low, high, pr, level, {sensitive} {,keep} {if for_owner} , perturbed {end}
from {diversified}
where {checked result_is_diverse}
order by
    low asc nulls last, high asc nulls last, pr asc nulls last, level asc nulls last,
    {sensitive:ordered} {,keep:ordered}, encode({sensitive:encoded}) asc nulls last,
    encode({keep:encoded}) asc nulls last {if for_owner} , perturbed asc nulls last {end}
