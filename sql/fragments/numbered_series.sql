{# The series in an order that nobody can foresee without the secret, the same for any order of the
   table: it decides ties. `purpose` is the name of the function that publishes. #}
tanon_turn as (
    select tanon._key({secret}, {{ purpose }}, any_value(typeof(tanon_id))) as tanon_key
    from tanon_series
),
tanon_numbered as materialized (
    select
        row_number() over (
            order by tanon._keyed(tanon_key, tanon_id::varchar), tanon_id
        ) as tanon_row,
        tanon_series.*
    from tanon_series, tanon_turn where (select tanon_fine from tanon_enough)
)
