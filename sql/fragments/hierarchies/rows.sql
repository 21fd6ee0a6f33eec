{# Equal rows are counted together where a look at some of them says that it pays. #}
tanon_total as materialized (select count(*) as tanon_rows_of_all from tanon_coded),
tanon_pays as materialized (
    select tanon_looked = tanon_rows_of_all
        or 1 - tanon_different / tanon_looked > 2 * tanon_looked / tanon_rows_of_all
        as tanon_it_does
    from tanon_total, (
        select sum(tanon_n) as tanon_looked, count(*) as tanon_different
        from (
            select count(*) as tanon_n
            from (from tanon_coded limit 65536)
            group by {qi}, tanon_time, tanon_who
        )
    )
),
tanon_compact as materialized (
    select * exclude (tanon_n), count(*)::integer as tanon_n
    from tanon_coded
    where (select tanon_it_does from tanon_pays)
    group by all
),
tanon_base as not materialized (
    from tanon_coded where not (select tanon_it_does from tanon_pays)
    union all
    from tanon_compact
),
