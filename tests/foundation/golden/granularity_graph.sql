with tanon_call as (
select true
),
-- sql/steps/time/offer.sql
tanon_offer as materialized (
    select *, list_position(['day', 'week', 'month', 'quarter', 'year']::varchar[], tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            ,
                ('day', 'us', 86400000000, 0, [0], [86400000000], True, False, 86400000000,
                86400000000),
                ('week', 'us', 604800000000, 0, [0], [604800000000], False, False, 86400000000,
                604800000000),
                ('month', 'months', 31, 0, [0], [31], False, False, 86400000000, 2629746000000),
                ('quarter', 'months', 93, 0, [0], [93], False, False, 86400000000, 7889238000000),
                ('year', 'months', 372, 0, [0], [372], False, False, 86400000000, 31556952000000)
        ) as tanon_rules(
            tanon_name, tanon_unit, tanon_width, tanon_begin, tanon_starts, tanon_ends,
            tanon_in_days, tanon_has_gaps, tanon_beat_us, tanon_length
        )
    )
    where tanon_name is not null
),
-- sql/steps/time/offer.sql
tanon_pairs as materialized (
    select a.tanon_name as tanon_below, b.tanon_name as tanon_above
    from tanon_offer as a join tanon_offer as b on a.tanon_name <> b.tanon_name
    where case
        when a.tanon_unit = 'calendar' or b.tanon_unit = 'calendar' then false
        when a.tanon_unit = b.tanon_unit then list_bool_and(list_transform(
            a.tanon_starts,
            lambda start, i: list_sum(list_transform(
                b.tanon_starts,
                lambda low, j: tanon._positions_within(
                    a.tanon_begin + start - b.tanon_begin, gcd(a.tanon_width, b.tanon_width),
                    low, b.tanon_ends[j] - a.tanon_ends[i] + start
                )
            )) = b.tanon_width // gcd(a.tanon_width, b.tanon_width)
        ))
        else a.tanon_in_days and not b.tanon_has_gaps and b.tanon_beat_us = 86400000000 end
),
-- sql/steps/time/offer.sql
tanon_granules_differ as (
select coalesce(error('tanon.granularity_graph' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'granularities must have different granules, got '
        || string_agg(
            a.tanon_below || ' and ' || a.tanon_above, ', ' order by a.tanon_below asc nulls last
        )
        || ' with the same'
    from tanon_pairs as a join tanon_pairs as b
        on a.tanon_below = b.tanon_above and a.tanon_above = b.tanon_below
    where a.tanon_below < a.tanon_above
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/time/offer.sql
tanon_finer as materialized (
    from tanon_pairs where (select tanon_fine from tanon_granules_differ)
)
-- sql/functions/granularity/granularity_graph.sql
select tanon_f.tanon_below as finer, tanon_f.tanon_above as coarser
from tanon_finer as tanon_f
where not exists (
    from tanon_finer as tanon_first join tanon_finer as tanon_second
        on tanon_first.tanon_above = tanon_second.tanon_below
    where tanon_first.tanon_below = tanon_f.tanon_below
        and tanon_second.tanon_above = tanon_f.tanon_above
)
