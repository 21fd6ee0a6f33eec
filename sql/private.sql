-- What table macros need to turn their arguments into SQL text: quoting, checking, describing.
-- Created with the public functions, and not for users: their names begin with an underscore.
-- CASE, never if(...): a database file that keeps such a macro is not understood by shell 1.5.

create or replace macro tanon._identifier(x) as '"' || replace(x, '"', '""') || '"';

-- A string literal, or NULL.
create or replace macro tanon._text(x) as
    coalesce('''' || replace(x::varchar, '''', '''''') || '''', 'NULL');

create or replace macro tanon._value(x) as tanon._text(x) || '::' || typeof(x);

create or replace macro tanon._plain(x) as coalesce(x::varchar, 'NULL');

-- A list argument; one text alone counts as a list, NULL as an empty one.
create or replace macro tanon._list(x) as case
    when x is null then []::varchar[]
    when typeof(x) like '%[]' then coalesce(try_cast(x as varchar[]), []::varchar[])
    else [x::varchar] end;

create or replace macro tanon._identifiers(x, prefix) as
    array_to_string(list_transform(tanon._list(x), lambda e: prefix || tanon._identifier(e)), ', ');

create or replace macro tanon._texts(x) as
    '[' || array_to_string(list_transform(tanon._list(x), lambda e: tanon._text(e)), ', ')
    || ']::varchar[]';

-- Text with commas around it, or nothing for nothing.
create or replace macro tanon._with_commas(x, before, behind) as
    case when x = '' then '' else before || x || behind end;

create or replace macro tanon._is_query(x) as regexp_full_match(x, '(?s)\s*\(.*\)\s*');

-- What may stand behind FROM: a query, a file that DuckDB reads by itself, a qualified name.
-- A name is cut at its dots; a part in double quotes is kept whole, dots included.
create or replace macro tanon._relation(x) as case
    when tanon._is_query(x) then x
    when regexp_matches(x, '\.(parquet|csv|tsv|json|jsonl|ndjson|csv\.gz|json\.gz)$')
        then tanon._identifier(x)
    else array_to_string(list_transform(
        regexp_extract_all(trim(x), '"(?:[^"]|"")*"|[^.]+'),
        lambda part: case
            when part[1] = '"' and part[-1] = '"' then part else tanon._identifier(part) end
    ), '.') end;

-- How a message shows what came.
create or replace macro tanon._shown(x) as
    case when typeof(x) = 'VARCHAR' then coalesce('''' || x::varchar || '''', 'NULL')
    else tanon._plain(x) end;

create or replace macro tanon._got(say, x) as say || ', got ' || tanon._shown(x);

-- The checks of arguments: NULL when all is well, else the message that begins with "say".

create or replace macro tanon._wrong_unless(say, x, is_right, optional) as case
    when x is null then case when optional then null else tanon._got(say, x) end
    when is_right then null
    else tanon._got(say, x) end;

create or replace macro tanon._wrong_name(say, x, optional) as tanon._wrong_unless(
    say, x, typeof(x) = 'VARCHAR' and trim(x::varchar) <> '', optional
);

create or replace macro tanon._wrong_names(say, x, may_be_empty, optional) as tanon._wrong_unless(
    say, x,
    (may_be_empty or len(tanon._list(x)) > 0)
    and len(list_distinct(tanon._list(x))) = len(tanon._list(x))
    and not list_contains(tanon._list(x), ''),
    optional
);

create or replace macro tanon._wrong_number(say, x, whole, above, least, most, below, optional) as
tanon._wrong_unless(
    say, x,
    case when whole then regexp_full_match(x::varchar, '[-+]?[0-9]{1,18}')
    else coalesce(isfinite(try_cast(x::varchar as double)), false) end
    and try_cast(x::varchar as double) > above and try_cast(x::varchar as double) >= least
    and try_cast(x::varchar as double) <= most and try_cast(x::varchar as double) < below,
    optional
);

create or replace macro tanon._wrong_choice(say, x, known, optional) as tanon._wrong_unless(
    say, x, list_contains(known, x::varchar), optional
) || '; did you mean '''
|| list_min(list_transform(known, lambda e: (levenshtein(e, x::varchar), e)))[2] || '''?';

-- A column argument that the result repeats may not have the name of a column that it adds.
create or replace macro tanon._wrong_result_name(say, x, added) as case
    when list_has_any(list_transform(tanon._list(x), lambda e: lower(e)), added)
    then tanon._got(say, x) end;

-- The lambda makes DuckDB bind the message once.
create or replace macro tanon._unless(message, text) as list_transform(
    [message], lambda m: case when m is not null then error(m) else text end
)[1];

create or replace macro tanon._is_list_of_positions(x) as
    regexp_full_match(x::varchar, '\[[1-9][0-9]{0,8}(, [1-9][0-9]{0,8})*\]')
    and list_unique(try_cast(x::varchar as integer[])) = len(try_cast(x::varchar as integer[]));

-- As DuckDB compares names: letters of ASCII only.
create or replace macro tanon._folded(x) as
    translate(x, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');

-- The CTEs of a relation argument, as tanon_duck/sources.py describes them. Columns that the
-- relation lacks are added as NULL in no row, so that all binds and the checks can speak.
-- A query is read once; a table can be read again.
create or replace macro tanon._given(cte, source, relation, names, fixed) as concat(
    cte, case when tanon._is_query(source) then ' as materialized (from '
    else ' as not materialized (from ' end, relation,
    tanon._with_commas(array_to_string(list_concat(fixed, list_transform(
        list_sort(list_distinct(list_transform(names, lambda e: tanon._folded(e)))),
        lambda e: 'null as ' || tanon._identifier(e)
    )), ', '), ' union all by name select ', ' where false'),
    ')'
);

-- The text of subqueries that are NULL when all is well with a column, and raise otherwise.
create or replace macro tanon._column_check(say, types, not_null, relation, name, e, column_name) as
concat(
    '(select error(', tanon._text(say || ', got '), ' || case when bool_or(it) then ',
    tanon._text(tanon._shown(column_name) || ' of type '),
    ' || any_value(column_type) filter (it) else ',
    tanon._text(tanon._shown(column_name) || '; did you mean '),
    ' || arg_min(column_name, levenshtein(lower(column_name), lower(', e, '))) || ''?'' end)',
    ' from (select *, lower(column_name) = lower(', e, ') as it from (describe from ', relation,
    ')) having not bool_or(it and regexp_full_match(column_type, ', tanon._text(types), E'))),\n',
    case when not_null <> '' then concat(
        '(select error(', tanon._text(not_null || ' must be free of NULL, got '),
        ' || count(*) || ', tanon._text(' rows with NULL in ' || column_name),
        ') from tanon_given_', name, ' where ', tanon._identifier(column_name),
        ' is null having count(*) > 0',
        ' and ', e, E' in (select column_name from (describe from ', relation, E'))),\n'
    ) else '' end
);

-- "columns" is a list of structs, one for each column argument of the relation.
create or replace macro tanon._checked(name, source, fixed, lacking, taken, columns) as
list_transform([tanon._relation(source)], lambda relation: concat(
    tanon._given(
        'tanon_given_' || name, source, relation,
        flatten(list_transform(columns, lambda a: a['names'])), fixed
    ),
    E',\ntanon_', name, '_is_fine as (select coalesce(',
    replace(lacking || taken, '<relation>', relation),
    array_to_string(list_transform(columns, lambda a: array_to_string(list_transform(
        a['names'], lambda e: tanon._column_check(
            a['say'], a['types'], a['not_null'], relation, name, tanon._text(e), e
        )
    ), '')), ''),
    E'true) as fine),\ntanon_', name, ' as not materialized (from tanon_given_', name,
    ' where (select fine from tanon_', name, '_is_fine))'
))[1];
