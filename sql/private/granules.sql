-- Granules of the built-in granularities, which tanon_duck/macros/granularities.py describes, and
-- of buckets.

create or replace macro tanon._built_in() as {names};

create or replace macro tanon._place(granularity) as
    list_position(tanon._built_in(), granularity::varchar);

-- A bucket such as '15 minutes' as an interval, NULL for anything else.
create or replace macro tanon._bucket(granularity) as try_cast(regexp_extract(
    granularity::varchar,
    '^[1-9][0-9]{0,11} (second|minute|hour|day|week|month|quarter|year|decade)s?$', 0) as interval);

create or replace macro tanon._bucket_months(bucket) as year(bucket) * 12 + month(bucket);

-- The shape of the label is spelled out in each branch: strftime takes no other.
create or replace macro tanon._bucket_label(t, bucket) as case
    when year(bucket) > 0 and month(bucket) = 0 then strftime(t, '%Y')
    when tanon._bucket_months(bucket) > 0 then strftime(t, '%Y-%m')
    when epoch_us(bucket) % 86400000000 = 0 then strftime(t, '%Y-%m-%d')
    when epoch_us(bucket) % 60000000 = 0 then strftime(t, '%Y-%m-%d %H:%M')
    else strftime(t, '%Y-%m-%d %H:%M:%S') end;

create or replace macro tanon._covered(t, x) as
    case when t >= timestamp '0001-01-01' and t < timestamp '10000-01-01' then x end;

-- Counted from Monday 2000-01-03, and from year 0: sums are positive in the years 1 to 9999.
create or replace macro tanon._clock_bucket_text(width) as format(
    '(epoch_us(tanon_t) + {0}) // {1} - {2}',
    (({year_1} + {buckets_begin}) // width + 1) * width - {buckets_begin}, width,
    ((({year_1} + {buckets_begin}) // width + 1) * width - {buckets_begin}) // width);

create or replace macro tanon._months_bucket_text(width) as format(
    '(year(tanon_t) * 12 + month(tanon_t) - 1 + {0}) // {1} - {2}',
    (24000 // width + 1) * width - 24000, width,
    ((24000 // width + 1) * width - 360) // width);

create or replace macro tanon._index(tanon_t, granularity) as case granularity::varchar
    {when_index}
    else case when tanon._bucket_months(tanon._bucket(granularity)) = 0
        then (epoch_us(time_bucket(tanon._bucket(granularity), tanon_t))
            - epoch_us(time_bucket(tanon._bucket(granularity), timestamp '1970-01-01')))
            // epoch_us(tanon._bucket(granularity))
        else date_diff('month', time_bucket(tanon._bucket(granularity), timestamp '1970-01-01'),
            time_bucket(tanon._bucket(granularity), tanon_t))
            // tanon._bucket_months(tanon._bucket(granularity)) end end;

-- The same as text, for statements that are put together: cheaper to bind, quicker for buckets.
create or replace macro tanon._index_text(granularity) as coalesce(
    {index_texts}[tanon._place(granularity)],
    list_transform([tanon._bucket(granularity)], lambda bucket: case
    when tanon._bucket_months(bucket) = 0 then tanon._clock_bucket_text(epoch_us(bucket))
    else tanon._months_bucket_text(tanon._bucket_months(bucket)) end)[1]);

-- The number of the last granule that begins at or before tanon_t, also in a gap.
create or replace macro tanon._rank_text(granularity) as coalesce(
    {rank_texts}[tanon._place(granularity)], tanon._index_text(granularity));

-- The same of another column than tanon_t.
create or replace macro tanon._index_text_of(granularity, name) as
    replace(tanon._index_text(granularity), 'tanon_t', name);

-- The widest part of a day at whose multiples all granules begin and end.
create or replace macro tanon._beat_us(granularity) as coalesce(
    {beats}[tanon._place(granularity)], gcd(86400000000, epoch_us(tanon._bucket(granularity))));

-- How a granularity lies on the time line: the rule of granularities.py as a row.
create or replace macro tanon._rule_text(granularity) as '(' || tanon._text(granularity) || ', '
|| coalesce(
    {rule_texts}[tanon._place(granularity)],
    list_transform([tanon._bucket(granularity)], lambda bucket: case
    when tanon._bucket_months(bucket) = 0
    then format('''us'', {0}, 0, [0], [{0}], 86400000000 % {0} = 0, false, {1}, {0}',
        epoch_us(bucket), tanon._beat_us(granularity))
    else format('''months'', {0}, 0, [0], [{0}], false, false, 86400000000, {1}',
        tanon._bucket_months(bucket) * 31, tanon._bucket_months(bucket) * 2629746000000)
    end)[1]) || ')';

-- How many numbers from low to high are first modulo step; none of them is below 0.
create or replace macro tanon._positions_within(first, step, low, high) as
    (greatest(high + 1, low) - (first % step + step) % step + step - 1) // step
    - (low - (first % step + step) % step + step - 1) // step;

create or replace macro tanon._start(tanon_t, granularity) as case granularity::varchar
    {when_start}
    else time_bucket(tanon._bucket(granularity), tanon_t) end;

create or replace macro tanon._end(tanon_t, granularity) as case granularity::varchar
    {when_end}
    else time_bucket(tanon._bucket(granularity), tanon_t) + tanon._bucket(granularity) end;

create or replace macro tanon._label(tanon_t, granularity) as case granularity::varchar
    {when_label}
    else tanon._bucket_label(
        greatest(time_bucket(tanon._bucket(granularity), tanon_t), timestamp '0001-01-01'),
        tanon._bucket(granularity)) end;

create or replace macro tanon._is_granularity(x) as
    coalesce(list_contains(tanon._built_in(), x::varchar)
        or tanon._bucket(x) <= interval 9999 years, false);

-- Whether a day may lie in two granules.
create or replace macro tanon._splits_days(granularity) as
    coalesce(tanon._beat_us(granularity) < 86400000000, false);

-- Those that leave some times out.
create or replace macro tanon._with_gaps(x) as
    list_filter(tanon._list(x), lambda e: list_contains({with_gaps}, e));

-- A column of a granularity: Term and term are two granularities, but would be one column.
create or replace macro tanon._column_of(granularity, kind) as
    concat('tanon_', kind, '_', hex(granularity));

-- '1', '2' and so on, as many as there are granularities; the names of what belongs to each.
create or replace macro tanon._stages(x) as
    list_transform(range(1, len(tanon._list(x)) + 1), lambda e: e::varchar);

create or replace macro tanon._stages_before(stage) as
    list_transform(range(1, stage::bigint), lambda e: e::varchar);

create or replace macro tanon._gate(stage) as 'tanon_gate_' || stage;

create or replace macro tanon._stage(stage) as 'tanon_stage_' || stage;

create or replace macro tanon._built(x) as list_filter(tanon._list(x),
    lambda e: tanon._is_granularity(e));

create or replace macro tanon._of_calendar(x) as list_filter(tanon._list(x),
    lambda e: not tanon._is_granularity(e));

-- Those that part days; those whose granules are made of days, as a calendar's mostly are.
create or replace macro tanon._splitting_days(x) as
    list_filter(tanon._built(x), lambda e: tanon._splits_days(e));

create or replace macro tanon._of_days(x) as
    list_filter(tanon._built(x), lambda e: not tanon._splits_days(e));

create or replace macro tanon._from_days(x) as
    list_concat(tanon._of_days(x), tanon._of_calendar(x));

-- Beats: the widest pieces of time of which days and all granules offered that part days are made,
-- counted from year 1; with a calendar a quarter of an hour or less, where shifts may begin.
-- This is how many a day has; lists of one element evaluate it once.
create or replace macro tanon._beats_of_day(x) as 86400000000 // list_reduce(
    list_transform(tanon._splitting_days(x), lambda e: tanon._beat_us(e)),
    lambda a, b: gcd(a, b),
    case when len(tanon._of_calendar(x)) > 0 then 900000000 else 86400000000 end);

create or replace macro tanon._beat_width_text(x) as
    (86400000000 // tanon._beats_of_day(x))::varchar;

-- Four bytes, quicker to sort and to group by, if they hold twice the beats of years 1 to 9999:
-- a bucket may be as wide, and less than its width is added below.
create or replace macro tanon._beat_type(n) as case when n < 294 then 'integer' else 'bigint' end;

create or replace macro tanon._beats_of_day_text(x) as list_transform([tanon._beats_of_day(x)],
    lambda n: n || '::' || tanon._beat_type(n))[1];

create or replace macro tanon._beat_text(x) as list_transform([tanon._beats_of_day(x)],
    lambda n: format('case '
        'when tanon_t >= timestamp ''0001-01-01'' and tanon_t < timestamp ''10000-01-01'' '
        'then ((epoch_us(tanon_t) + {year_1}) // {})::{} end',
        86400000000 // n, tanon._beat_type(n)))[1];

-- The width of even granules that begin at a multiple of it from Monday 2000-01-03, else NULL.
create or replace macro tanon._even_width(granularity) as coalesce(
    {even_widths}[tanon._place(granularity)],
    case when not list_contains(tanon._built_in(), granularity::varchar)
    then epoch_us(tanon._bucket(granularity)) end);

-- The granules of a beat and the one before; even ones are counted as buckets are.
create or replace macro tanon._granules_text(granularity, x) as list_transform(
    [86400000000 // tanon._beats_of_day(x)],
    lambda beat: coalesce(list_transform([tanon._even_width(granularity) // beat],
        lambda m: format('(tanon_beat + {0}) // {1} as tanon_granule, '
            '(tanon_previous + {0}) // {1} as tanon_granule_before',
            (m - ({year_1} + {buckets_begin}) // 86400000000 * (86400000000 // beat) % m) % m, m)
        )[1], format('{} as tanon_granule, {} as tanon_granule_before',
            replace(tanon._index_text(granularity), 'tanon_t',
                format('tanon._since_year_1(tanon_beat::bigint * {})', beat)),
            replace(tanon._index_text(granularity), 'tanon_t',
                format('tanon._since_year_1(tanon_previous::bigint * {})', beat)))))[1];

-- NULL, or a message that names the first that is neither built-in nor, perhaps, of a calendar.
create or replace macro tanon._wrong_granularities(say, x, has_calendar, optional) as
list_transform([tanon._list(x)], lambda names: case
    when x is null and optional then null
    when len(names) = 0 or len(list_distinct(names)) < len(names) or list_contains(names, '')
    then tanon._got(say, x)
    when has_calendar then null
    else list_transform(list_filter(names, lambda name: not tanon._is_granularity(name)),
        lambda name: tanon._not_a_granularity(say, name))[1] end)[1];

create or replace macro tanon._not_a_granularity(say, x) as case when x is not null then
    tanon._got(say, x) || tanon._hint(x, tanon._built_in()) end;

-- An expression over t for a granularity that exists, an error for another; t makes it wait.
create or replace macro tanon._known(function, t, granularity, x) as case
    when tanon._is_granularity(granularity) then tanon._covered(t, x)
    else error(coalesce(tanon._not_a_granularity(tanon._granularity_wanted(function), granularity),
        tanon._got(tanon._granularity_wanted(function), granularity)) || left(t::varchar, 0)) end;

create or replace macro tanon._granularity_wanted(function) as
    function || ': granularity must be a built-in granularity or a bucket such as ''15 minutes''';

-- The name of the values of an attribute in the search over hierarchies.
create or replace macro tanon._dictionary(name) as tanon._identifier('tanon_dictionary_' || name);
