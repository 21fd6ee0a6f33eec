-- What must not be guessed is decided by a keyed hash: SHA-256 over a key, made of the secret for
-- one purpose, and an encoding of the row in which no two rows look alike.

-- The first bytes of a text of hexadecimal digits as numbers, and the steps between them.
create or replace macro tanon._bytes(x) as
    list_transform(range(1, 32, 2), lambda i: ('0x' || x[i:i + 1])::integer);

create or replace macro tanon._steps_between(x) as
    list_transform(range(1, len(x)), lambda i: (x[i + 1] - x[i] + 256) % 256);

-- Whether it looks like a secret: 32 to 512 digits. Counted in a pattern, they would take DuckDB
-- milliseconds in each call that has a secret.
create or replace macro tanon._looks_like_secret(x) as
    length(x) between 32 and 512 and regexp_full_match(x, '[0-9a-fA-F]+');

-- Drawn digits repeat few bytes and few steps; what somebody types mostly does, or is a number or
-- text in bytes, which drawn digits are once in millions.
create or replace macro tanon._is_secret(x) as case
    when not tanon._looks_like_secret(x) then false
    when regexp_full_match(x[:32], '[0-9]*|([2-6][0-9a-fA-F]|7[0-9a-eA-E])*') then false
    else list_unique(tanon._bytes(x)) >= 10
        and list_unique(tanon._steps_between(tanon._bytes(x))) >= 8 end;

-- A message about a secret never shows it.
create or replace macro tanon._wrong_secret(say, x) as case
    when x is null or tanon._is_secret(x::varchar) or tanon._is_query(x::varchar) then null
    when tanon._looks_like_secret(x::varchar) then say || ', got one that can be guessed'
    else say || ', got a text of ' || length(x::varchar) || ' characters' end;

-- What a query gives for a secret, which then stands in no statement and in no message about one.
create or replace macro tanon._read_secret(function, x) as case
    when tanon._is_secret(x::varchar) then lower(x::varchar)
    else error(function || ': secret must be a query that gives one, got another result')
    end;

-- The secret of this call, or the one that the process holds.
create or replace macro tanon._secret_text(x, function) as case
    when x is null then tanon._held_secret_text()
    when tanon._is_query(x::varchar)
    then '(select tanon._read_secret(' || function || ', tanon_given) from (select ' || x
        || ' as tanon_given))'
    else tanon._text(lower(x::varchar)) end;

-- Derive the key of one purpose and one choice of column types. 1 is the version of this encoding.
-- A purpose is a constant text. It stays the same if a function gets another name, because a new
-- purpose changes every draw and every digest.
create or replace macro tanon._key(secret, purpose, types) as
    unhex(sha256(concat_ws(chr(10), 'tanon_duck 1', secret, purpose, types::varchar)));

-- The text of a cell, which no setting changes: two values of one type have one text only if they
-- are the same value, spelt alike. A time with time zone stands in UTC. The text of a UNION lacks
-- its tag, that of a VARIANT its types, and a nested time is written by the clock of the session:
-- there the times are cut out, and DuckDB's sort key follows, which holds all of these.
create or replace macro tanon._sort_key_text(x) as concat(
    regexp_replace(x::varchar, '\d{4,}-\d\d-\d\d( \(BC\))? \d\d:\d\d:\d\d(\.\d+)?[-+]\d\d(:\d\d)*',
        '', 'g'), ' ', hex(create_sort_key(x, 'ASC NULLS LAST')));

-- The text of a value as it leaves or is compared with a text that the caller gives: its cast to
-- VARCHAR, but a time with time zone stands in UTC, so that no setting changes it. Nested times
-- with time zone are written as tanon._cell_text writes them.
create or replace macro tanon._value_text
    (x timestamptz) as case when isfinite(x) then make_timestamp(epoch_us(x))::varchar || '+00'
        else x::varchar end,
    (x timestamp) as x::varchar, (x timestamp_s) as x::varchar, (x timestamp_ms) as x::varchar,
    (x timestamp_ns) as x::varchar, (x date) as x::varchar, (x integer) as x::varchar,
    (x) as case when regexp_matches(regexp_replace(typeof(x), '''[^'']*''', '', 'g'),
            'TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ') and x is not null
        then tanon._sort_key_text(x) else x::varchar end;

create or replace macro tanon._cell_text
    (x timestamptz) as tanon._value_text(x),
    (x timestamp) as x::varchar, (x timestamp_s) as x::varchar, (x timestamp_ms) as x::varchar,
    (x timestamp_ns) as x::varchar, (x date) as x::varchar, (x integer) as x::varchar,
    (x variant) as case when x is not null
        then hex(create_sort_key(variant_normalize(x), 'ASC NULLS LAST')) end,
    (x) as case when regexp_matches(regexp_replace(typeof(x), '''[^'']*''', '', 'g'),
            'TIMESTAMP WITH TIME ZONE|TIMESTAMPTZ|UNION|VARIANT') and x is not null
        then tanon._sort_key_text(x) else x::varchar end;

-- A value for others: the type of an ENUM lists all values of the column, those of rows left out
-- among them. DuckDB takes JSON and VARIANT for texts here as well. ENUMs within structs remain.
create or replace macro tanon._without_labels
    (x varchar) as x::varchar, (x varchar[]) as x::varchar[], (x) as x;

-- Text of an expression: the columns one after the other, length in front, NULL marked. concat
-- leaves NULL out, and is quickest with everything in one call.
create or replace macro tanon._encoded_text(names, prefix) as
    'concat('''', ' || coalesce(nullif(array_to_string(list_transform(tanon._list(names),
        lambda e: format('strlen({0}), case when {0} is null then ''-'' else '':'' end, {0}',
            'tanon._cell_text(' || prefix || tanon._identifier(e) || ')')), ', '), ''), '''''')
    || ')';

-- 96 bits that nobody can foresee without the key; in two halves, as the stock shell reads no
-- hexadecimal digits beyond a BIGINT.
create or replace macro tanon._halves(digits) as
    ('0x' || digits[:12])::bigint::hugeint * 281474976710656 + ('0x' || digits[13:24])::bigint;

create or replace macro tanon._keyed(key, encoded) as
    tanon._halves(sha256(key || encode(encoded)));

-- Whether a column of a relation, by its folded name, is one of the names.
create or replace macro tanon._is_named(folded, names) as list_contains(
    list_transform(tanon._list(names), lambda e: tanon._folded(e)), folded);

-- A column by its name and type, and one of its values with its length in front; whatever the
-- settings and the order of an ENUM.
create or replace macro tanon._column_written(x) as concat(
    strlen(alias(x)), ':', alias(x), ' ',
    regexp_replace(typeof(x), 'ENUM\((''(?:[^'']|'''')*''(, )?)*\)', 'VARCHAR', 'g'));

create or replace macro tanon._measured_text(x) as
    concat(strlen(x), case when x is null then '-' else ':' end, x);

-- Whether a column is the user's, and none of the names.
create or replace macro tanon._is_further(column_name, names) as
    not starts_with(tanon._folded(column_name), 'tanon_')
    and not tanon._is_named(tanon._folded(column_name), names);
