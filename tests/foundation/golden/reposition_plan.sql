with
-- the argument source: sql/private/arguments.sql
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "cases")
    union all by name select null as "day", null as "disease" where false
),
-- the argument source: sql/private/arguments.sql
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.reposition_plan: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "cases")
),
-- the argument source: sql/private/arguments.sql
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                tanon._identifier(x))
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, tanon._holds_variant(column_type) as is_mixed
                from tanon_columns_of_source, (values
                (0, 'day', 'day',
                    'tanon.reposition_plan: ts must be an integer column or a DATE or TIMESTAMP column of source',
                    'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("day"::timestamp as "day") from ...)'),
                (1000000, 'disease', 'disease', 'tanon.reposition_plan: sa must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.reposition_plan: ts must be free of NULL, got ' || count(*) || ' rows with NULL in day'
        from tanon_given_source where "day" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: sql/private/arguments.sql
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/reposition/cells.sql:6
tanon_times_can_be_cut as (
select coalesce(error('tanon.reposition_plan' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select any_value(tanon._snapshot_problem("day", struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000))) || ', got '
        || any_value("day") || ' and ' || count(*) - 1 || ' more'
    from tanon_source
    where tanon._snapshot_problem("day", struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) is not null
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/reposition/cells.sql:15
tanon_spelled_cells as materialized (
    select
        tanon._snapshot("day", struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) as tanon_home,
        tanon._order_key("disease") as tanon_spelling,
        "disease" as tanon_sa,
        count(*) as tanon_records
    from tanon_source
    where (select tanon_fine from tanon_times_can_be_cut)
    group by all
),
-- sql/steps/reposition/cells.sql:27
tanon_snapshot_cells as materialized (
    select tanon_home, tanon_sa, sum(tanon_records)::bigint as tanon_records
    from tanon_spelled_cells
    group by tanon_home, tanon_sa
),
-- sql/steps/reposition/flows.sql:8
tanon_stream_values as materialized (
    select tanon_sa, row_number() over (order by tanon_sa asc nulls last) - 1 as tanon_value
    from (
        select arg_min_null(tanon_sa, tanon_spelling) as tanon_sa
        from tanon_spelled_cells as tanon_c
        group by tanon_c.tanon_sa
    )
),
-- sql/steps/reposition/flows.sql:17
tanon_counts_at_home as materialized (
    select tanon_value, tanon_home, tanon_records
    from tanon_snapshot_cells as tanon_c join tanon_stream_values as tanon_v
        on tanon_c.tanon_sa is not distinct from tanon_v.tanon_sa
),
-- sql/steps/reposition/flows.sql:23
tanon_costs_of_suppressing as (
     select null::double[] as tanon_betas
),
-- sql/steps/reposition/flows.sql:40
tanon_flows as materialized (
    select unnest("_tanon_reposition"(
        'tanon.reposition_plan',
        (select list({'home': tanon_home, 'value': tanon_value, 'records': tanon_records})
            from tanon_counts_at_home),
        tanon_betas,
         null
        ,
        '2', 4, 'd', 'step', 'stream', 'any'
    ), recursive := true)
    from tanon_costs_of_suppressing
),
-- sql/steps/reposition/flows.sql:56
tanon_counts_published as (
    select tanon_slot, tanon_value, sum(tanon_records) as tanon_n
    from tanon_flows
    where tanon_slot is not null
    group by tanon_slot, tanon_value
),
-- sql/steps/reposition/flows.sql:74
tanon_wrong_flows as (
    select 'snapshots that are not l-eligible' as tanon_what
    from tanon_counts_published
    group by tanon_slot
    having max(tanon_n) * tanon._numerator('2') > sum(tanon_n) * tanon._denominator('2')
    union all
    select 'records moved backward or beyond the window'
    from tanon_flows where tanon_slot - tanon_home not between 0 and 4 - 1
    union all
    select 'counts that do not add up'
    from (
        select tanon_value, tanon_home, tanon_records from tanon_counts_at_home
        union all
        select tanon_value, tanon_home, -tanon_records from tanon_flows
    )
    group by tanon_value, tanon_home
    having sum(tanon_records) <> 0
),
-- sql/steps/reposition/flows.sql:100
tanon_flows_are_right as (
select coalesce(error('tanon.reposition_plan' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'the result must be l-eligible and complete, got '
        || string_agg(distinct tanon_what, ', ') || ': nothing is returned'
    from tanon_wrong_flows
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/reposition/reposition_plan.sql
from (
select
    tanon_sa as "disease",
    tanon._snapshot_start((select any_value("day") from tanon_source), tanon_home,
        struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000))
        as "day",
    tanon._snapshot_start((select any_value("day") from tanon_source), tanon_slot,
        struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000))
        as published_ts,
    tanon_records as records
from tanon_flows join tanon_stream_values using (tanon_value)
)
where (select tanon_fine from tanon_flows_are_right)
