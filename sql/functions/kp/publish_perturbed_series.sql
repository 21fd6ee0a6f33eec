-- Returns a release of series whose sensitive values are perturbed so that each class is l-diverse.
--
-- Pass a release of tanon.publish_series with a sensitive column. In the result no value has more
-- than one l-th of a class. A class is the set of rows with the same ranges and the same word.
-- Columns are the ranges, word, level, the perturbed column and keep. Rows are sorted. l can be at
-- most the size of the smallest class.
--
-- A value that is too frequent stays in floor(rows / l) records of the class. The other records get
-- a new value within epsilon that the column does not contain yet. With avoid := 'class' the new
-- value must only be new in the class. New values lie between the smallest and the largest value of
-- the column if possible. Whole numbers stay whole. Columns of other types need replacements.
-- Values of mode:
--
--   'minimal'  changes as few records as possible. If the true values are rounded, an adversary can
--              recognize the changed ones and round them back.
--   'jitter'   moves every value of a class that was not diverse, by multiples of the resolution of
--              the repeated values. Rounding then finds nothing.
--
-- The function refuses a column of keep that nearly identifies respondents, unless
-- allow_identifying names it. It checks the result before it returns rows. To check again, use
-- tanon.series_diversity_violations.
--
-- The release does not hide approximate values. An adversary who knows the class knows the value to
-- within epsilon. Perturb a release once, because a second result shows which values are in both
-- and therefore true. The secret decides which of several equal rows change. Do not release the
-- column perturbed of for_owner := true, because it lets recipients undo the changes.
--
-- Memory: about 1 kB for each row.
--
-- Arguments:
--   release       relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   sensitive     column of release as sensitive  the column to perturb
--   l             integer > 1                     no value may have more than one l-th of a class
--   epsilon       number > 0 = NULL               the largest change of a number
--   mode          one of 'minimal', 'jitter' = 'minimal'  which values the function changes
--   avoid         one of 'column', 'class' = 'column'     where a new value must not occur
--   replacements  relation(value VARCHAR, replacement VARCHAR) = NULL  the allowed replacements of
--       each value
--   keep          columns or none of release as keep = []  further columns to release unchanged
--   allow_identifying  columns or none of release = []  columns of keep to release although they
--       nearly identify respondents
--   max_singled_out  number in [0, 1] = 0.05  the largest share of rows that may have a unique
--       value in such a column
--   for_owner     boolean = false                 whether to add perturbed, for the owner
--   secret        secret = NULL                   the secret that decides; NULL: the secret of the
--       process
-- Checks:
--   epsilon  epsilon is not null or replacements is not null  a number > 0
--   keep  not tanon._share_a_name(keep, ['low', 'high', 'word', 'level', sensitive])  columns apart
--       from low, high, word, level and sensitive
--   keep  not tanon._share_a_name(keep, 'own_pattern')  columns apart from own_pattern
--   allow_identifying  allow_identifying among keep  columns that keep names
-- Result:
--   low          DOUBLE[]         the lower ends of the ranges
--   high         DOUBLE[]         the upper ends of the ranges
--   word         VARCHAR          the word
--   level        INTEGER          the level of the word
--   {sensitive}  as in release  the sensitive value, possibly perturbed
--   {keep}       as in release  a column of keep
--   perturbed    BOOLEAN          (with for_owner) whether the function changed the value
-- For: others
-- Promises: check_release(qi := ['low', 'high', 'word', 'level'], sensitive := $sensitive, l := $l,
--     keep := $keep)
-- Example:
--   from tanon.publish_perturbed_series(
--       '(select * replace (charity // 500 * 500 as charity) from published_incomes)',
--       sensitive := 'charity', l := 2, epsilon := 50
--   ) order by all limit 5

let source = release

-- New values for those rows of a class that must change: which, and by how much, their keys decide.

-- The rows of a release, each with a key that nobody foresees: it decides all that is drawn.

step numbered_classes
    select low, high, word, level, row_number() over (
        order by low asc nulls last, high asc nulls last, word asc nulls last, level asc nulls last
    ) as tanon_class
    from (select distinct low, high, word, level from {release})
end

step spelt_rows
    select
        p.low, p.high, p.word, p.level, {p.sensitive} {,p.keep}, tanon_class,
        concat(row(p.low, p.high, p.word, p.level)::varchar, {p.sensitive:encoded},
            {p.keep:encoded})
            as tanon_row
    from {release} as p
    join {numbered_classes} as c on
        p.low is not distinct from c.low and p.high is not distinct from c.high
        and p.word is not distinct from c.word and p.level is not distinct from c.level
    where {checked kept_is_fine} and {checked kept_together_is_fine}
end

step key_of_rows
    select tanon._key({secret}, 'tanon.diversify', {sensitive:text}) as tanon_secret
end

step keyed_rows materialized
    select
        * exclude (tanon_row, tanon_secret), row_number() over () as tanon_place,
        tanon._keyed(tanon_secret, concat(
            row_number() over (partition by encode(tanon_row)), ' ', tanon_row
        ))::varchar as tanon_key
    from {spelt_rows}, {key_of_rows}
end

step type_of_values
    select any_value(column_type) as name
    from {release:columns}
    where folded = tanon._folded({sensitive:text})
end

step listed_values
    select
        list(tanon_place order by tanon_place asc nulls last) as places,
        list(tanon_class order by tanon_place asc nulls last) as classes,
        list(tanon_key order by tanon_place asc nulls last) as keys,
        {if replacements is null}
        list(
            try_cast(replace({n.sensitive}::varchar, '.', '') as bigint)
            order by tanon_place asc nulls last
        )
            as steps,
        list(try_cast({n.sensitive} as double) order by tanon_place asc nulls last) as floats
        {else}
        list({n.sensitive}::varchar order by tanon_place asc nulls last) as texts
        {end}
    from {keyed_rows} as n
end

guard values_are_numbers
    select 'sensitive must be a numeric column unless replacements are given, got '
        || {sensitive:text} || ' of type ' || name
    from {type_of_values}
    where not regexp_full_match(
        name, 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*')
end

guard replacements_fit
    select 'replacements must be values of the type of sensitive, got ' || count(*)
        || ' of another type, such as ' || min(replacement::varchar)
    from {replacements}, (select any_value({sensitive}) as tanon_any from {release})
    where replacement is not null
        and try(cast_to_type(
            replacement::varchar, replace_type(tanon_any, null, null::varchar)
        )) is null
    having count(*) > 0
end

step drawn_lists
    {if replacements is null}
    select places, tanon._answer(tanon_diversify(
        classes, steps, floats, keys, name, {l}, {epsilon}, {mode}, {avoid}
    )) as texts
    from {listed_values}, {type_of_values}
    where {checked values_are_numbers}
    {else}
    select places, tanon._answer(tanon_replace_values(classes, texts, keys, {l}, pairs)) as texts
    from {listed_values}, (
        select list({'value': value::varchar, 'replacement': replacement::varchar}) as pairs
        from {replacements}
        where {checked replacements_fit}
    )
    {end}
end

step drawn_values
    select unnest(places) as tanon_place, unnest(texts) as tanon_text from {drawn_lists}
end

step kept_rows
    select *, null as tanon_whose from {release}
end

use kept_people = a_person_each()
use kept_identifiers = no_identifiers()

-- A column that the release lacks has the type NULL here, and nothing can be cast to NULL.
step diversified materialized
    select
        low, high, word, level,
        case when tanon_text is null then {n.sensitive}
        else cast_to_type(tanon_text, replace_type({n.sensitive}, null, null::varchar)) end
            as {sensitive}
        {,keep}, tanon_text is not null as perturbed
    from {keyed_rows} as n left join {drawn_values} using (tanon_place)
end

-- An independent check of what is published.
guard result_is_diverse on diversified
    select 'the result must be l-diverse, got ' || count(*) || ' crowded values'
    from (
        select sum(tanon_times) as rows, max(tanon_times) as frequency
        from (
            select low, high, word, level, {sensitive}, count(*) as tanon_times
            from {diversified} group by all
        )
        group by low, high, word, level
    )
    where frequency * {l} > rows
    having count(*) > 0
end

select low, high, word, level, {sensitive} {,keep} {if for_owner} , perturbed {end}
from {diversified}
where {checked result_is_diverse}
order by
    low asc nulls last, high asc nulls last, word asc nulls last, level asc nulls last,
    {sensitive:ordered} {,keep:ordered}, encode({sensitive:encoded}) asc nulls last,
    encode({keep:encoded}) asc nulls last {if for_owner} , perturbed asc nulls last {end}
