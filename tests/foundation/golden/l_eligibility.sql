with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "cases")
    union all by name select null as "day", null as "disease", null as "person" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.l_eligibility: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "cases")
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
                (0, 'day', 'day',
                    'tanon.l_eligibility: ts must be an integer column or a DATE or TIMESTAMP column of source',
                    'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("day"::timestamp as "day") from ...)'),
                (1000000, 'disease', 'disease', 'tanon.l_eligibility: sensitive must be a column of source', '', ''),
                (2000000, 'person', 'person', 'tanon.l_eligibility: respondent must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.l_eligibility: ts must be free of NULL, got ' || count(*) || ' rows with NULL in day'
        from tanon_given_source where "day" is null
        having count(*) > 0),
        (select 'tanon.l_eligibility: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in person'
        from tanon_given_source where "person" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/reposition/cells.sql
tanon_times_can_be_cut as (
select coalesce(error('tanon.l_eligibility' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/reposition/cells.sql
tanon_snapshot_cells as materialized (
    select tanon_home, tanon_sa, sum(tanon_records)::bigint as tanon_records
    from tanon_spelled_cells
    group by tanon_home, tanon_sa
),
-- sql/functions/l_diversity/l_eligibility.sql
tanon_ranked_cells as (
    select
        tanon_home as tanon_snapshot, tanon_records as tanon_n,
        row_number() over tanon_by_size - 1 as tanon_k,
        sum(tanon_records) over (tanon_by_size rows between current row and unbounded following)
            as tanon_tail
    from tanon_snapshot_cells
    window tanon_by_size as (partition by tanon_home order by tanon_records desc nulls last)
),
-- sql/functions/l_diversity/l_eligibility.sql
tanon_snapshot_levels as (
    select
        tanon_snapshot,
        sum(tanon_n)::bigint as records,
        max(tanon_n)::bigint as level,
        case
            when count(*) * tanon._denominator('2') < tanon._numerator('2') then 0
            else least(max(tanon_n), coalesce(min(
                tanon_tail * tanon._denominator('2') // nullif(greatest(
                    tanon._numerator('2') - tanon_k * tanon._denominator('2'), 0), 0)
            ), max(tanon_n)))
        end::bigint as tanon_cut,
        list(tanon_n) as tanon_counts
    from tanon_ranked_cells
    group by tanon_snapshot
),
-- sql/functions/l_diversity/l_eligibility.sql
tanon_span_of_levels as (
    select min(tanon_snapshot) as tanon_first, max(tanon_snapshot) as tanon_last
    from tanon_snapshot_levels
),
-- sql/functions/l_diversity/l_eligibility.sql
tanon_snapshots_of_span as (
    select unnest(if(
        tanon_last - tanon_first < 10000000,
        range(tanon_first, tanon_last + 1),
        error('tanon.l_eligibility' || ': granularity must be coarse enough for at most 10000000 snapshots'
            || ', got ' || tanon_last - tanon_first + 1)
    )) as tanon_snapshot
    from tanon_span_of_levels
),
-- sql/functions/l_diversity/l_eligibility.sql
tanon_person_levels as (
    select tanon_home as tanon_snapshot, max(tanon_n) as tanon_most
    from (
        select tanon._snapshot("day", struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) as tanon_home, count(*) as tanon_n
        from tanon_source
        where (select tanon_fine from tanon_times_can_be_cut)
        group by tanon_home, "person"
    )
    group by tanon_home
)
-- sql/functions/l_diversity/l_eligibility.sql
select
    tanon._snapshot_start(
        (select any_value("day") from tanon_source), tanon_snapshot, struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)
    ) as "day",
    coalesce(records, 0) as records,
    coalesce(level, 0) as level,
    coalesce(tanon_most, 0)::bigint
        as person_level,
    records / greatest(level, person_level) as max_l,
    coalesce(
        level = tanon_cut
        and not tanon._exceeds_share(person_level, records, '2'), true
    ) as eligible,
    coalesce(list_sum(list_transform(
        tanon_counts, lambda tanon_n: greatest(tanon_n - tanon_cut, 0)
    )), 0)::bigint as excess
from tanon_snapshots_of_span left join tanon_snapshot_levels using (tanon_snapshot)
     left join tanon_person_levels using (tanon_snapshot)
