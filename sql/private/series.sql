-- The readings of a series column: a list, or a number that is a series of one reading.

create or replace macro tanon._readings(x double[]) as x, (x double) as [x],
    (x) as null::double[];

create or replace macro tanon._is_fill(x) as coalesce(
    x::varchar in ('previous', 'linear') or isfinite(try_cast(x::varchar as double)), false);

-- A list of numbers with nothing under its NULLs: a failed cast writes 0 there, where CASE and the
-- rest leave what the memory held before, and Arrow shows it.
create or replace macro tanon._nothing_under_null(x) as list_transform(x, lambda v, i:
    case when v is null then try_cast(concat('-x', i) as double) else v end);

-- Sixteen places, for columns that are compared one by one: their numbers, and names with them.
create or replace macro tanon._slots() as list_transform(range(1, 17), lambda i: i::varchar);

create or replace macro tanon._slot(name, place) as name || place;

-- Which cells between ascending edges a range meets; an open end reaches as far as there are cells.
create or replace macro tanon._grid_cells(edges, low, high) as range(
    len(list_filter(edges, lambda e: e <= coalesce(low, '-inf'))),
    len(list_filter(edges, lambda e: e <= coalesce(high, 'inf'))) + 1);
