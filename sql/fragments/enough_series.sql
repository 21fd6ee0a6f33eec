{# One row that raises if there are series, but fewer than k. #}
tanon_enough as (
    select coalesce((
        select error(
            {function} || ': source must be at least k = ' || {k} || ' series, got ' || count(*)
        )
        from tanon_series having count(*) between 1 and {k} - 1
    ), (select tanon_fine from tanon_series_are_fine)) as tanon_fine
)
