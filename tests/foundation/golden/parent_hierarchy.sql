with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "diagnosis" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.parent_hierarchy: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (0, 'diagnosis', 'diagnosis', 'tanon.parent_hierarchy: attribute must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- the argument parents: tanon_duck/macros/source_ctes.py
tanon_given_parents as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select distinct diagnosis as child, left(diagnosis::text, 1) as letter
        from visits))
    union all by name select null as "child", null as "letter" where false
),
-- the argument parents: tanon_duck/macros/source_ctes.py
tanon_columns_of_parents as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.parent_hierarchy: parents must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select distinct diagnosis as child, left(diagnosis::text, 1) as letter
        from visits))
),
-- the argument parents: tanon_duck/macros/source_ctes.py
tanon_parents_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_parents, (values
                (0, 'child', 'child', 'tanon.parent_hierarchy: child must be a column of parents', '', ''),
                (1000001, 'letter', 'letter', 'tanon.parent_hierarchy: levels must be columns of parents, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.parent_hierarchy: child must be free of NULL, got ' || count(*) || ' rows with NULL in child'
        from tanon_given_parents where "child" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument parents: tanon_duck/macros/source_ctes.py
tanon_parents as not materialized (
    from tanon_given_parents where (select fine from tanon_parents_is_fine)
),
-- sql/steps/hierarchies/built.sql
tanon_column_values as materialized (
    select distinct tanon._value_text("diagnosis") as tanon_value
    from tanon_source
    where "diagnosis" is not null
),
-- sql/functions/hierarchies/parent_hierarchy.sql
tanon_parents_by_level as materialized (
    select distinct
        tanon._value_text("child") as tanon_value, tanon_level,
        tanon_parents[tanon_level] as tanon_parent,
        tanon_parents[tanon_level + 1] as tanon_next
    from (
        select "child", [
            tanon._value_text("letter")
        ] as tanon_parents
        from tanon_parents
        where tanon._value_text("child") in (select tanon_value from tanon_column_values)
    ), (select unnest(range(1, len(['letter']::varchar[]) + 1)) as tanon_level)
),
-- sql/functions/hierarchies/parent_hierarchy.sql
tanon_every_value_has_a_parent as (
select coalesce(error('tanon.parent_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'parents must hold every value, got ' || count(*) || ' missing values, such as '
        || min(tanon_value)
    from tanon_column_values
    where tanon_value not in (select tanon_value from tanon_parents_by_level)
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/hierarchies/parent_hierarchy.sql
tanon_parents_are_there as (
select coalesce(error('tanon.parent_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'parents must be free of NULL, got ' || tanon_value || ' without a parent in '
        || (['letter']::varchar[])[tanon_level]
    from tanon_parents_by_level
    where tanon_parent is null
    order by tanon_value asc nulls last
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/functions/hierarchies/parent_hierarchy.sql
tanon_parents_are_one as (
select coalesce(error('tanon.parent_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'parents must be one for each value, got several in ' || (['letter']::varchar[])[tanon_level]
        || ' for ' || tanon_value
    from tanon_parents_by_level
    group by tanon_value, tanon_level
    having count(distinct tanon_parent) > 1
    order by tanon_value asc nulls last
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/functions/hierarchies/parent_hierarchy.sql
tanon_parents_are_nested as (
select coalesce(error('tanon.parent_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'levels must be nested, got ' || tanon_parent || ' of '
        || (['letter']::varchar[])[tanon_level] || ' in more than one of '
        || (['letter']::varchar[])[tanon_level + 1]
    from tanon_parents_by_level
    group by tanon_level, tanon_parent
    having count(distinct tanon_next) > 1
    order by tanon_level asc nulls last, tanon_parent asc nulls last
    limit 1
) as tanon_messages(tanon_message)
)
-- sql/functions/hierarchies/parent_hierarchy.sql
select
    'diagnosis' as attribute, tanon_level::integer as level, tanon_value as value,
    tanon_parent as generalized
from tanon_parents_by_level
where (select tanon_fine from tanon_every_value_has_a_parent) and (select tanon_fine from tanon_parents_are_there)
    and (select tanon_fine from tanon_parents_are_one) and (select tanon_fine from tanon_parents_are_nested)
union all
select 'diagnosis', len(['letter']::varchar[])::integer + 1, tanon_value, '*'
from tanon_column_values
union all
select null::varchar, null::integer, null::varchar, null::varchar
where not (select fine from tanon_source_is_fine)
    or not (select fine from tanon_parents_is_fine) or not (select tanon_fine from tanon_every_value_has_a_parent)
