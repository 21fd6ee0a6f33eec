with tanon_call as (select true),
-- sql/steps/time/offer.sql:8
tanon_offer as materialized (
    select *, list_position(['day', 'week', 'month', 'quarter', 'year']::varchar[], tanon_name) as tanon_place
    from (
        from (values (null::varchar, '', 0::bigint, 0::bigint, 0::bigint)
            , ('day', 'us', 86400000000, 0, 86400000000),
                ('week', 'us', 604800000000, 0, 604800000000),
                ('month', 'months', 1, 0, 2629746000000), ('quarter', 'months', 3, 0, 7889238000000), ('year', 'months', 12, 0, 31556952000000)
        ) as tanon_rules(tanon_name, tanon_kind, tanon_width, tanon_begin, tanon_length)
    )
    where tanon_name is not null
),
-- sql/steps/time/offer.sql:26
tanon_pairs as materialized (
    select a.tanon_name as tanon_below, b.tanon_name as tanon_above
    from tanon_offer as a, tanon_offer as b
    where a.tanon_name <> b.tanon_name and case
        when a.tanon_kind = 'us' and b.tanon_kind = 'us'
            then b.tanon_width % a.tanon_width = 0
                and (b.tanon_begin - a.tanon_begin) % a.tanon_width = 0
        when a.tanon_kind = 'us' and b.tanon_kind in ('months', 'part')
            then 86400000000 % a.tanon_width = 0
        when a.tanon_kind = 'months' and b.tanon_kind = 'months'
            then b.tanon_width % a.tanon_width = 0
        when a.tanon_kind = 'part' then b.tanon_kind = 'months'
        when a.tanon_kind = 'business_day'
            then b.tanon_kind in ('business_week', 'months', 'part')
                or b.tanon_kind = 'us' and b.tanon_width % 86400000000 = 0
        when a.tanon_kind = 'business_week'
            then b.tanon_kind = 'us' and b.tanon_width % 604800000000 = 0
        else false end
),
-- sql/steps/time/offer.sql:50
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
-- sql/steps/time/offer.sql:63
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
