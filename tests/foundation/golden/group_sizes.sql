with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "patient", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.group_sizes: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
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
                (0, 'patient', 'patient', 'tanon.group_sizes: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.group_sizes: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.group_sizes: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.group_sizes: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.group_sizes: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.group_sizes: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
            || left(any_value(column_type), 0)
        from tanon_columns_of_source
        where folded = 'admitted' and ends_with(column_type, 'WITH TIME ZONE')
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/time/clock.sql
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.group_sizes', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/time/sorted.sql
tanon_numbered as materialized (
    select *, (row_number() over ())::integer as tanon_value
    from (select distinct "sex" from tanon_timed)
),
-- sql/steps/time/sorted.sql
tanon_sorted as materialized (
    select
        tanon_value, tanon_beat,
        case when lag(tanon_uid) over tanon_in_order = tanon_uid
            then lag(tanon_beat) over tanon_in_order end as tanon_previous
    from (
        select
            tanon_value, tanon_s."patient" as tanon_uid,
            case when tanon_t >= timestamp '0001-01-01' and tanon_t < timestamp '10000-01-01'
                then ((epoch_us(tanon_t) + 62135596800000000) // 86400000000)::integer end as tanon_beat
        from tanon_timed as tanon_s join tanon_numbered as tanon_v
            on
                tanon_s."sex" is not distinct from tanon_v."sex"
    )
    window tanon_in_order as (
        partition by tanon_value order by tanon_uid asc nulls last, tanon_beat asc nulls last
    )
),
-- sql/steps/time/offer.sql
tanon_offer as materialized (
    select *, list_position(['week', 'month', 'quarter']::varchar[], tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            ,
                ('week', 'us', 604800000000, 0, [0], [604800000000], False, False, 86400000000,
                604800000000),
                ('month', 'months', 31, 0, [0], [31], False, False, 86400000000, 2629746000000),
                ('quarter', 'months', 93, 0, [0], [93], False, False, 86400000000, 7889238000000)
        ) as tanon_rules(
            tanon_name, tanon_unit, tanon_width, tanon_begin, tanon_starts, tanon_ends,
            tanon_in_days, tanon_has_gaps, tanon_beat_us, tanon_length
        )
    )
    where tanon_name is not null
),
-- sql/steps/time/feasible.sql
tanon_span as materialized (
    select
        count(*) as tanon_rows, min(tanon_t) as tanon_first, max(tanon_t) as tanon_last,
        coalesce(bool_or(tanon_is_date), false) as tanon_is_date,
        min(tanon_t) filter (where tanon_t >= timestamp '10000-01-01') as tanon_late
    from tanon_timed
),
-- sql/steps/time/feasible.sql
tanon_uncovered as (
    select tanon_name, min(tanon_t) as tanon_gap
    from (
        select
            tanon_name,
            case when tanon_first < timestamp '0001-01-01' then tanon_first else tanon_late end
                as tanon_t
        from tanon_offer, tanon_span
        where tanon_unit <> 'calendar'
    )
    group by tanon_name
),
-- sql/steps/time/feasible.sql
tanon_feasibility as materialized (
    select
        tanon_name, tanon_length, tanon_place,
        case
            when tanon_is_date and tanon_beat_us < 86400000000
                then 'its granules are shorter than the days of a DATE such as '
                    || tanon_first::date
            when tanon_gap is not null then 'no granule covers '
                || case when tanon_is_date then tanon_gap::date::varchar
                    else tanon_gap::varchar end
        end as tanon_reason
    from tanon_offer left join tanon_uncovered using (tanon_name), tanon_span
),
-- sql/steps/time/cells.sql
tanon_days_met as (
    select
        tanon_day
    from (
        select (tanon_beat // 1::integer)::integer as tanon_day
        from tanon_sorted
    )
    group by tanon_day
),
-- sql/steps/time/cells.sql
tanon_granules_of_days as (
    select
        tanon_day
        , min(tanon_dawn) over (partition by ((tanon_t::date - date '0001-01-01') // 7 - 102737))
            as tanon_begin_7765656B
        , min(tanon_dawn) over (partition by ((year(tanon_t) * 12 + month(tanon_t) - 1) - 23640))
            as tanon_begin_6D6F6E7468
        , min(tanon_dawn) over (partition by ((year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880))
            as tanon_begin_71756172746572
    from tanon_days_met, lateral (
        select
            tanon._since_year_1(tanon_day * 86400000000) as tanon_t,
            tanon_day * 1::integer as tanon_dawn
    )
),
-- sql/steps/time/cells.sql
tanon_days as materialized (
    select
        *, min(tanon_day) over (partition by
            tanon_begin_7765656B
            ,
            tanon_begin_6D6F6E7468
            ,
            tanon_begin_71756172746572
        ) as tanon_cell
    from tanon_granules_of_days
),
-- sql/steps/time/cells.sql
tanon_cells as materialized (
    select
        tanon_value, tanon_cell, count(*) as tanon_n
        , count(case when tanon_previous >= tanon_begin_7765656B then null else 1 end)
            as tanon_firsts_7765656B
        , count(case when tanon_previous >= tanon_begin_6D6F6E7468 then null else 1 end)
            as tanon_firsts_6D6F6E7468
        , count(case when tanon_previous >= tanon_begin_71756172746572 then null else 1 end)
            as tanon_firsts_71756172746572
    from tanon_sorted join tanon_days
        on tanon_beat // 1::integer = tanon_day
    group by tanon_value, tanon_cell
),
-- sql/steps/time/sizes.sql
tanon_sizes_offered as materialized (
    select
        'week' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select
            sum(tanon_n)::bigint as tanon_n,
            sum(tanon_firsts_7765656B)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_7765656B
    )
    group by tanon_f
     union all
    select
        'month' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select
            sum(tanon_n)::bigint as tanon_n,
            sum(tanon_firsts_6D6F6E7468)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_6D6F6E7468
    )
    group by tanon_f
     union all
    select
        'quarter' as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select
            sum(tanon_n)::bigint as tanon_n,
            sum(tanon_firsts_71756172746572)::bigint as tanon_f
        from tanon_cells as tanon_c join tanon_days on tanon_c.tanon_cell = tanon_day
        group by tanon_value, tanon_begin_71756172746572
    )
    group by tanon_f
)
-- sql/functions/k_anonymity/group_sizes.sql
select
    tanon_name as granularity, tanon_f::bigint as frequency, tanon_groups as groups,
    tanon_tuples as tuples
from tanon_sizes_offered join tanon_feasibility using (tanon_name)
where tanon_reason is null
order by tanon_place asc nulls last, frequency asc nulls last
