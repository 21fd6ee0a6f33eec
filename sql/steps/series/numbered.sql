-- The series in an order that nobody can foresee without the secret, the same for any order of the
-- table: it decides ties. The function says what `purpose` is: the name of who publishes.
-- Yields: numbered_series
-- Reads: purpose, series_are_fine, series_rows
-- Takes: k, secret

guard enough_series on numbered_series
    select 'source must be at least k = ' || {k} || ' series, got ' || count(*)
    from {series_rows}
    having count(*) between 1 and {k} - 1
end

step key_of_series
    select tanon._key({secret}, {purpose}, any_value(typeof(tanon_id))) as tanon_key
    from {series_rows}
end

step numbered_series materialized
    select
        row_number() over (
            order by
                tanon._keyed(tanon_key, tanon._cell_text(tanon_id)) asc nulls last,
                tanon_id asc nulls last
        ) as tanon_row,
        tanon_s.*
    from {series_rows} as tanon_s, {key_of_series}
    where {checked enough_series} and {checked series_are_fine}
end
