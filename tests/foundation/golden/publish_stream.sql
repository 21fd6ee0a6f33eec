with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "cases")
    union all by name select null as "age", null as "day", null as "disease", null as "district", null as "person" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.publish_stream: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "cases")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.publish_stream: source must be a relation without columns published_ts, distance, loss, reason, got one with '
            || min(column_name)
        from tanon_columns_of_source
        where list_contains(['published_ts', 'distance', 'loss', 'reason']::varchar[], folded)
        having count(*) > 0),
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (0, 'day', 'day',
                    'tanon.publish_stream: ts must be an integer column or a DATE or TIMESTAMP column of source',
                    'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("day"::timestamp as "day") from ...)'),
                (1000000, 'disease', 'disease', 'tanon.publish_stream: sensitive must be a column of source', '', ''),
                (2000000, 'person', 'person', 'tanon.publish_stream: respondent must be a column of source', '', ''),
                (3000001, 'age', 'age', 'tanon.publish_stream: keep must be columns of source, none twice', '', ''),
                (3000002, 'district', 'district', 'tanon.publish_stream: keep must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.publish_stream: ts must be free of NULL, got ' || count(*) || ' rows with NULL in day'
        from tanon_given_source where "day" is null
        having count(*) > 0),
        (select 'tanon.publish_stream: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in person'
        from tanon_given_source where "person" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/reposition/persons.sql
tanon_records_by_person as (
    select "person" as tanon_person, count(*) as tanon_n from tanon_source group by "person"
),
-- sql/steps/reposition/cells.sql
tanon_times_can_be_cut as (
select coalesce(error('tanon.publish_stream' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select tanon_problem || ', got ' || case when starts_with(tanon_problem, 'granularity')
        then coalesce(NULL, 'NULL')
        else min("day"::varchar) || ' and ' || count(*) - 1 || ' more' end
    from (
        select "day",
            tanon._snapshot_problem("day",
            struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) as tanon_problem from tanon_source
    )
    where tanon_problem is not null
    group by tanon_problem
    order by tanon_problem asc nulls last
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/steps/reposition/persons.sql
tanon_cells_of_several as (
    select
        tanon_person,
        tanon._snapshot(tanon_row."day", struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) as tanon_home,
        tanon._order_key(tanon_row."disease") as tanon_spelling,
        count(*) as tanon_records
    from tanon_source as tanon_row join tanon_records_by_person on tanon_row."person" = tanon_person
    where tanon_n > 1 and (select tanon_fine from tanon_times_can_be_cut)
    group by tanon_person, tanon_home, tanon_spelling
),
-- sql/steps/reposition/persons.sql
tanon_cells_of_persons as materialized (
    select * exclude (tanon_before, tanon_after, tanon_here)
    from (
        select
            *,
            tanon_home - lag(tanon_home) over tanon_in_time as tanon_before,
            lead(tanon_home) over tanon_in_time - tanon_home as tanon_after,
            tanon_records as tanon_here
        from tanon_cells_of_several
        window tanon_in_time as (
            partition by tanon_person
            order by tanon_home asc nulls last, tanon_spelling asc nulls last
        )
    )
    where tanon_here > 1 or tanon_before < 4 or tanon_after < 4
),
-- sql/steps/reposition/rows.sql
tanon_decided_rows as not materialized (
     from tanon_source
),
-- sql/steps/reposition/cells.sql
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
-- sql/steps/reposition/persons.sql
tanon_decided_cells as materialized (
     from tanon_spelled_cells
),
-- sql/steps/reposition/flows.sql
tanon_stream_values as materialized (
    select tanon_sa, row_number() over (order by tanon_sa asc nulls last) - 1 as tanon_value
    from (
        select arg_min_null(tanon_sa, tanon_spelling) as tanon_sa
        from tanon_spelled_cells as tanon_c
        group by tanon_c.tanon_sa
    )
),
-- sql/steps/reposition/flows.sql
tanon_spellings as (
    select
        tanon_spelling, tanon_value,
        row_number() over (
            order by tanon_value asc nulls last, tanon_spelling asc nulls last
        ) as tanon_number
    from (select distinct tanon_spelling, tanon_sa from tanon_spelled_cells) as tanon_c
        join tanon_stream_values as tanon_v on tanon_c.tanon_sa is not distinct from tanon_v.tanon_sa
),
-- sql/steps/reposition/flows.sql
tanon_counts_at_home as materialized (
    select tanon_value, tanon_home, sum(tanon_records)::bigint as tanon_records
    from tanon_decided_cells as tanon_c join tanon_stream_values as tanon_v
        on tanon_c.tanon_sa is not distinct from tanon_v.tanon_sa
    group by tanon_value, tanon_home
),
-- sql/steps/reposition/flows.sql
tanon_costs_of_suppressing as (
     select null::double[] as tanon_betas
),
-- sql/steps/reposition/flows.sql
tanon_flows as materialized (
    select unnest(tanon._answer("_tanon_reposition"(
        'tanon.publish_stream',
        (select list({'home': tanon_home, 'value': tanon_value, 'records': tanon_records})
            from tanon_counts_at_home),
        tanon_betas,
         null
        ,
        '2', 4, 'd', 'step', 'stream', 'any'
    )), recursive := true)
    from tanon_costs_of_suppressing
),
-- sql/steps/reposition/flows.sql
tanon_counts_published as (
    select tanon_slot, tanon_value, sum(tanon_records) as tanon_n
    from tanon_flows
    where tanon_slot is not null
    group by tanon_slot, tanon_value
),
-- sql/steps/reposition/flows.sql
tanon_wrong_flows as (
    select 'snapshots that are not l-eligible' as tanon_what
    from tanon_counts_published
    group by tanon_slot
    having tanon._exceeds_share(max(tanon_n), sum(tanon_n), '2')
    union all
    select 'records moved backward or beyond the window'
    from tanon_flows where tanon._leaves_window(tanon_home, tanon_slot, 4)
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
-- sql/steps/reposition/flows.sql
tanon_flows_are_right as (
select coalesce(error('tanon.publish_stream' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'the result must be l-eligible and complete, got '
        || string_agg(distinct tanon_what, ', ') || ': nothing is returned'
    from tanon_wrong_flows
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/reposition/rows.sql
tanon_ways as materialized (
    select
        tanon_c.tanon_home, tanon_c.tanon_spelling, tanon_number::integer as tanon_number,
        tanon_group::integer as tanon_group, tanon_share, tanon_shares = 1 as tanon_whole,
        tanon._snapshot_start((select any_value("day") from tanon_source), tanon_slot,
            struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000))
            as tanon_published,
        tanon_slot - tanon_f.tanon_home as tanon_distance, tanon_loss,
        dense_rank() over (
            order by tanon_slot asc nulls last, tanon_number asc nulls last
        )::integer as tanon_cell
    from tanon_decided_cells as tanon_c
        join tanon_spellings as tanon_s
            on tanon_c.tanon_spelling is not distinct from tanon_s.tanon_spelling
        join tanon_flows as tanon_f
            on tanon_c.tanon_home = tanon_f.tanon_home and tanon_s.tanon_value = tanon_f.tanon_value
    where (select tanon_fine from tanon_flows_are_right)
),
-- sql/steps/reposition/rows.sql
tanon_placed_rows as not materialized (
    select
         tanon_row."disease" ,
            tanon_row."person" , tanon_row."age", tanon_row."district" ,
        tanon_w.* exclude (tanon_home, tanon_spelling, tanon_share)
    from tanon_decided_rows as tanon_row join tanon_ways as tanon_w
        on tanon._snapshot(tanon_row."day", struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) = tanon_home
        and tanon._order_key(tanon_row."disease") is not distinct from tanon_spelling
    where tanon_share = 0
),
-- sql/steps/reposition/rows.sql
tanon_rows_with_places as (
    select
        * exclude (tanon_whole, tanon_published, tanon_distance, tanon_loss, tanon_cell),
        row_number() over (
            partition by tanon_group
            order by
                tanon._order_key("age") asc nulls last,
                tanon._order_key("district") asc nulls last,
                 tanon._order_key("person") asc nulls last,
                tanon_number asc nulls last
        ) as tanon_place
    from tanon_placed_rows
    where not tanon_whole
),
-- sql/steps/reposition/rows.sql
tanon_key_of_places as materialized (
    select tanon._key(tanon._answer("_tanon_held_secret"(true)), 'tanon.reposition', list(
        column_type order by column_type asc nulls last
    )) as tanon_key
    from tanon_columns_of_source
    where tanon._is_named(folded, list_concat(['day', 'disease'], ['age', 'district']::varchar[]))
),
-- sql/steps/reposition/rows.sql
tanon_drawn_places as materialized (
    select unnest(tanon._answer("_tanon_draw_places"(
        (select tanon_key from tanon_key_of_places),
        list({
            'name': concat(tanon_home, ' ', tanon._cell_text(tanon_sa)), 'tanon_group': tanon_group,
            'share': tanon_share, 'records': tanon_records
        })
    )), recursive := true)
    from tanon_flows join tanon_stream_values using (tanon_value)
    where tanon_shares > 1 and (select tanon_fine from tanon_flows_are_right)
),
-- sql/steps/reposition/rows.sql
tanon_places_are_right as (
select coalesce(error('tanon.publish_stream' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'as many rows must move as were planned, got others: nothing is returned'
    from (
        select tanon_group, tanon_share, tanon_records
        from tanon_flows
        where tanon_share > 0
        union all
        select tanon_group, tanon_share, -count(*)
        from tanon_drawn_places
        group by tanon_group, tanon_share
        union all
        select tanon_group, -1, count(*) - count(distinct tanon_place)
        from tanon_drawn_places
        group by tanon_group
    )
    group by tanon_group, tanon_share
    having sum(tanon_records) <> 0
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/steps/reposition/rows.sql
tanon_moved_rows as (
    select
        * exclude (
            tanon_group, tanon_number, tanon_whole, tanon_published, tanon_distance, tanon_loss,
            tanon_cell
        ),
        tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
         , tanon_cell
    from tanon_placed_rows
    where tanon_whole
    union all
    select
        tanon_row.* exclude (tanon_group, tanon_number, tanon_place),
        tanon_w.tanon_published, tanon_w.tanon_distance, tanon_w.tanon_loss
         , tanon_w.tanon_cell
    from tanon_rows_with_places as tanon_row left join tanon_drawn_places as tanon_d
        on tanon_row.tanon_group = tanon_d.tanon_group
        and tanon_row.tanon_place = tanon_d.tanon_place
    join tanon_ways as tanon_w
        on tanon_row.tanon_group = tanon_w.tanon_group
        and tanon_row.tanon_number = tanon_w.tanon_number
        and coalesce(tanon_d.tanon_share, 0) = tanon_w.tanon_share
    where (select tanon_fine from tanon_places_are_right)
),
-- sql/steps/reposition/persons.sql
tanon_records_together as (
    select tanon_slot, tanon_person, sum(tanon_n) as tanon_n
    from (
        select
            tanon_f.tanon_slot, tanon_p.tanon_person,
            least(sum(tanon_p.tanon_records), any_value(tanon_f.tanon_records)) as tanon_n
        from (
             from tanon_cells_of_persons
        ) as tanon_p join tanon_spellings as tanon_s
            on tanon_p.tanon_spelling is not distinct from tanon_s.tanon_spelling
        join tanon_flows as tanon_f
            on tanon_p.tanon_home = tanon_f.tanon_home and tanon_s.tanon_value = tanon_f.tanon_value
        where tanon_slot is not null
        group by tanon_f.tanon_slot, tanon_p.tanon_person, tanon_f.tanon_home, tanon_f.tanon_value
    )
    group by tanon_slot, tanon_person
    having sum(tanon_n) > 1
),
-- sql/steps/reposition/persons.sql
tanon_persons_are_apart as (
select coalesce(error('tanon.publish_stream' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'no person must hold more than one l-th of a published snapshot, got '
        || count(distinct tanon_person) || ' persons who could in ' || count(distinct tanon_slot)
        || ' snapshots: repeats := ''one'' publishes a person once in w snapshots'
    from tanon_records_together join (
        select tanon_slot, sum(tanon_n) as tanon_size from tanon_counts_published group by tanon_slot
    ) using (tanon_slot)
    where tanon._exceeds_share(tanon_n, tanon_size, '2')
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/reposition/publish_stream.sql
from (
from (
    select published_ts as "day", "disease" , "person" , "age", "district"
    from tanon_moved_rows
    where published_ts is not null
    order by
        tanon_cell asc nulls last
        , tanon._order_key("age") asc nulls last, tanon._order_key("district") asc nulls last
        , tanon._order_key("person") asc nulls last
)
)
where (select tanon_fine from tanon_persons_are_apart)
