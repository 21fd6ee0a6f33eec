-- The readings of a series column: a list, or a number that is a series of one reading.

create or replace macro tanon._readings(x double[]) as x, (x double) as [x],
    (x) as null::double[];

create or replace macro tanon._is_fill(x) as coalesce(
    x::varchar in ('previous', 'linear') or isfinite(try_cast(x::varchar as double)), false);
