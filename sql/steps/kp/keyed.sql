-- The rows of a release, each with a key that nobody foresees: it decides all that is drawn.
-- Yields: keyed_rows
-- Reads: kept_is_fine, kept_together_is_fine
-- Takes: published, sensitive, keep, secret

step numbered_classes
    select low, high, pr, level, row_number() over (
        order by low asc nulls last, high asc nulls last, pr asc nulls last, level asc nulls last
    ) as tanon_class
    from (select distinct low, high, pr, level from {published})
end

step spelt_rows
    select
        p.low, p.high, p.pr, p.level, {p.sensitive} {,p.keep}, tanon_class,
        concat(row(p.low, p.high, p.pr, p.level)::varchar, {p.sensitive:encoded}, {p.keep:encoded})
            as tanon_row
    from {published} as p
    join {numbered_classes} as c on
        p.low is not distinct from c.low and p.high is not distinct from c.high
        and p.pr is not distinct from c.pr and p.level is not distinct from c.level
    where {checked kept_is_fine} and {checked kept_together_is_fine}
end

step key_of_rows
    select tanon._key({secret}, {function}, {sensitive:text}) as tanon_secret
end

step keyed_rows materialized
    select
        * exclude (tanon_row, tanon_secret), row_number() over () as tanon_place,
        tanon._keyed(tanon_secret, concat(
            row_number() over (partition by encode(tanon_row)), ' ', tanon_row
        ))::varchar as tanon_key
    from {spelt_rows}, {key_of_rows}
end
