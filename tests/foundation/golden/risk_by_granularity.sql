with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "patient", null as "sex", null as "zip" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.risk_by_granularity: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.risk_by_granularity: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.risk_by_granularity: qi must be columns of source, none twice', '', ''),
                (1000002, 'zip', 'zip', 'tanon.risk_by_granularity: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.risk_by_granularity: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.risk_by_granularity: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.risk_by_granularity: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.risk_by_granularity: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
-- sql/steps/time/offer.sql
tanon_offer as materialized (
    select *, list_position(['month', 'quarter', 'year']::varchar[], tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            , ('month', 'months', 31, 0, [0], [31], False, False, 86400000000, 2629746000000),
                ('quarter', 'months', 93, 0, [0], [93], False, False, 86400000000, 7889238000000),
                ('year', 'months', 372, 0, [0], [372], False, False, 86400000000, 31556952000000)
        ) as tanon_rules(
            tanon_name, tanon_unit, tanon_width, tanon_begin, tanon_starts, tanon_ends,
            tanon_in_days, tanon_has_gaps, tanon_beat_us, tanon_length
        )
    )
    where tanon_name is not null
),
-- sql/steps/time/clock.sql
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.risk_by_granularity', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
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
-- sql/functions/k_anonymity/risk_by_granularity.sql
tanon_looked_at as (
    from tanon_feasibility
),
-- sql/steps/risk/measured.sql
tanon_rows_at_risk as not materialized (
    from tanon_timed
),
-- sql/steps/risk/members.sql
tanon_source_members as materialized (
    select 'month' as tanon_name, "sex", "zip", (year(tanon_t) * 12 + month(tanon_t) - 1) - 23640 as tanon_granule,
        "patient" as tanon_uid,
        count(*) as tanon_n
    from tanon_rows_at_risk
    where (select tanon_reason is null from tanon_feasibility where tanon_name = 'month')
    group by "sex", "zip", tanon_granule, "patient"
     union all
    select 'quarter' as tanon_name, "sex", "zip", (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880 as tanon_granule,
        "patient" as tanon_uid,
        count(*) as tanon_n
    from tanon_rows_at_risk
    where (select tanon_reason is null from tanon_feasibility where tanon_name = 'quarter')
    group by "sex", "zip", tanon_granule, "patient"
     union all
    select 'year' as tanon_name, "sex", "zip", year(tanon_t) - 1970 as tanon_granule,
        "patient" as tanon_uid,
        count(*) as tanon_n
    from tanon_rows_at_risk
    where (select tanon_reason is null from tanon_feasibility where tanon_name = 'year')
    group by "sex", "zip", tanon_granule, "patient"
),
-- sql/steps/risk/members.sql
tanon_source_sizes as materialized (
    select tanon_name, "sex", "zip", tanon_granule, count(*) as tanon_f
    from tanon_source_members
    group by tanon_name, "sex", "zip", tanon_granule
),
-- sql/steps/risk/measured.sql
tanon_sizes_in_both as materialized (
    select tanon_s.*, tanon_f
        as tanon_wide_f
    from tanon_source_sizes as tanon_s
),
-- sql/steps/risk/measured.sql
tanon_population_holds_the_source as (
select coalesce(error('tanon.risk_by_granularity' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'population must hold every respondent of the source, got ' || count(*)
        || ' groups that are smaller in the population'
    from tanon_sizes_in_both
    where tanon_wide_f < tanon_f
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/risk/measured.sql
tanon_exposed as (
    select m.tanon_name, m.tanon_uid, min(s.tanon_f) as tanon_f, min(s.tanon_wide_f) as tanon_wide_f
    from tanon_source_members as m join tanon_sizes_in_both as s
        on m.tanon_name = s.tanon_name and m.tanon_granule = s.tanon_granule
        and m."sex" is not distinct from s."sex"
        and m."zip" is not distinct from s."zip"
    where (select tanon_fine from tanon_population_holds_the_source)
    group by m.tanon_name, m.tanon_uid
),
-- sql/steps/risk/measured.sql
tanon_people_by_exposure as (
    select tanon_name, tanon_f, tanon_wide_f, count(*) as tanon_n
    from tanon_exposed
    group by all
),
-- sql/steps/risk/measured.sql
tanon_risk_of_people as (
    select
        tanon_name, sum(tanon_n)::bigint as tanon_people,
        coalesce(sum(tanon_n) filter (where tanon_f < 2), 0) as tanon_alone,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0) as tanon_below_5,
        coalesce(sum(tanon_n) filter (where tanon_f < 11), 0) as tanon_below_11,
        min(tanon_f) as tanon_smallest, min(tanon_wide_f) as tanon_wide_smallest,
        list_sum(list(
            tanon_n / tanon_f order by tanon_f asc nulls last, tanon_wide_f asc nulls last
        )) / tanon_people
            as tanon_mean,
        list_sum(list(
            tanon_n / tanon_wide_f order by tanon_wide_f asc nulls last, tanon_f asc nulls last
        )) / tanon_people
            as tanon_wide_mean
    from tanon_people_by_exposure
    group by tanon_name
),
-- sql/steps/risk/measured.sql
tanon_groups_by_size as (
    select tanon_name, tanon_f, tanon_wide_f, count(*) as tanon_n
    from tanon_sizes_in_both
    group by all
),
-- sql/steps/risk/measured.sql
tanon_risk_of_groups as (
    select
        tanon_name, sum(tanon_n)::bigint as tanon_groups,
        list_sum(list(
            tanon_links order by tanon_f asc nulls last
        )) / sum(tanon_f * tanon_n) as tanon_marketer,
        map_from_entries(list(
            (tanon_f, tanon_n) order by tanon_f asc nulls last
        )) as tanon_frequencies
    from (
        select tanon_name, tanon_f, sum(tanon_n)::bigint as tanon_n,
            list_sum(list(
                tanon_n * tanon_f / tanon_wide_f order by tanon_wide_f asc nulls last
            )) as tanon_links
        from tanon_groups_by_size
        group by all
    )
    group by tanon_name
),
-- sql/steps/risk/without.sql
tanon_members_without as (
    select distinct
        tanon_name, 'sex' as tanon_attribute, tanon_uid,
        tanon_granule as tanon_granule,
        null as "sex"
        ,
        "zip" as "zip"
    from tanon_source_members
     union all
    select distinct
        tanon_name, 'zip' as tanon_attribute, tanon_uid,
        tanon_granule as tanon_granule,
        "sex" as "sex"
        ,
        null as "zip"
    from tanon_source_members
     union all
    select distinct
        tanon_name, 'admitted' as tanon_attribute, tanon_uid,
        0 as tanon_granule,
        "sex" as "sex"
        ,
        "zip" as "zip"
    from tanon_source_members
),
-- sql/steps/risk/without.sql
tanon_exposed_without as (
    select tanon_name, tanon_attribute, tanon_uid, min(tanon_f) as tanon_f
    from (
        select tanon_name, tanon_attribute, unnest(list(tanon_uid)) as tanon_uid,
            count(*) as tanon_f
        from tanon_members_without
        group by tanon_name, tanon_attribute, tanon_granule, "sex", "zip"
    )
    group by tanon_name, tanon_attribute, tanon_uid
),
-- sql/steps/risk/without.sql
tanon_people_without as (
    select tanon_name, tanon_attribute, tanon_f, count(*) as tanon_n
    from tanon_exposed_without
    group by all
),
-- sql/steps/risk/without.sql
tanon_risk_without as (
    select tanon_name, tanon_attribute,
        list_sum(list(
            tanon_n / tanon_f order by tanon_f asc nulls last
        )) / sum(tanon_n) as tanon_mean_without
    from tanon_people_without
    group by all
),
-- sql/steps/risk/measured.sql
tanon_top_attribute as (
    select
        tanon_name, min(tanon_mean_without) as tanon_mean_without,
        arg_min(tanon_attribute, (tanon_mean_without,
            list_position(tanon._roles(['sex', 'zip']::varchar[], 'admitted'), tanon_attribute))) as tanon_attribute
    from tanon_risk_without
    group by tanon_name
),
-- sql/steps/risk/followed.sql
tanon_numbered_groups as materialized (
    select *, (row_number() over (
        order by
            tanon_f asc nulls last, tanon_name asc nulls last,
            tanon_granule asc nulls last, "sex" asc nulls last, "zip" asc nulls last
    ))::integer as tanon_cell
    from tanon_source_sizes
),
-- sql/steps/risk/followed.sql
tanon_trails as materialized (
    select (row_number() over ())::integer as tanon_trail, tanon_name, tanon_cells,
        count(*) as tanon_n
    from (
        select m.tanon_name, list(tanon_cell order by tanon_cell asc nulls last) as tanon_cells
        from tanon_source_members as m join tanon_numbered_groups as s
            on m.tanon_name = s.tanon_name and m.tanon_granule = s.tanon_granule
            and m."sex" is not distinct from s."sex"
            and m."zip" is not distinct from s."zip"
        group by m.tanon_name, m.tanon_uid
    )
    group by tanon_name, tanon_cells
),
-- sql/steps/risk/followed.sql
tanon_passages as materialized (
    select tanon_cell, tanon_trail, (tanon_cell::bigint << 32) + tanon_trail as tanon_step
    from (select unnest(tanon_cells) as tanon_cell, tanon_trail from tanon_trails)
),
-- sql/steps/risk/followed.sql
tanon_prices_of_trails as materialized (
    select
        tanon_name, sum(tanon_n)::bigint as tanon_people,
        sum(tanon_through) as tanon_looks
    from tanon_trails join (
        select tanon_cell, count(*) as tanon_through from tanon_passages group by tanon_cell
    ) on tanon_cells[1] = tanon_cell
    group by tanon_name
),
-- sql/steps/risk/followed.sql
tanon_drawn_trails as materialized (
    select tanon_name, tanon_cells, tanon_mark, tanon_people, tanon_looks, row_number() over (
        partition by tanon_name order by tanon_mark asc nulls last, tanon_cells asc nulls last
    ) as tanon_rank
    from (
        select *, sha256(concat_ws(' ', 0, tanon_cells, tanon_copy)) as tanon_mark
        from (
            select *, unnest(range(tanon_n)) as tanon_copy
            from tanon_trails join tanon_prices_of_trails using (tanon_name)
            where tanon_looks > 134217728
        )
    )
),
-- sql/steps/risk/followed.sql
tanon_known_sets as materialized (
    select tanon_name, true as tanon_is_all, false as tanon_is_drawn, tanon_cells as tanon_known,
        tanon_n, 1 as tanon_of
    from tanon_trails join tanon_prices_of_trails using (tanon_name)
    where tanon_looks <= 134217728
    union all
    select tanon_name, true, true, tanon_cells, 1, 1
    from tanon_drawn_trails
    where tanon_looks > 134217728
        and tanon_rank <= greatest(1000, tanon_people * 134217728 / tanon_looks)
),
-- sql/steps/risk/followed.sql
tanon_questions as materialized (
    select *, (row_number() over ())::integer as tanon_question,
        tanon_known[least('1'::integer, len(tanon_known))]::bigint as "1"
        ,
        tanon_known[least('2'::integer, len(tanon_known))]::bigint as "2"
        ,
        tanon_known[least('3'::integer, len(tanon_known))]::bigint as "3"
        ,
        tanon_known[least('4'::integer, len(tanon_known))]::bigint as "4"
        ,
        tanon_known[least('5'::integer, len(tanon_known))]::bigint as "5"
        ,
        tanon_known[least('6'::integer, len(tanon_known))]::bigint as "6"
    from (select distinct tanon_known from tanon_known_sets)
),
-- sql/steps/risk/followed.sql
tanon_in_two as materialized (
    select "1", "2", tanon_trail
    from (select distinct "1", "2" from tanon_questions) join tanon_passages on "1" = tanon_cell
    where ("2" << 32) + tanon_trail in (select tanon_step from tanon_passages)
),
-- sql/steps/risk/followed.sql
tanon_in_three as materialized (
    select "1", "2", "3", tanon_trail
    from (select distinct "1", "2", "3" from tanon_questions) join tanon_in_two using ("1", "2")
    where ("3" << 32) + tanon_trail in (select tanon_step from tanon_passages)
),
-- sql/steps/risk/followed.sql
tanon_in_six as materialized (
    select tanon_question, tanon_trail
    from tanon_questions join tanon_in_three using ("1", "2", "3")
    where ("4" << 32) + tanon_trail in (select tanon_step from tanon_passages)
        and ("5" << 32) + tanon_trail in (select tanon_step from tanon_passages)
        and ("6" << 32) + tanon_trail in (select tanon_step from tanon_passages)
),
-- sql/steps/risk/followed.sql
tanon_answers as materialized (
    select tanon_known, sum(tanon_n)::bigint as tanon_f
    from tanon_in_six join tanon_questions using (tanon_question) join tanon_trails using (tanon_trail)
    where len(tanon_known) <= 6 or list_has_all(tanon_cells, tanon_known)
    group by tanon_known
),
-- sql/steps/risk/followed.sql
tanon_counted_answers as (
    select
        tanon_name, tanon_is_all, bool_or(tanon_is_drawn) as tanon_is_drawn, tanon_of,
        sum(tanon_n)::bigint as tanon_n,
        coalesce(sum(tanon_n) filter (tanon_f < 2), 0)::bigint as tanon_alone,
        coalesce(sum(tanon_n) filter (tanon_f < 5), 0)::bigint as tanon_below_5
    from tanon_known_sets join tanon_answers using (tanon_known)
    group by tanon_name, tanon_is_all, tanon_of
),
-- sql/steps/risk/followed.sql
tanon_followed_trails as (
    select
        tanon_name, tanon_is_all,
        list_sum(list(
            tanon_alone / tanon_of order by tanon_of asc nulls last
        )) / tanon_all as tanon_alone,
        list_sum(list(
            tanon_below_5 / tanon_of order by tanon_of asc nulls last
        )) / tanon_all as tanon_below_5,
        case when bool_or(tanon_is_drawn) then 0.98 / sqrt(tanon_all) else 0 end as tanon_margin
    from (
        select *, list_sum(list(tanon_n / tanon_of order by tanon_of asc nulls last) over (
            partition by tanon_name, tanon_is_all
        )) as tanon_all
        from tanon_counted_answers
    )
    group by tanon_name, tanon_is_all, tanon_all
)
-- sql/functions/k_anonymity/risk_by_granularity.sql
select
    tanon_name as granularity,
    tanon_reason as reason, tanon_people as respondents,
    tanon_groups as groups, r.tanon_alone / tanon_people as unique_share,
    r.tanon_below_5 / tanon_people as below_5_share,
    tanon_below_11 / tanon_people as below_11_share,
    1 / tanon_smallest as prosecutor_max, tanon_mean as prosecutor_mean,
    1 / tanon_wide_smallest as journalist_max, tanon_wide_mean as journalist_mean,
    tanon_marketer as marketer, tanon_frequencies as frequencies,
    tanon_attribute as top_attribute, tanon_mean_without as mean_without_it
    ,
    w.tanon_alone as trail_unique_share, w.tanon_below_5 as trail_below_5_share,
    w.tanon_margin as trail_margin, p.tanon_alone as known_unique_share,
    p.tanon_below_5 as known_below_5_share, p.tanon_margin as known_margin
from tanon_looked_at left join tanon_risk_of_people as r using (tanon_name)
left join tanon_risk_of_groups using (tanon_name) left join tanon_top_attribute using (tanon_name)
left join (from tanon_followed_trails where tanon_is_all) as w using (tanon_name)
left join (from tanon_followed_trails where not tanon_is_all) as p using (tanon_name)
order by tanon_place asc nulls last
