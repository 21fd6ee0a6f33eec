-- What columns of a relation are declared to be, and what a call takes that leaves an argument out.
-- A role stands in the comment of its column, behind what is written there already:
-- "Postal code of residence. [tanon: quasi-identifier; prefixes 4, 3]". What cannot have comments,
-- and the stock shell, has a variable of the session instead: tanon_roles.

create or replace macro tanon._role_mark() as '\s*\[tanon: ([^\[\];]*)(?:; ?([^\[\]]*))?\]';

create or replace macro tanon._role_in(comment) as
    trim(nullif(regexp_extract(comment, tanon._role_mark(), 1), ''));

create or replace macro tanon._how_in(comment) as
    trim(nullif(regexp_extract(comment, tanon._role_mark(), 2), ''));

create or replace macro tanon._remark_in(comment) as
    nullif(trim(regexp_replace(comment, tanon._role_mark(), '', 'g')), '');

-- As the role is written: 'quasi-identifier; prefixes 4, 3'.
create or replace macro tanon._spelt_role(role, how) as concat_ws('; ', role, how);

-- The roles in comments, of all tables and views of a name, or of all.
create or replace macro tanon._declared(name) as (
    select coalesce(list({
        'database': database_name, 'schema': schema_name, 'relation': table_name,
        'column_name': column_name, 'role': tanon._role_in(comment), 'how': tanon._how_in(comment)
    }
    order by
        database_name asc nulls last,
        schema_name asc nulls last,
        table_name asc nulls last,
        column_index asc nulls last
    ), [])
    from duckdb_columns()
    where contains(comment, '[tanon: ') and tanon._role_in(comment) is not null
        and (name is null or tanon._folded(table_name) = tanon._folded(name))
);

create or replace macro tanon._roles_of_session() as coalesce(
    getvariable('tanon_roles')::struct("database" varchar, "schema" varchar, relation varchar,
        column_name varchar, "role" varchar, how varchar)[], []);

create or replace macro tanon._named_query() as
    '(?is)^\s*\(?\s*(?:from\s+|table\s+)?'
    || '((?:"(?:[^"]|"")+"|\w+)(?:\.(?:"(?:[^"]|"")+"|\w+))*)\s*\)?\s*;?\s*$';

-- The name alone where a relation is one, or (from one); NULL for any other query.
create or replace macro tanon._named_relation(x) as coalesce(
    nullif(regexp_extract(x::varchar, tanon._named_query(), 1), ''),
    case when not tanon._may_be_query(x::varchar) then trim(x::varchar) end);

-- tanon._reads_comments() says whether Python reads the comments while a call is bound. The stock
-- shell, and Python without tanon_duck, open files that carry the functions too, and have the
-- variable alone: Python marks its instance by a setting that DuckDB ignores.

create or replace macro tanon._where_roles_are_read() as
    case when tanon._reads_comments() then '' else {roles_of_the_shell} end;

-- The parts of a name, as DuckDB compares them.
create or replace macro tanon._name_parts(x) as list_transform(
    regexp_extract_all(x, '"(?:[^"]|"")*"|[^.]+'),
    lambda part: tanon._folded(case when part[1] = '"' and part[-1] = '"'
        then replace(part[2:-2], '""', '"') else part end));

-- How near a declared relation is to what a name means here: 0 what is written just so, 1 a
-- temporary one, 2 one of the current schema, 3 one of the search path; NULL another.
create or replace macro tanon._distance_of(d, x, parts) as case
    when d['database'] is null and tanon._folded(d['relation']) = tanon._folded(x) then 0
    when d['database'] is null or tanon._folded(d['relation']) <> parts[-1] then null
    when len(parts) = 1 then case
        when d['database'] = 'temp' then 1
        when d['database'] = current_database() and d['schema'] = current_schema() then 2
        when in_search_path(d['database'], d['schema']) then 3 end
    when len(parts) = 2 then case
        when tanon._folded(d['schema']) = parts[1] and d['database'] = current_database() then 2
        when tanon._folded(d['database']) = parts[1] and d['schema'] = 'main' then 3 end
    when tanon._folded(d['database']) = parts[1] and tanon._folded(d['schema']) = parts[2] then 2
    end;

-- The declared roles of the relation that is named: of all that may be meant the nearest, but for
-- columns of which the session says something under the very name. What else the session holds of a
-- relation counts where no comment is read of it.
create or replace macro tanon._roles_of(named, declared) as list_transform(
    [{'named': named, 'parts': tanon._name_parts(named), 'declared': declared,
        'commented': list_transform(declared, lambda d:
            row(d['database'], d['schema'], d['relation']))}],
    lambda x: list_transform(
        [list_filter(list_transform(
            list_concat(x['declared'], list_filter(tanon._roles_of_session(), lambda s: not
                list_contains(x['commented'], row(s['database'], s['schema'], s['relation'])))),
            lambda d, i: {'column_name': d['column_name'],
                'folded': tanon._folded(d['column_name']), 'role': d['role'], 'how': d['how'],
                'database': d['database'], 'is_comment': i <= len(x['declared']),
                'far': tanon._distance_of(d, x['named'], x['parts'])}
        ), lambda r: r['far'] is not null)],
        lambda every: list_filter(every, lambda r: r['far'] = 0
            or r['far'] = list_min(list_transform(every, lambda o: nullif(o['far'], 0)))
            and not list_bool_or(list_transform(every, lambda o:
                o['far'] = 0 and o['folded'] = r['folded'])))
    )[1])[1];

-- What a call left out: the text of a query whose argument is the text of the whole call, once what
-- was left out is there. In between, DuckDB finds the roles, with Python where there is Python.
-- A macro's argument is bound wherever it stands in it: what is large is named once by a lambda.

create or replace macro tanon._declared_text(x) as case when tanon._reads_comments()
    then concat('tanon._answer(tanon_declared_roles(tanon._last_of_name(', tanon._text(x), ')))')
    else '[]' end;

create or replace macro tanon._last_of_name(x) as
    coalesce(tanon._name_parts(tanon._named_relation(x))[-1], '');

create or replace macro tanon._roles_text(x) as case when x is null then '[]' else concat(
    'tanon._roles_of(tanon._named_relation(', tanon._text(x), '), ', tanon._declared_text(x), ')')
    end;

-- Of what the call gives: its text, and the text of the names of columns in it.
create or replace macro tanon._given_text(x) as tanon._text(tanon._value(x));

create or replace macro tanon._names_text(x) as case when x is null then 'null::varchar[]'
    else concat('tanon._folded_names(', tanon._value(x), ')') end;

create or replace macro tanon._folded_names(x) as
    list_transform(tanon._list(x), lambda e: tanon._folded(e));

-- Columns of a role; one that the call names for itself is not taken for anything else.
create or replace macro tanon._columns_as(roles, wanted, taken) as list_filter(roles, lambda r:
    list_contains(wanted, r['role']) and not list_contains(taken, r['folded']));

-- How they may be generalized, if they are those that the call takes.
create or replace macro tanon._generalized_as(roles, wanted, named) as list_filter(roles, lambda r:
    r['how'] is not null and r['role'] = wanted
    and (named is null or list_contains(named, r['folded'])));

create or replace macro tanon._role_column(say, role, shown, found, otherwise) as case
    when len(found) > 1 then error(concat(
        say, ' must be one column, got the ', len(found), ' of ', shown, ' that are declared ',
        role, ': ', array_to_string(list_transform(found, lambda r: r['column_name']), ', ')))
    when len(found) = 1 then tanon._text(found[1]['column_name'])
    else otherwise end;

create or replace macro tanon._role_columns(found, otherwise) as case when len(found) > 0
    then concat('[', array_to_string(
        list_transform(found, lambda r: tanon._text(r['column_name'])), ', '), ']')
    else otherwise end;

create or replace macro tanon._role_granularities(found, otherwise) as case when len(found) > 0
    then concat('[', array_to_string(list_transform(string_split(found[1]['how'], ','),
        lambda g: tanon._text(trim(g))), ', '), ']')
    else otherwise end;

create or replace macro tanon._ways_of(found) as concat('map {',
    array_to_string(list_transform(found, lambda r: concat(
        tanon._text(r['column_name']), ': ', tanon._text(r['how']))), ', '), '}');

create or replace macro tanon._role_ways(found, otherwise) as
    case when len(found) > 0 then tanon._ways_of(found) else otherwise end;

create or replace macro tanon._role_hierarchies(shown, found, otherwise) as case when len(found) > 0
    then tanon._text(concat('(from tanon.hierarchies(', tanon._text(shown), ', ',
        tanon._ways_of(found), '))'))
    else otherwise end;

create or replace macro tanon._nothing_declared(say, shown, how) as error(concat(
    say, ' must be given or declared for ', shown, ', got neither: ',
    case when tanon._named_relation(shown) is null
        then 'a query has no roles, a view of it can have them; ' else '' end,
    how, tanon._where_roles_are_read()));

create or replace macro tanon._known_roles() as
    ['respondent', 'quasi-identifier', 'time', 'sensitive', 'keep', 'drop', 'none'];

create or replace macro tanon._role_word(x) as trim(split_part(x, ';', 1));

create or replace macro tanon._how_word(x) as
    nullif(trim(substr(x, length(split_part(x, ';', 1)) + 2)), '');

create or replace macro tanon._wrong_roles(say, x, optional) as coalesce(
    tanon._wrong_unless(say, x, len(tanon._entries(x)) > 0, optional),
    list_transform(
        list_filter(tanon._entries(x), lambda e: not coalesce(
            list_contains(tanon._known_roles(), tanon._role_word(e['value'])), false))[1:1],
        lambda e: concat(say, ', got ', tanon._shown(e['value']), ' for ', e['key'],
            tanon._hint(tanon._role_word(e['value']), tanon._known_roles())))[1],
    list_transform(
        list_filter(tanon._entries(x), lambda e: regexp_matches(e['value'], '[\[\]]')
            or e['value'] like '%;%' and tanon._role_word(e['value'])
                not in ('quasi-identifier', 'time'))[1:1],
        lambda e: concat(say, ', got ', tanon._shown(e['value']), ' for ', e['key'],
            ': only quasi-identifier and time are generalized, and brackets mark a role'))[1],
    list_transform(
        list_filter(tanon._entries(x), lambda e:
            tanon._role_word(e['value']) = 'quasi-identifier'
            and (not tanon._is_way(coalesce(tanon._how_word(e['value']), 'list'))
                or tanon._way_fault(tanon._how_word(e['value'])) is not null))[1:1],
        lambda e: concat(say, ', got ', tanon._shown(e['value']), ' for ', e['key'],
            case when tanon._is_way(tanon._how_word(e['value']))
                then tanon._way_fault(tanon._how_word(e['value']))
                else '; tanon.hierarchies lists how a quasi-identifier is generalized' end))[1]
);

create or replace macro tanon._named_text(x) as tanon._text(tanon._named_relation(x));

create or replace macro tanon._last_text(x) as tanon._text(tanon._last_of_name(x));

create or replace macro tanon._target_text(x) as
    tanon._text(tanon._relation(tanon._named_relation(x)));

-- How a role is declared, and taken away: in a comment, and for this session.

create or replace macro tanon._comment_statement(target, name, role_name, how, held) as concat(
    'comment on column ', target, '.', tanon._identifier(name), ' is ',
    tanon._text(nullif(concat_ws(' ', tanon._remark_in(held), case when role_name is not null
        then concat('[tanon: ', concat_ws('; ', role_name, how), ']') end), '')));

create or replace macro tanon._session_statement(place, target, name, role_name, how) as concat(
    'set variable tanon_roles = tanon._with_role(', tanon._text(place), ', ', tanon._text(target),
    ', ', tanon._text(name), ', ', tanon._text(role_name), ', ', tanon._text(how), ')');

create or replace macro tanon._with_role(place, target, name, role_name, how) as list_concat(
    list_filter(tanon._roles_of_session(), lambda s: not (
        s['database'] is not distinct from place
        and tanon._folded(s['relation']) = tanon._folded(target)
        and tanon._folded(s['column_name']) = tanon._folded(name))),
    case when role_name is null then [] else [{'database': place::varchar,
        'schema': case when place is not null then 'main' end, 'relation': target,
        'column_name': name, 'role': role_name, 'how': how}] end);

-- What a column looks like, and the words of names that say so.
create or replace macro tanon._look(role_name, how, reason) as
    {'role': role_name, 'how': how::varchar, 'reason': reason};

create or replace macro tanon._respondent_names() as
    '^(pid|respondent|id)$|(^|[_ .-])(patient|person|respondent|user|customer|member|subject|client'
    || '|resident|student|employee|household|case)s?([_ .-]?(id|no|nr|num|number|key|code))?$';

create or replace macro tanon._known_names() as
    'zip|postal|postcode|plz|sex|gender|(^|_)(age)($|_)|city|town|district|region|county|country'
    || '|(^|_)(state)($|_)|province|address|street|race|ethnic|nation|marital|occupation|profession'
    || '|(^|_)job|educat|language|religion|height|weight|ward|clinic|hospital';

create or replace macro tanon._finding_names() as
    'diagn|disease|icd|condition|income|salary|wage|result|drug|medic|treatment|problem|crime'
    || '|offen[cs]e|grade|score|amount|price|balance|test';

-- Pairs of columns as texts, as a loop wants them, each column with itself as well.
create or replace macro tanon._pairs_of(x) as flatten(list_transform(range(1, len(x) + 1),
    lambda i: list_transform(range(i, len(x) + 1), lambda j: concat(i, ':', j))));

create or replace macro tanon._pair_first_text(p, x) as
    tanon._text(tanon._list(x)[split_part(p, ':', 1)::bigint]);

create or replace macro tanon._pair_second_text(p, x) as
    case when split_part(p, ':', 1) = split_part(p, ':', 2) then 'NULL'
    else tanon._text(tanon._list(x)[split_part(p, ':', 2)::bigint]) end;

create or replace macro tanon._pair_columns(p, x) as concat(
    tanon._identifier(tanon._list(x)[split_part(p, ':', 1)::bigint]), ', ',
    tanon._identifier(tanon._list(x)[split_part(p, ':', 2)::bigint]));
