-- Wall clocks of time zones. A clock that is set back repeats an hour: until it has passed the
-- reading at which it was set back, time stands just before that reading, so that granules follow
-- each other. Only what is called with a time zone needs the ICU extension.

create or replace macro tanon._offset(ts, tz) as epoch_us(timezone(tz, ts)) - epoch_us(ts);

create or replace macro tanon._missing_zone(function, ts) as function || ': tz must be the name of '
    || 'a time zone for a TIMESTAMP WITH TIME ZONE, got NULL' || left(ts::varchar, 0);

create or replace macro tanon._needless_zone(function, tz, ts) as function
    || ': tz must be NULL for a time without time zone, got ' || tz::varchar
    || left(ts::varchar, 0);

-- The latest second, not after ts, at which the clock was set forward or back.
create or replace macro tanon._second_of_change(ts, tz) as date_trunc('second', ts + to_seconds(
    list_min(list_filter(range(1, 61), lambda s:
        tanon._offset(ts + to_seconds(s), tz) <> tanon._offset(ts, tz)))));

create or replace macro tanon._minute_before_change(ts, tz, reach) as ts - to_minutes(
    list_min(list_filter(range(1, reach // 60000000 + 2), lambda m:
        tanon._offset(ts - to_minutes(m), tz) <> tanon._offset(ts, tz))));

create or replace macro tanon._set_back(ts, tz) as
    tanon._offset(ts - to_hours(25), tz) - tanon._offset(ts, tz);

-- The reading at which the clock was set back, one microsecond earlier.
create or replace macro tanon._furthest(ts, tz) as timezone(tz, ts)
    + to_microseconds(epoch_us(tanon._second_of_change(ts, tz)) - epoch_us(ts) - 1);

create or replace macro tanon._never_set_back(ts, tz, back) as
    case when tanon._offset(ts - to_microseconds(back), tz) > tanon._offset(ts, tz)
    then list_transform([tanon._minute_before_change(ts, tz, back)],
        lambda before: tanon._furthest(before, tz))[1]
    else timezone(tz, ts) end;

-- What the clock shows. Other types than times are refused elsewhere, but have to bind.
-- Whether a date is a TIMESTAMP too, with room for what is added to one.
create or replace macro tanon._is_near(ts) as not isfinite(ts)
    or ts >= date '270000-01-01 (BC)' and ts < date '280000-01-01';

create or replace macro tanon._far_date(function, ts) as error(function
    || ': times must lie between the years -270000 and 280000, got ' || ts::varchar)::timestamp;

create or replace macro tanon._clock
    (function, ts date, tz) as case
        when tz is null and not tanon._is_near(ts) then tanon._far_date(function, ts)
        when tz is null then ts::timestamp
        else error(tanon._needless_zone(function, tz, ts)) end,
    (function, ts timestamp, tz) as case when tz is null then ts
        else error(tanon._needless_zone(function, tz, ts)) end,
    (function, ts timestamptz, tz) as case
        when tz is null then error(tanon._missing_zone(function, ts))
        when lower(current_setting('Calendar')) <> 'gregorian'
        then error(concat(function, ': the setting Calendar must be gregorian, got ',
            current_setting('Calendar'), left(ts::varchar, 0)))
        when tanon._set_back(ts, tz) > 0 then list_transform([tanon._set_back(ts, tz)],
            lambda back: tanon._never_set_back(ts, tz, back))[1]
        else timezone(tz, ts) end,
    (function, ts varchar, tz) as null::timestamp,
    (function, ts, tz) as null::timestamp;

-- The first instant at which the clock shows a reading or a later one; ts is one that DuckDB finds.
create or replace macro tanon._instant(ts, shown, tz) as case
    when timezone(tz, ts) > shown then list_transform(
        [tanon._minute_before_change(ts, tz, epoch_us(timezone(tz, ts)) - epoch_us(shown))],
        lambda before: tanon._second_of_change(before, tz))[1]
    when tanon._set_back(ts, tz) > 0
        and timezone(tz, ts - to_microseconds(tanon._set_back(ts, tz))) = shown
    then ts - to_microseconds(tanon._set_back(ts, tz))
    else ts end;

create or replace macro tanon._of_same_type
    (shown, ts date, tz) as shown,
    (shown, ts timestamp, tz) as shown,
    (shown, ts timestamptz, tz) as list_transform([shown],
        lambda reading: tanon._instant(timezone(tz, reading), reading, tz))[1];

-- Times as microseconds since the beginning of year 1, so that none is negative, and back. Times
-- from year 285000 on are one moment, since no BIGINT holds what would be added to them.
create or replace macro tanon._us_since_year_1(t) as
    least(epoch_us(t), 9000000000000000000 - {year_1}) + {year_1};

create or replace macro tanon._since_year_1(us) as make_timestamp(us - {year_1});
