-- What builders of hierarchies end with. A column that is not there is NULL in every row, so that
-- nothing is left to be read once NULL is left out, and the checks of the source would not run.
-- Yields: refusals, column_values
-- Takes: source, attribute

step column_values materialized
    select distinct tanon._value_text({attribute}) as tanon_value
    from {source}
    where {attribute} is not null
end

piece refusals
union all
select null::varchar, null::integer, null::varchar, null::varchar
where not {source:checked}
end
