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
-- The result is checked; use tanon.kp_diversity_violations to check it again.
--
-- Memory: about 1 kB per row: the whole column is perturbed at once.
--
-- Arguments:
--   published     relation(low DOUBLE[], high DOUBLE[], pr VARCHAR, level INTEGER)  the release
--   sensitive     column of published             the column to perturb
--   l             integer > 1                     no value may fill more than 1/l of a class
--   epsilon       number > 0 = NULL               how far a number may move
--   mode          one of 'minimal', 'jitter' = 'minimal'  what moves: few values or whole classes
--   avoid         one of 'column', 'class' = 'column'     where a new value must be unused
--   replacements  relation(value VARCHAR, replacement VARCHAR) = NULL  what may stand for what
--   seed          integer = 0                     another seed, other new values
-- Checks:
--   epsilon  epsilon is not null or replacements is not null  a number > 0
-- Result:
--   published.*  as in published  the row, its sensitive value perhaps perturbed
--   perturbed    BOOLEAN          whether it was
-- Example:
--   from tanon.diversify(
--       '(select * replace (charity // 500 * 500 as charity) from published_incomes)',
--       sensitive := 'charity', l := 2, epsilon := 50
--   ) order by all

with tanon_numbered as materialized (
    select row_number() over () as tanon_place, hash(p)::ubigint as tanon_key, p.*
    from {published} as p
),
tanon_type as (
    select any_value(column_type) as name
    from tanon_columns_of_published
    where folded = tanon._folded({sensitive:text})
),
tanon_classes as (
    select low, high, pr, level, row_number() over (order by low, high, pr, level) as tanon_class
    from (select distinct low, high, pr, level from {published})
),
tanon_listed as (
    select
        list(tanon_place order by tanon_place) as places,
        list(tanon_class order by tanon_place) as classes,
        list(tanon_key order by tanon_place) as keys,
{if replacements is null}
        list(try_cast(replace({n.sensitive}::varchar, '.', '') as bigint) order by tanon_place)
            as steps,
        list(try_cast({n.sensitive} as double) order by tanon_place) as floats
{else}
        list({n.sensitive}::varchar order by tanon_place) as texts
{end}
    from tanon_numbered as n
    join tanon_classes as c on
        n.low is not distinct from c.low and n.high is not distinct from c.high
        and n.pr is not distinct from c.pr and n.level is not distinct from c.level
),
{if replacements is null}
tanon_drawn as (
    select places, tanon_diversify(
        classes, steps, floats, keys, name, {l}, {epsilon}, {seed}, {mode}, {avoid}
    ) as texts
    from tanon_listed, tanon_type
    where case
        when regexp_full_match(name, 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*')
            then true
        else error(
            {function} || ': sensitive must be a numeric column unless replacements are given, got '
            || {sensitive:text} || ' of type ' || name
        ) end
),
{else}
tanon_drawn as (
    select places, tanon_replace_values(classes, texts, keys, {l}, pairs) as texts
    from tanon_listed, (
        select list({'value': value::varchar, 'replacement': replacement::varchar}) as pairs
        from {replacements}
    )
),
{end}
tanon_new as (select unnest(places) as tanon_place, unnest(texts) as tanon_text from tanon_drawn),
tanon_result as materialized (
    select
        n.* exclude (tanon_key) replace (
            case when tanon_text is null then {n.sensitive}
            else cast_to_type(tanon_text, {n.sensitive}) end
                as {sensitive}
        ),
        tanon_text is not null as perturbed
    from tanon_numbered as n left join tanon_new using (tanon_place)
),
{% include "fragments/is_diverse.sql" %}
select r.* exclude (tanon_place)
from tanon_result as r
where (select fine from tanon_is_diverse)
order by tanon_place
