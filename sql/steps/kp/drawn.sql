-- New values for those rows of a class that must change: which, and by how much, their keys decide.
-- Yields: drawn_values
-- Reads: keyed_rows
-- Takes: published, sensitive, l, epsilon, mode, avoid, replacements

step type_of_values
    select any_value(column_type) as name
    from {published:columns}
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
    from {replacements}, (select any_value({sensitive}) as tanon_any from {published})
    where replacement is not null
        and try(cast_to_type(replacement::varchar, tanon_any)) is null
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
