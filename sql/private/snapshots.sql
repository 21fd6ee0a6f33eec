-- Snapshots: granules of one length, counted from Monday, 3 January 2000, or from January 2000.

create or replace macro tanon._unit_of(g) as
    case when g not like '% %' then g
    when list_contains(tanon._built_in(), split_part(g, ' ', 2)) then split_part(g, ' ', 2)
    else rtrim(split_part(g, ' ', 2), 's') end;

create or replace macro tanon._times(g) as coalesce(try_cast(split_part(g, ' ', 1) as bigint), 1);

create or replace macro tanon._snapshot_us(g) as
    tanon._times(g) * coalesce({snapshot_us}[tanon._unit_of(g)], 0);

create or replace macro tanon._snapshot_months(g) as
    tanon._times(g) * coalesce({snapshot_months}[tanon._unit_of(g)], 0);

-- Where a granule of a unit begins: microseconds since 1970, or months since January 2000.
create or replace macro tanon._snapshot_origin(g) as
    coalesce({snapshot_origins}[tanon._unit_of(g)], 0);

create or replace macro tanon._is_snapshots(g) as regexp_full_match(g, '[1-9][0-9]{0,8}')
    or regexp_full_match(g, '([1-9][0-9]{0,8} )?[a-z_]+')
    and tanon._snapshot_us(g) + tanon._snapshot_months(g) > 0;

create or replace macro tanon._pace_text(whole, us, months, origin) as
    'struct_pack(whole := ' || whole || ', us := ' || us || ', months := ' || months
    || ', origin := ' || origin || ')';

-- The pace of snapshots, one argument of the macros below, as the text of a struct: whole, the
-- width where ts is a number, -1 where a unit of time is given, 0 by default; us, months, origin.
create or replace macro tanon._pace(g) as case
    when g is null then tanon._pace_text(0, 86400000000, 0, {buckets_begin})
    when regexp_full_match(g, '[0-9]+') then tanon._pace_text(g, 0, 0, 0)
    else tanon._pace_text(-1, tanon._snapshot_us(g), tanon._snapshot_months(g),
        tanon._snapshot_origin(g)) end;

create or replace macro tanon._down(a, b) as
    (a - (a % nullif(b, 0) + b) % nullif(b, 0)) // nullif(b, 0);

create or replace macro tanon._snapshot_of(t, pace) as
    case when pace['months'] > 0
    then tanon._down(year(t) * 12 + month(t) - 24001 - pace['origin'], pace['months'])
    else tanon._down(epoch_us(t) - pace['origin'], pace['us']) end;

create or replace macro tanon._snapshot
    (ts bigint, pace) as tanon._down(ts, greatest(pace['whole'], 1)),
    (ts hugeint, pace) as tanon._down(try_cast(ts as bigint), greatest(pace['whole'], 1)),
    (ts date, pace) as
        case when pace['us'] = 86400000000 then ts - date '2000-01-03'
        else tanon._snapshot_of(ts::timestamp, pace) end,
    (ts timestamp, pace) as tanon._snapshot_of(ts, pace),
    (ts, pace) as null::bigint;

create or replace macro tanon._start_of(i, pace) as
    case when pace['months'] > 0
    then date '2000-01-01' + to_months((i * pace['months'] + pace['origin'])::integer)
    else make_timestamp(pace['origin'] + i * pace['us']) end;

-- The first number of snapshot i that a type holds whose least number is given; greatest leaves
-- NULL out, which stands for no snapshot.
create or replace macro tanon._first_number(i, pace, least) as
    case when i is not null then greatest(i * greatest(pace['whole'], 1), least) end;

-- The first instant of snapshot i in the type of the first argument.
create or replace macro tanon._snapshot_start
    (ts tinyint, i, pace) as tanon._first_number(i, pace, -128)::tinyint,
    (ts smallint, i, pace) as tanon._first_number(i, pace, -32768)::smallint,
    (ts integer, i, pace) as tanon._first_number(i, pace, -2147483648)::integer,
    (ts bigint, i, pace) as i * greatest(pace['whole'], 1),
    (ts hugeint, i, pace) as (i * greatest(pace['whole'], 1))::hugeint,
    (ts utinyint, i, pace) as (i * greatest(pace['whole'], 1))::utinyint,
    (ts usmallint, i, pace) as (i * greatest(pace['whole'], 1))::usmallint,
    (ts uinteger, i, pace) as (i * greatest(pace['whole'], 1))::uinteger,
    (ts ubigint, i, pace) as (i * greatest(pace['whole'], 1))::ubigint,
    (ts date, i, pace) as tanon._start_of(i, pace)::date,
    (ts timestamp, i, pace) as tanon._start_of(i, pace)::timestamp,
    (ts, i, pace) as i;

-- What is wrong with a time and a granularity together, NULL if nothing is.
create or replace macro tanon._snapshot_problem
    (ts hugeint, pace) as case
        when pace['whole'] < 0 then
            'granularity must be a whole number where ts is an integer column'
        when ts not between -4000000000000000000 and 4000000000000000000 then
            'ts must lie between -4000000000000000000 and 4000000000000000000' end,
    (ts date, pace) as case
        when pace['us'] % 86400000000 > 0 or pace['whole'] > 0 then
            'granularity must be of whole days where ts is a DATE column'
        when not isfinite(ts) then 'ts must be finite'
        when not tanon._is_near(ts) then
            'times must lie between the years -270000 and 280000' end,
    (ts timestamp, pace) as case
        when not isfinite(ts) then 'ts must be finite'
        when not tanon._is_near(ts) then
            'times must lie between the years -270000 and 280000'
        when pace['whole'] = 0 and ts <> date_trunc('day', ts) then
            'ts must be midnight unless granularity says how time is cut'
        when pace['whole'] > 0 then
            'granularity must be a unit of time where ts is a TIMESTAMP column' end,
    (ts, pace) as
        'ts must be an integer, DATE or TIMESTAMP column without time zone';

-- l as a fraction: 3, 2.5 or '5/2'.
create or replace macro tanon._numerator(l) as
    try_cast(split_part(replace(replace(l, '.', ''), ' ', ''), '/', 1) as hugeint);

create or replace macro tanon._denominator(l) as coalesce(
    try_cast(nullif(trim(split_part(l, '/', 2)), '') as hugeint),
    10 ** length(trim(split_part(l, '.', 2))))::hugeint;

create or replace macro tanon._is_rational(x, least) as
    regexp_full_match(x::varchar, '\s*[0-9]{1,9}\s*(/\s*0*[1-9][0-9]{0,8}\s*|\.[0-9]{1,9}\s*)?')
    and tanon._numerator(x::varchar) >= least * tanon._denominator(x::varchar);

create or replace macro tanon._is_rational_above(x, least) as tanon._is_rational(x, least)
    and tanon._numerator(x::varchar) > least * tanon._denominator(x::varchar);

create or replace macro tanon._is_cost_formula(x) as typeof(x) = 'VARCHAR'
    and regexp_full_match(x::varchar, '\s*([0-9]+(\.[0-9]+)?\s*\*\s*)?d(\s*\^\s*[1-9][0-9]*)?\s*');

create or replace macro tanon._may_be_relation(x) as
    typeof(x) = 'VARCHAR' and trim(x::varchar) <> ''
    and (tanon._is_query(x::varchar) or not regexp_matches(x::varchar, '^[-0-9]|[()*^+]'));

-- Whether a part is more than one l-th of the whole.
create or replace macro tanon._exceeds_share(part, whole, l) as
    part * tanon._numerator(l) > whole * tanon._denominator(l);

-- Whether a record moves backward, or w snapshots or more.
create or replace macro tanon._leaves_window(home, slot, w) as slot - home not between 0 and w - 1;

-- Of n records of a value that go one way from a snapshot: whether they tell more of the value than
-- the snapshot does.
create or replace macro tanon._tells_more(n, way, of_value, snapshot, l) as
    tanon._exceeds_share(n, way, l) and n * snapshot > way * of_value;

-- The least number of rows among which m may be equal.
create or replace macro tanon._whole_l(l, m) as
    (m * tanon._numerator(l) + tanon._denominator(l) - 1) // tanon._denominator(l);

-- Into how many groups rows dealt round can go so that each is l-diverse, m equal values at most
-- in each: the smallest m that works; with whole l that is 1, and m = level always works.
create or replace macro tanon._anatomy_groups(size, level, l) as
    (size // greatest(tanon._whole_l(l, list_min(list_filter(
        list_append(range(1, 2 * tanon._denominator(l)::bigint + 1), level::bigint),
        lambda m: (level + m - 1) // m <= size // tanon._whole_l(l, m)
    ))), 1))::bigint;

create or replace macro tanon._is_positive(x) as
    coalesce(
        isfinite(try_cast(x::varchar as double)) and try_cast(x::varchar as double) > 0, false
    );
