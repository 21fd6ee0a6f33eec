-- The readings of a series column: a list, or a number that is a series of one reading.

create or replace macro tanon._readings(x double[]) as x, (x double) as [x],
    (x) as null::double[];

create or replace macro tanon._share_a_name(x, others) as list_has_any(
    list_transform(tanon._list(x), lambda c: tanon._folded(c)),
    list_transform(others, lambda c: tanon._folded(c)));

create or replace macro tanon._is_fill(x) as coalesce(
    x::varchar in ('previous', 'linear') or isfinite(try_cast(x::varchar as double)), false);
