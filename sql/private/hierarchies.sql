-- What builders of hierarchies check, how they label, and how a way of generalizing is read.

-- What is no list is refused by the check of the argument, not here.
create or replace macro tanon._is_descending(x) as coalesce(list_transform(
    [try_cast(x::varchar as bigint[])],
    lambda n: list_bool_and(list_transform(range(2, len(n) + 1), lambda i: n[i] < n[i - 1])))[1],
    true);

create or replace macro tanon._divide_in_turn(x) as tanon._is_descending(x)
    and coalesce(list_transform(
        [try_cast(x::varchar as bigint[])],
        lambda n: list_bool_and(list_transform(
            range(2, len(n) + 1), lambda i: n[i - 1] % n[i] = 0)))[1], true);

-- Numbers as DuckDB writes them, which gives small ones an exponent: how many decimals, and which.
create or replace macro tanon._exponent(x) as
    coalesce(try_cast(nullif(split_part(x, 'e', 2), '') as integer), 0);

create or replace macro tanon._decimals(x) as greatest(0,
    length(rtrim(split_part(split_part(x, 'e', 1), '.', 2), '0')) - tanon._exponent(x));

create or replace macro tanon._decimal_digits(x) as case when contains(x, 'e')
    then repeat('0', -1 - tanon._exponent(x)) || replace(split_part(x, 'e', 1), '.', '')
    else split_part(x, '.', 2) end;

-- A written number in units of as many decimals, rounded down: whole, and therefore exact.
create or replace macro tanon._units(x, decimals) as
    case when x[1] = '-' then -1 else 1 end
    * try_cast(concat(
        case when contains(x, 'e') then '0' else split_part(ltrim(x, '-'), '.', 1) end,
        rpad(tanon._decimal_digits(ltrim(x, '-')), decimals::integer, '0')) as hugeint)
    - (x[1] = '-' and rtrim(tanon._decimal_digits(ltrim(x, '-'))[decimals + 1:], '0') <> '')
        ::integer;

create or replace macro tanon._unit(decimals) as
    ('1' || repeat('0', decimals))::hugeint;

create or replace macro tanon._units_label(n, decimals) as concat(
    case when n < 0 then '-' end, abs(n) // tanon._unit(decimals),
    nullif('.' || rtrim(lpad((abs(n) % tanon._unit(decimals))::varchar, decimals::integer, '0'),
        '0'), '.'));

-- What units of a HUGEINT hold: numbers of at most sixteen digits and twenty decimals.
create or replace macro tanon._has_units(x) as coalesce(
    abs(try_cast(x as double)) <= 9007199254740992 and tanon._decimals(x) <= 20, false);

-- A written number as a DOUBLE that is not above it: a DECIMAL may have more digits.
create or replace macro tanon._rounded_down(x) as list_transform(
    [try_cast(x as double)],
    lambda n: n - case when tanon._units(x, 20) < tanon._units(n::varchar, 20)
        then abs(n) * 1.2e-16 else 0 end)[1];

create or replace macro tanon._are_widths(x) as coalesce(list_transform(
    [list_transform(try_cast(x::varchar as double[]), lambda v: v::varchar)],
    lambda w: len(w) > 0 and list_bool_and(list_transform(w, lambda v: tanon._has_units(v)))
        and list_bool_and(list_transform(w, lambda v, i: coalesce(
            tanon._units(v, 20) > 0 and (i = 1 or tanon._units(v, 20) > tanon._units(w[i - 1], 20)
                and tanon._units(v, 20) % tanon._units(w[i - 1], 20) = 0), false))))[1], false);

create or replace macro tanon._not_granularities(x) as
    list_filter(tanon._list(x), lambda g: not tanon._is_granularity(g));

-- Ends of an interval in units: whole numbers by the first and the last of them, others by their
-- bounds.
create or replace macro tanon._interval_label(low, high, decimals, whole) as case
    when not whole or low % tanon._unit(decimals) <> 0 or high % tanon._unit(decimals) <> 0
    then concat('[', tanon._units_label(low, decimals), ', ',
        tanon._units_label(high, decimals), ')')
    when high - low = tanon._unit(decimals) then tanon._units_label(low, decimals)
    else concat(tanon._units_label(low, decimals), case when low < 0 then ' to ' else '-' end,
        tanon._units_label(high - tanon._unit(decimals), decimals)) end;

create or replace macro tanon._is_integer(type) as
    type similar to 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?';

-- The roundest unit that fits into room: 1, 2 or 5 times a power of ten.
create or replace macro tanon._digit_of(room) as
    case when room >= 5 * 10 ** floor(log10(room)) then 5
        when room >= 2 * 10 ** floor(log10(room)) then 2 else 1 end;

-- As digits and a power of ten, so that three tenths are 0.3.
create or replace macro tanon._multiple(n, room) as case
    when log10(room) < 0 then n * tanon._digit_of(room) / 10 ** -floor(log10(room))
    else n * tanon._digit_of(room) * 10 ** floor(log10(room)) end;

create or replace macro tanon._multiples_in(x, room) as floor(case
    when log10(room) < 0 then x * 10 ** -floor(log10(room)) / tanon._digit_of(room)
    else x / (tanon._digit_of(room) * 10 ** floor(log10(room))) end);

-- Down to a multiple of the unit that fits into room; whole numbers stay whole.
create or replace macro tanon._rounded_number(x, room, whole) as case
    when whole and room < 1 then x
    when tanon._multiple(tanon._multiples_in(x, room) + 1, room) <= x
    then tanon._multiple(tanon._multiples_in(x, room) + 1, room)
    else tanon._multiple(tanon._multiples_in(x, room), room) end;

-- Seconds, down to those where the longest unit begins that fits into room, if one does.
create or replace macro tanon._rounded_time(x, room) as coalesce(epoch(time_bucket(
    list_max(list_filter(['1 second', '5 seconds', '15 seconds', '1 minute', '5 minutes',
        '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours', '1 day', '2 days', '7 days',
        '1 month', '3 months', '6 months', '1 year', '2 years', '5 years', '10 years', '50 years',
        '100 years']::interval[], lambda unit: epoch(unit) <= room)),
    make_timestamp((x * 1000000)::bigint))), x);

create or replace macro tanon._bound_label(x, timed) as case
    when not isfinite(x) then null
    when timed then regexp_replace(make_timestamp(round(x * 1000000)::bigint)::varchar,
        ' 00:00:00$', '')
    when x = floor(x) then x::bigint::varchar else x::varchar end;

create or replace macro tanon._is_way(x) as coalesce(regexp_full_match(x, concat_ws('|', 'list',
    'intervals [0-9.]+(, ?[0-9.]+)*( from -?[0-9.]+)?( below -?[0-9.]+)?( above -?[0-9.]+)?',
    '(prefixes|quantiles) [0-9]+(, ?[0-9]+)*', 'dates [^,]+(,[^,]+)*',
    'parents [^(),]+\([^(),]+(,[^(),]+)+\)')), false);

create or replace macro tanon._known_ways() as
    ['intervals', 'prefixes', 'list', 'quantiles', 'dates', 'parents'];

create or replace macro tanon._way_numbers(way) as try_cast(
    concat('[', regexp_extract(way, '^[a-z]+ ([0-9., ]+?)( [a-z].*)?$', 1), ']') as double[]);

-- What its builder would refuse of a way that is written as one: said where it is declared, too.
create or replace macro tanon._way_fault(way) as case split_part(way, ' ', 1)
    when 'intervals' then case when not tanon._are_widths(tanon._way_numbers(way))
        then ': each width must be a multiple of the one before' end
    when 'prefixes' then case when list_min(tanon._way_numbers(way)) < 1
        or not tanon._is_descending(tanon._way_numbers(way))
        then ': fewer letters must be left on each level' end
    when 'quantiles' then case when list_min(tanon._way_numbers(way)) < 1
        or not tanon._divide_in_turn(tanon._way_numbers(way))
        then ': fewer bins must be on each level, each a divisor of the one before' end
    when 'dates' then list_transform(
        tanon._not_granularities(list_transform(string_split(substr(way, 7), ','),
            lambda listed: trim(trim(listed), '"')))[1:1],
        lambda other: concat(': ''', other, ''' is no granularity',
            tanon._hint(other, tanon._built_in())))[1] end;

create or replace macro tanon._wrong_ways(say, x, optional) as coalesce(
    tanon._wrong_unless(say, x, len(tanon._entries(x)) > 0, optional),
    tanon._wrong_twice(say, list_transform(tanon._entries(x), lambda e: e['key'])),
    list_transform(
        list_filter(tanon._entries(x), lambda e: not tanon._is_way(e['value'])
            or tanon._way_fault(e['value']) is not null)[1:1],
        lambda e: concat(say, ', got ', tanon._shown(e['value']), ' for ', e['key'],
            case when tanon._is_way(e['value']) then tanon._way_fault(e['value']) end,
            case when not list_contains(tanon._known_ways(), split_part(e['value'], ' ', 1))
                then tanon._hint(split_part(e['value'], ' ', 1), tanon._known_ways()) end))[1]
);

create or replace macro tanon._wrong_groups(say, x, optional) as
    tanon._wrong_unless(say, x, len(tanon._entries(x)) > 0, optional);

-- Entries of a map as texts, as a loop wants them: how long the key is, the key, the value.
create or replace macro tanon._entry_texts(x) as list_transform(tanon._entries(x),
    lambda e: concat(length(e['key']), ':', e['key'], e['value']));

create or replace macro tanon._entry_of(e) as {
    'key': substr(e, length(split_part(e, ':', 1)) + 2, split_part(e, ':', 1)::bigint),
    'value': substr(e, length(split_part(e, ':', 1)) + 2 + split_part(e, ':', 1)::bigint)};

create or replace macro tanon._listed_texts(x) as concat('[', array_to_string(list_transform(
    string_split(x, ','), lambda e: tanon._text(trim(trim(e), '"'))), ', '), ']');

create or replace macro tanon._way_arguments(x) as case split_part(x, ' ', 1)
    when 'list' then ''
    when 'intervals' then concat(
        ', widths := [', regexp_extract(x, '^intervals ([0-9., ]+?)( [a-z].*)?$', 1), ']',
        coalesce(', origin := ' || nullif(regexp_extract(x, ' from (-?[0-9.]+)', 1), ''), ''),
        coalesce(', bottom := ' || nullif(regexp_extract(x, ' below (-?[0-9.]+)', 1), ''), ''),
        coalesce(', top := ' || nullif(regexp_extract(x, ' above (-?[0-9.]+)', 1), ''), ''))
    when 'prefixes' then concat(', lengths := [', substr(x, 10), ']')
    when 'quantiles' then concat(', bins := [', substr(x, 11), ']')
    when 'dates' then concat(', granularities := ', tanon._listed_texts(substr(x, 7)))
    else concat(
        ', parents := ', tanon._text(trim(regexp_extract(x, '^parents (.+)\((.+)\)$', 1))),
        ', child := ', tanon._text(trim(trim(split_part(
            regexp_extract(x, '^parents (.+)\((.+)\)$', 2), ',', 1)), '"')),
        ', levels := ', tanon._listed_texts(
            regexp_replace(regexp_extract(x, '^parents (.+)\((.+)\)$', 2), '^[^,]*,', ''))) end;

-- The call of the builder that a way means.
create or replace macro tanon._way_text(e, source) as list_transform([tanon._entry_of(e)],
    lambda w: concat('from tanon.', case split_part(w['value'], ' ', 1)
        when 'intervals' then 'interval' when 'prefixes' then 'prefix' when 'list' then 'list'
        when 'quantiles' then 'quantile' when 'dates' then 'date' else 'parent' end,
        '_hierarchy(', tanon._text(source), ', ', tanon._text(w['key']),
        tanon._way_arguments(w['value']), ')'))[1];
