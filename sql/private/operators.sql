-- Whether operators are DuckDB's own. What is called by name is called with its catalogue in front;
-- an operator, a bracket or an INTERVAL cannot be, and a macro "||" in a data file would take its
-- place. So the plan of each as it is written is compared with its plan by its full name.

create or replace macro tanon._serialized(expressions) as
    json_serialize_plan(concat('select ', expressions, ' from (select 1 as x, 2 as y, ''a'' as s, ',
        'list_value(1) as l, struct_pack(a := 1) as r)'))::varchar;

create or replace macro tanon._plan(expressions) as regexp_replace(
    tanon._serialized(expressions), ',?"(query_location[a-z_]*|is_operator)":[0-9a-z]+', '', 'g');

create or replace macro tanon._operators() as
    'x + y, x - y, -x, x * y, x / y, x // y, x % y, x ** y, x & y, x << y, x >> y,
        s || s, s like s, s not like s, s similar to ''a'',
        [x, y], {''a'': x}, (x, y), map {x: y}, l[1], l[1:2], r.a, if(x = y, x, y),
        [e for e in l if e],
        interval (x) year, interval (x) month, interval (x) day, interval (x) hour,
        interval (x) minute, interval (x) second';

-- Settings that give operators or names another meaning. In another dialect a lambda counts from 0.
create or replace macro tanon._unfit_setting(function) as case
    when current_setting('integer_division')
    then concat(function, ': the setting integer_division must be false, got true')
    when lower(current_setting('preserve_identifier_case')::varchar) = 'uppercase'
    then concat(function, ': the setting preserve_identifier_case must be preserve_case or ',
        'lowercase, got uppercase')
    when list_extract(list_transform([0], lambda each, place: place), 1) <> 1
    then concat(function, ': the setting dialect_compatibility_mode must be NONE, got another')
    end;

-- NULL when all is well, else the message. The DuckDB that made this macro was asked for the plan
-- where nothing was replaced: what is the same to the letter needs no second plan.
create or replace macro tanon._replaced(function) as case
    when tanon._unfit_setting(function) is not null then tanon._unfit_setting(function)
    when case when version() = {operators_version}
        then sha256(tanon._serialized(tanon._operators())) = {operators_digest} end then null
    when tanon._plan(tanon._operators())
    is distinct from tanon._plan('system.main."+"(x, y), system.main."-"(x, y), system.main."-"(x),
        system.main."*"(x, y), system.main."/"(x, y), system.main."//"(x, y), system.main."%"(x, y),
        system.main."**"(x, y), system.main."&"(x, y), system.main."<<"(x, y),
        system.main.">>"(x, y), system.main."||"(s, s), system.main."~~"(s, s),
        system.main."!~~"(s, s), regexp_full_match(s, ''a''),
        list_value(x, y), struct_pack(a := x), row(x, y), map(list_value(x), list_value(y)),
        array_extract(l, 1), array_slice(l, 1, 2), struct_extract(r, ''a''),
        case when x = y then x else y end,
        list_apply(list_filter(list_apply(l, lambda e: struct_pack(filter := e, result := e)),
            lambda elem: struct_extract(elem, ''filter'')),
            lambda elem: struct_extract(elem, ''result'')),
        to_years(trunc(x::double)::integer), to_months(trunc(x::double)::integer),
        to_days(trunc(x::double)::integer), to_hours(trunc(x::double)::bigint),
        to_minutes(trunc(x::double)::bigint), to_seconds(x::double)')
    then concat(function,
        ': operators of SQL must be those of DuckDB, got a macro for one; drop it') end;
