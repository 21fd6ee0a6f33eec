{# The series in an order that has no meaning and is the same for any order of the table. #}
tanon_numbered as materialized (
    select row_number() over (order by hash(tanon_id, {seed}), tanon_id) as tanon_row, *
    from tanon_series where (select tanon_fine from tanon_enough)
)
