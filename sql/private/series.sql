-- Readings are DOUBLEs. Whole numbers from 2^53 are rounded there, so a range might not hold them.
-- Numbers of a VARIANT have types of their own.
create or replace macro tanon._exact(function, type, x) as case
    when tanon._holds_variant(type)
        then error(function || ': series must be a list of numbers, got ' || type)
    when type similar to 'U?(BIG|HUGE)INT(\[\d*\])?'
        and coalesce(list_max(x) >= 9007199254740992 or list_min(x) <= -9007199254740992, false)
        then error(function || ': series must be whole numbers below 9007199254740992, as larger '
            || 'ones are rounded (cast them to DOUBLE if that may be), got '
            || format('{:.0f}', case when list_max(x) >= 9007199254740992 then list_max(x)
                else list_min(x) end::double))
    else x end;

-- The readings of a series column: a list, or a number that is a series of one reading.
create or replace macro tanon._readings(x double[]) as x, (x double) as [x],
    (x) as null::double[];

-- The readings that a function of a single series was given: the sentence where they are no list.
create or replace macro tanon._as_series(function, x double[]) as x,
    (function, x) as error(function || ': series must be a list of numbers, got ' || typeof(x));
create or replace macro tanon._series(function, x) as
    tanon._exact(function, typeof(x), tanon._as_series(function, x));

create or replace macro tanon._no_ranges(low, high) as error(
    'tanon.series_value_loss: low and high must be lists of numbers, got ' || low || ' and '
        || high);

-- What low and high are unless they are a VARIANT, through which no lambda goes.
create or replace macro tanon._ends(x variant) as error(case when x is not null
    then 'tanon.series_value_loss: low and high must be lists of numbers, got VARIANT'
        end)::double[],
    (x) as x;

-- The two are given once more as they are: what is cast to a DOUBLE is no longer exact.
create or replace macro tanon._value_loss(as_low double[], as_high double[], low, high) as case
    when tanon._holds_variant(typeof(low)) or tanon._holds_variant(typeof(high))
        then tanon._no_ranges(typeof(low), typeof(high))
    when len(low) <> len(high) then
        error('tanon.series_value_loss: high must be as long as low, ' || len(low)
            || ', got ' || len(high))
    when len(list_filter(low, lambda l, i: isinf(high[i]::double - l::double)
        and isfinite(high[i]::double) and isfinite(l::double))) > 0
        -- Half the range of a list that is wider than a DOUBLE goes.
        then 2 * tanon._root_mean_square(
            list_transform(low, lambda l, i: high[i]::double / 2 - l::double / 2))
    else tanon._root_mean_square(list_transform(low, lambda l, i: case
        when tanon._is_whole(l) and tanon._is_whole(high[i])
            then (high[i]::hugeint - l::hugeint)::double
        else high[i]::double - l::double end)) end,
    (as_low, as_high, low, high) as tanon._no_ranges(typeof(low), typeof(high));

create or replace macro tanon._is_fill(x) as coalesce(
    x::varchar in ('previous', 'linear') or isfinite(try_cast(x::varchar as double)), false);

-- Sixteen places, for columns that are compared one by one: their numbers, and names with them.
create or replace macro tanon._slots() as list_transform(range(1, 17), lambda i: i::varchar);

create or replace macro tanon._slot(name, place) as name || place;

-- Which cells between ascending edges a range meets; an open end reaches as far as there are cells.
create or replace macro tanon._grid_cells(edges, low, high) as range(
    len(list_filter(edges, lambda e: e <= coalesce(low, '-inf'))),
    len(list_filter(edges, lambda e: e <= coalesce(high, 'inf'))) + 1);

-- Whether this is an integer that a HUGEINT can subtract.
create or replace macro tanon._is_whole(x) as
    typeof(x) similar to 'U?(TINYINT|SMALLINT|INTEGER|BIGINT)';

-- Squares of what is very wide or narrow would leave the range of a DOUBLE: those are scaled first.
create or replace macro tanon._root_mean_square(x) as case
    when not coalesce(isfinite(list_max(list_transform(x, lambda d: abs(d)))), false)
        or sqrt(list_avg(list_transform(x, lambda d: d * d))) between 1e-150 and 1e150
        or list_max(list_transform(x, lambda d: abs(d))) = 0
        then sqrt(list_avg(list_transform(x, lambda d: d * d)))
    else list_max(list_transform(x, lambda d: abs(d))) * sqrt(list_avg(list_transform(x, lambda d:
        pow(d / list_max(list_transform(x, lambda e: abs(e))), 2)))) end;

-- The mean of losses, whose sum may leave the range of a DOUBLE.
create or replace macro tanon._mean_loss(x) as case
    when isinf(list_sum(x)) then list_sum(list_transform(x, lambda l: l / len(x)))
    else list_avg(x) end;

-- The number that its first digits tell; what is too near to zero for that is zero.
create or replace macro tanon._digits(x, n) as coalesce(case when x = 0 then 0.0::double
    else round(x / pow(10, floor(log10(abs(x))) - n + 1)) * pow(10, floor(log10(abs(x))) - n + 1)
    end, 0);
