-- What table macros need to turn their arguments into SQL text: quoting, checking, describing.
-- Created with the public functions, and not for users: their names begin with an underscore.
-- CASE, never if(...): a database file that keeps such a macro is not understood by shell 1.5.

create or replace macro tanon._identifier(x) as '"' || replace(x, '"', '""') || '"';

-- What equal values are told apart by where they are written: 0 and -0, 30 days and a month, and
-- texts of a collation.
create or replace macro tanon._spelling(x) as case
    when regexp_matches(typeof(x), '^VARCHAR$|FLOAT|DOUBLE|INTERVAL') then encode(x::varchar) end;

-- Whether a type, as DESCRIBE writes it, is a VARIANT or holds one; between quotes stand names of
-- fields and labels of an ENUM. Each value of a VARIANT has a type of its own, and DuckDB takes 1
-- and 1.0 for equal, which are written differently: columns that an argument names are refused.
create or replace macro tanon._holds_variant(type) as {holds_variant};

-- A total order of what leaves, and what tells apart whatever is written differently: texts by
-- their bytes, whatever their collation; values of one spelling by themselves, others by themselves
-- and then by their spelling. One key a column: even one that is always NULL costs a sort or a
-- grouping as much as the column. What a value sorts by stands for it: DuckDB 2.0 crashes where it
-- moves a STRUCT that holds an ARRAY.
create or replace macro tanon._order_key
    (x varchar) as x collate C, (x boolean) as x, (x tinyint) as x, (x smallint) as x,
    (x integer) as x, (x bigint) as x, (x ubigint) as x, (x hugeint) as x, (x date) as x,
    (x time) as x, (x timestamp) as x, (x timestamp_s) as x, (x timestamp_ms) as x,
    (x timestamp_ns) as x, (x timestamptz) as x, (x uuid) as x,
    (x interval) as row(x, tanon._spelling(x)),
    (x variant) as row(create_sort_key(x, 'ASC NULLS LAST')),
    (x) as row(create_sort_key(x, 'ASC NULLS LAST'), tanon._spelling(x));

-- What a Python function answers, or the error with what it refuses. It hands the message over, as
-- DuckDB puts words of its own before an exception of Python. The list keeps it from being called
-- twice. No operator stands in it: it runs before it is known that operators are DuckDB's.
create or replace macro tanon._answer(x) as list_extract(list_transform([x], lambda told:
    case when struct_extract(told, 'refused') is null then struct_extract(told, 'answer')
    else error(struct_extract(told, 'refused')) end), 1);

-- A string literal, or NULL. By its full name, || needs no proof that it is DuckDB's own.
create or replace macro tanon._text(x) as coalesce(system.main."||"(
    system.main."||"('''', replace(x::varchar, '''', '''''')), ''''), 'NULL');

create or replace macro tanon._value(x) as concat(tanon._text(x), '::', typeof(x));

create or replace macro tanon._plain(x) as coalesce(x::varchar, 'NULL');

-- A list argument; one text alone counts as a list, NULL as an empty one.
create or replace macro tanon._list(x) as case
    when x is null then []::varchar[]
    when typeof(x) like '%[]' then coalesce(try_cast(x as varchar[]), []::varchar[])
    else [x::varchar] end;

-- As DuckDB compares names: letters of ASCII only.
create or replace macro tanon._folded(x) as
    translate(x::varchar, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');

create or replace macro tanon._share_a_name(x, others) as list_has_any(
    list_transform(tanon._list(x), lambda e: tanon._folded(e)),
    list_transform(tanon._list(others), lambda e: tanon._folded(e)));

create or replace macro tanon._identifiers(x, prefix) as
    array_to_string(list_transform(tanon._list(x), lambda e: prefix || tanon._identifier(e)), ', ');

create or replace macro tanon._ordered(x, prefix) as array_to_string(list_transform(tanon._list(x),
    lambda e: prefix || tanon._identifier(e) || ' asc nulls last'), ', ');

create or replace macro tanon._column(x, prefix) as
    coalesce(prefix || '"' || replace(x::varchar, '"', '""') || '"', '');

create or replace macro tanon._texts(x) as
    '[' || array_to_string(list_transform(tanon._list(x), lambda e: tanon._text(e)), ', ')
    || ']::varchar[]';

-- A struct or a map of names and texts.
create or replace macro tanon._entries(x) as coalesce(
    map_entries(try_cast(x as MAP(varchar, varchar))), []);

create or replace macro tanon._map_text(x) as case when x is null then 'NULL' else concat('map {',
    array_to_string(list_transform(tanon._entries(x), lambda e:
        concat(tanon._text(e['key']), ': ', tanon._text(e['value']))), ', '),
    '}::map(varchar, varchar)') end;

-- Text with commas around it, or nothing for nothing.
create or replace macro tanon._with_commas(x, before, behind) as
    coalesce(before || nullif(x, '') || behind, '');

create or replace macro tanon._is_query(x) as
    regexp_full_match(x::varchar, '(?s)\s*\(.*\)\s*');

-- A query that stands without parentheses, or a call of a function that gives rows.
create or replace macro tanon._is_bare_query(x) as regexp_matches(x,
    '(?is)^\s*(select\s|from\s|with\s.*\sas\s|values\s*\(|(un)?pivot\s)');

create or replace macro tanon._is_bare_call(x) as
    regexp_full_match(x, '(?s)\s*[A-Za-z_][\w.]*\(.*\)');

-- Whether a relation is more than a name: its text may hold values of the data.
create or replace macro tanon._may_be_query(x) as tanon._is_query(x) or tanon._is_bare_query(x)
    or tanon._is_bare_call(x) or ltrim(x)[1] = '(';

-- What may stand behind FROM: a query, a file that DuckDB reads by itself, a qualified name. A
-- query may lack its parentheses or have an alias behind them; a line break ends a comment in it.
-- A name is cut at its dots; a part in double quotes is kept whole, dots included.
create or replace macro tanon._relation_text(x) as case
    when tanon._is_query(x) then x
    when tanon._is_bare_query(x) then concat('(', x, chr(10), ')')
    when ltrim(x)[1] = '(' or tanon._is_bare_call(x) then concat('(from ', x, chr(10), ')')
    when regexp_matches(x, '\.(parquet|((csv|tsv|json|jsonl|ndjson)(\.gz|\.zst)?))$')
        then tanon._identifier(x)
    else array_to_string(list_transform(
        regexp_extract_all(trim(x::varchar), '"(?:[^"]|"")*"|[^.]+'),
        lambda part: case
            when part[1] = '"' and part[-1] = '"' then part else tanon._identifier(part) end
    ), '.') end;

-- The same without what ends a statement, which other tools leave behind a query.
create or replace macro tanon._relation(x) as tanon._relation_text(
    regexp_replace(x::varchar, '\s*;[\s;]*$', ''));

-- How a message shows what came.
create or replace macro tanon._shown(x) as
    case when typeof(x) = 'VARCHAR' then coalesce('''' || x::varchar || '''', 'NULL')
    else tanon._plain(x) end;

-- A name with one equals sign is a comparison for DuckDB, and what comes is its truth.
create or replace macro tanon._got(say, x) as say || ', got ' || coalesce(tanon._shown(x), 'NULL')
    || case when typeof(x) = 'BOOLEAN' then '; arguments are named by :=, not by =' else '' end;

-- Numbers as they came, texts that are none among them: those have been refused before.
create or replace macro tanon._at_least(x, y) as
    try_cast(x::varchar as double) >= try_cast(y::varchar as double);

-- The checks of arguments: NULL when all is well, else the message that begins with "say".

create or replace macro tanon._wrong_unless(say, x, is_right, optional) as
    case when case when x is null then optional else is_right end is not true
    then tanon._got(say, x) end;

-- A share is written with a decimal point or an exponent: 1 is a count, 1.0 is all of them.
create or replace macro tanon._is_count_or_share(x) as coalesce(case
    when regexp_matches(x, '[.eE]') then try_cast(x as double) > 0 and try_cast(x as double) <= 1
    else regexp_full_match(x, '[0-9]{1,18}') and try_cast(x as bigint) >= 1 end, false);

-- What a body adds has names of this kind; a column or a table alike would be taken for it.
create or replace macro tanon._is_taken(text) as regexp_matches(text, '(?im)^\s*"?tanon_');

create or replace macro tanon._wrong_name(say, x, optional) as case
    when case when x is null then optional
        else typeof(x) = 'VARCHAR' and trim(x::varchar) <> '' end is not true
    then tanon._got(say, x) || case when typeof(x) = 'BOOLEAN'
        then '; what is written with = is a comparison: name an argument with :=' else '' end
    when tanon._is_taken(x::varchar)
    then concat(say, ', got ''', x::varchar, '''; names that begin with tanon_ are taken') end;

-- Checks and bodies look at names in pairs: more would be a day's work, and are a mistake.
create or replace macro tanon._wrong_list(say, x, names, is_right, optional) as case
    when len(names) > 1000 then concat(say, ' and at most 1000, got ', len(names))
    when case when x is null then optional else is_right end is not true then tanon._got(say, x)
    end;

create or replace macro tanon._wrong_names(say, x, may_be_empty, optional) as list_transform(
    [tanon._list(x)],
    lambda names: tanon._wrong_list(say, x, names, (may_be_empty or len(names) > 0)
        and len(list_distinct(names)) = len(names) and not list_contains(names, ''), optional))[1];

-- Columns are named twice if DuckDB takes two of the names for one.
create or replace macro tanon._wrong_columns(say, x, may_be_empty, optional) as list_transform(
    [tanon._list(x)],
    lambda names: coalesce(
        tanon._wrong_list(say, x, names, (may_be_empty or len(names) > 0)
            and not list_contains(names, '')
            and list_unique(list_transform(names, lambda e: tanon._folded(e))) = len(names),
            optional),
        case when tanon._is_taken(array_to_string(names, chr(10)))
        then concat(say, ', got ', tanon._shown(x), '; names that begin with tanon_ are taken')
        end))[1];

create or replace macro tanon._wrong_number(say, x, whole, above, least, most, below, optional) as
tanon._wrong_unless(
    say, x,
    case when whole then regexp_full_match(x::varchar, '[-+]?[0-9]{1,18}')
    else coalesce(isfinite(try_cast(x::varchar as double)), false) end
    and try_cast(x::varchar as double) > above and try_cast(x::varchar as double) >= least
    and try_cast(x::varchar as double) <= most and try_cast(x::varchar as double) < below,
    optional
);

-- How far a word is from a known one, in letters of any case; two swapped are one step.
create or replace macro tanon._far(x, known) as
    damerau_levenshtein(tanon._folded(x), tanon._folded(known));

-- The nearest of the known words, if it is near at all. In x the lambda of a caller may stand,
-- whose name is not to be taken for that of one here.
create or replace macro tanon._hint(x, known) as coalesce(
    '; did you mean ''' || list_min(list_transform(
        list_filter(tanon._list(known), lambda known_word:
            2 * tanon._far(x, known_word) <= greatest(len(x::varchar), len(known_word))),
        lambda known_word: (tanon._far(x, known_word), known_word)
    ))[2] || '''?', '');

create or replace macro tanon._wrong_choice(say, x, known, optional) as tanon._wrong_unless(
    say, x, list_contains(known, x::varchar), optional
) || tanon._hint(x::varchar, known);

-- A column argument that the result repeats may not have the name of a column that it adds.
create or replace macro tanon._wrong_result_name(say, x, added) as case
    when tanon._share_a_name(x, added) then tanon._got(say, x) end;

-- Not a case, in which DuckDB would bind the message twice, nor a lambda, which is bound slowly.
create or replace macro tanon._unless(message, text) as coalesce(error(message)::varchar, text);

create or replace macro tanon._are_positions(x) as
    regexp_full_match(x::varchar, '\[[1-9][0-9]{0,8}(, [1-9][0-9]{0,8})*\]')
    and list_unique(try_cast(x::varchar as integer[])) = len(try_cast(x::varchar as integer[]));

create or replace macro tanon._are_sizes(x) as tanon._are_positions(x);

create or replace macro tanon._are_numbers(x) as coalesce(
    len(try_cast(x::varchar as double[])) > 1 and list_bool_and(list_transform(
        try_cast(x::varchar as double[]), lambda v: coalesce(isfinite(v), false)
    )), false);

create or replace macro tanon._shares(x) as try_cast(x::varchar as double[]);

-- A share in decimal digits, never with an exponent: a literal that DuckDB multiplies exactly.
create or replace macro tanon._share_text(x) as
    rtrim(rtrim(try_cast(x::varchar as decimal(19, 18))::varchar, '0'), '.');

create or replace macro tanon._are_shares(x) as coalesce(
    len(tanon._shares(x)) > 0 and list_unique(tanon._shares(x)) = len(tanon._shares(x))
    and list_bool_and(list_transform(
        tanon._shares(x), lambda v: coalesce(v >= 0 and v < 1, false)
    )), false);

create or replace macro tanon._are_ranges(x) as coalesce(list_transform(
    [try_cast(x::varchar as struct("position" integer, low double, high double)[])],
    lambda ranges: len(ranges) > 0
        and list_unique(list_transform(ranges, lambda r: r['position'])) = len(ranges)
        and list_bool_and(list_transform(ranges, lambda r: coalesce(r['position'] >= 1
            and coalesce(r['low'], '-inf') <= coalesce(r['high'], 'inf')
            and not isnan(coalesce(r['low'], 0)) and not isnan(coalesce(r['high'], 0)), false)))
)[1], false);

create or replace macro tanon._conditions(x) as
    array_to_string(list_transform(tanon._list(x), lambda e: '(' || e || ')'), ' and ');

-- The CTEs of a relation argument: tanon_duck/macros/source_ctes.py describes them. The CTE adds
-- columns that the relation lacks, as NULL in no row. So the query binds and the checks can run.
-- A query is read once; a table can be read again.
create or replace macro tanon._given(cte, relation, from_what, nulls) as concat(
    cte, case when relation[1] = '(' then ' as materialized' else
    ' as not materialized' end, ' (
    from ', from_what, tanon._with_commas(nulls, '
    union all by name select ', ' where false'), '
)');

create or replace macro tanon._null_columns(names) as list_sort(list_distinct(list_transform(
    names, lambda e: 'null as ' || tanon._identifier(tanon._folded(e)))), 'ASC', 'NULLS LAST');

-- The text of a row for each column that is wanted, one check for all: where it stands among the
-- arguments, its name, what is said unless it is there with one of the types, and what besides
-- where it holds texts; NULL for none. What is said stands in a literal already: its quotes are
-- doubled, and its braces.
create or replace macro tanon._column_row(place, x, say, types, hint) as format(
    concat('                ({3}, ''{0}'', ''{1}'', ''', say, ''', ''', types, ''', ''', hint, '''),
'), replace(x, '''', ''''''), replace(tanon._folded(x), '''', ''''''),
    replace(tanon._identifier(x), '''', ''''''), place);

create or replace macro tanon._column_rows(place, names, say, types, hint) as
    array_to_string(list_transform(names,
        lambda e, i: tanon._column_row(place + i, e, say, types, hint)), '');

-- What is said besides where a column of times was wanted, and texts came.
create or replace macro tanon._cast_hint() as
    '; cast texts first, as in (select * replace ({2}::timestamp as {2}) from ...)';

create or replace macro tanon._null_check(name, x, say) as format(concat('        (select ''', say,
    ' must be free of NULL, got '' || count(*) || '' rows with NULL in {0}''
        from tanon_given_', name, ' where {1} is null
        having count(*) > 0),
'), replace(x, '''', ''''''), tanon._identifier(x));

create or replace macro tanon._null_checks(name, names, say) as
    array_to_string(list_transform(names, lambda e: tanon._null_check(name, e, say)), '');

-- With rows the clock raises; this speaks for a table without any.
create or replace macro tanon._zone_check(name, function, ts, tz) as format(
    E'        (select\n            {0}\n            || left(any_value(column_type), 0)\n'
    || E'        from tanon_columns_of_{1}\n        where folded = {2} and {3}\n'
    || E'        having count(*) > 0),\n',
    tanon._text(case when tz is null then tanon._missing_zone(function, '')
        else tanon._needless_zone(function, tz, '') end),
    name, tanon._text(tanon._folded(ts)),
    case when tz is null then 'ends_with(column_type, ''WITH TIME ZONE'')'
        else 'regexp_full_match(column_type, ''DATE|TIMESTAMP(_.*)?'')' end);

-- "nulls" are the columns added, "checks" the text of the checks: the first that has something to
-- say is heard, whichever DuckDB has computed first.
-- Columns that are named like those of a body are left aside, so that all binds, and raise.
create or replace macro tanon._checked(name, relation, nulls, say, checks) as concat(
    tanon._given('tanon_given_' || name, relation,
        '(select * not similar to ''(?i)tanon_.*'' from ' || relation || ')', nulls),
    ',
tanon_columns_of_', name, ' as materialized (
    select *, coalesce(error(case
        when column_name similar to ''(?i)tanon_.*'' then
        ''', say, ', got one with ''
        || column_name end)::varchar,
        translate(column_name, ',
    '''ABCDEFGHIJKLMNOPQRSTUVWXYZ'', ''abcdefghijklmnopqrstuvwxyz'')) as folded
    from (describe from ', relation, ')
),
tanon_', name, '_is_fine as (
    select coalesce(error(coalesce(
', checks, '        null::varchar))::boolean, true) as fine
),
tanon_', name, ' as not materialized (
    from tanon_given_', name, ' where (select fine from tanon_', name, '_is_fine)
)');

-- The normalized series that a word stands for, of the values of letters that sax.py computes for
-- each level; NULL where a letter is withheld or is none.
create or replace macro tanon._rebuilt(word, level) as list_transform(
    range(1, length(word) + 1),
    lambda i: ({letter_values}::double[][])[level][ascii(nullif(word[i], '.')) - 96]
);

-- One minus the correlation: the cosine distance of the vectors of all pairwise differences.
create or replace macro tanon._pattern_distance(a, b) as case
    when list_min(a) = list_max(a) and list_min(b) = list_max(b) then 0
    when list_min(a) = list_max(a) or list_min(b) = list_max(b) then 1
    else 1 - list_cosine_similarity(
        list_transform(a, lambda v: v - list_avg(a)), list_transform(b, lambda v: v - list_avg(b))
    ) end;

-- Which share of a range, taken as uniform, lies in the asked one; a point is in or out.
create or replace macro tanon._inside_share(low, high, least, most) as case
    when high > low
    then greatest(0, least(high, most) - greatest(low, least)) / (high - low)
    when low between least and most then 1.0::double
    else 0.0::double end;

create or replace macro tanon._share_a_position(a, b) as list_has_any(
    try_cast(a::varchar as integer[]), try_cast(b::varchar as integer[])
);

create or replace macro tanon._without_names(x, others) as list_filter(tanon._list(x),
    lambda e: not list_contains(
        list_transform(tanon._list(others), lambda o: tanon._folded(o)), tanon._folded(e)));

-- The words of a text in any case, and words as one text.
create or replace macro tanon._words(x) as regexp_extract_all(lower(x), '[\p{L}\p{N}]+');

create or replace macro tanon._phrase(words) as array_to_string(words, ' ');

create or replace macro tanon._has_names(x, others) as len(tanon._without_names(others, x)) = 0;

-- NULL, or a message that names the first that DuckDB would take for one before it.
create or replace macro tanon._wrong_twice(say, names) as list_transform(
    list_filter(names, lambda e, place: list_contains(
        list_transform(names[:place - 1], lambda o: tanon._folded(o)), tanon._folded(e)))[1:1],
    lambda name: concat(say, ', got ', name, ' twice'))[1];

-- NULL, or a message that names the first that is not known, and the nearest that is.
create or replace macro tanon._wrong_among(say, x, known) as list_transform(
    tanon._without_names(x, known)[1:1],
    lambda name: concat(say, ', got ''', name, '''', tanon._hint(name, known)))[1];

-- A measured number as it is told; nothing can be measured where there are no rows.
create or replace macro tanon._figure(x) as case
    when x is null then 'no rows'
    when x = floor(x::double) then x::bigint::varchar
    else printf('%.4g', x::double) end;
