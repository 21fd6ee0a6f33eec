{# The rows of a release, each with a key that nobody foresees: it decides all that is drawn. #}
tanon_classes as (
    select low, high, pr, level, row_number() over (order by low, high, pr, level) as tanon_class
    from (select distinct low, high, pr, level from {published})
),
tanon_texts as (
    select
        p.low, p.high, p.pr, p.level, {p.sensitive} {,p.keep}, tanon_class,
        concat(row(p.low, p.high, p.pr, p.level)::varchar, {p.sensitive:encoded}, {p.keep:encoded})
            as tanon_row
    from {published} as p
    join tanon_classes as c on
        p.low is not distinct from c.low and p.high is not distinct from c.high
        and p.pr is not distinct from c.pr and p.level is not distinct from c.level
    where (select tanon_fine from tanon_kept_is_fine)
),
tanon_turn as (select tanon._key({secret}, {function}, {sensitive:text}) as tanon_secret),
tanon_numbered as materialized (
    select
        * exclude (tanon_row, tanon_secret), row_number() over () as tanon_place,
        tanon._keyed(tanon_secret, concat(
            row_number() over (partition by encode(tanon_row)), ' ', tanon_row
        ))::varchar as tanon_key
    from tanon_texts, tanon_turn
)
