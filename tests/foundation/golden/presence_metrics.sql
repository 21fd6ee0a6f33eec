with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as materialized (
    from (select * not similar to '(?i)tanon_.*' from (from visits order by all limit 300))
    union all by name select null as "patient", null as "sex", null as "zip" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.presence_metrics: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (from visits order by all limit 300))
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
                (0, 'patient', 'patient', 'tanon.presence_metrics: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.presence_metrics: qi must be columns of source, none twice', '', ''),
                (1000002, 'zip', 'zip', 'tanon.presence_metrics: qi must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.presence_metrics: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- the argument population: tanon_duck/macros/source_ctes.py
tanon_given_population as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "patient", null as "sex", null as "zip" where false
),
-- the argument population: tanon_duck/macros/source_ctes.py
tanon_columns_of_population as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.presence_metrics: population must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument population: tanon_duck/macros/source_ctes.py
tanon_population_is_fine as (
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
                from tanon_columns_of_population, (values
                (0, 'patient', 'patient', 'tanon.presence_metrics: respondent must be a column of population', '', ''),
                (1000001, 'sex', 'sex', 'tanon.presence_metrics: qi must be columns of population, none twice', '', ''),
                (1000002, 'zip', 'zip', 'tanon.presence_metrics: qi must be columns of population, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.presence_metrics: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_population where "patient" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument population: tanon_duck/macros/source_ctes.py
tanon_population as not materialized (
    from tanon_given_population where (select fine from tanon_population_is_fine)
),
-- sql/functions/k_anonymity/presence_metrics.sql
tanon_people_there as (
    select "sex", "zip", count(*) as tanon_wide
    from (
        select distinct
            tanon._cell_text("sex") as "sex", tanon._cell_text("zip") as "zip",
            "patient" as tanon_uid
        from tanon_population
    )
    group by "sex", "zip"
),
-- sql/functions/k_anonymity/presence_metrics.sql
tanon_people_here as (
    select "sex", "zip", count(*) as tanon_f
    from (
        select distinct
            tanon._cell_text("sex") as "sex", tanon._cell_text("zip") as "zip",
            "patient" as tanon_uid
        from tanon_source
    )
    group by "sex", "zip"
),
-- sql/functions/k_anonymity/presence_metrics.sql
tanon_groups_met as materialized (
    select coalesce(tanon_f, 0) as tanon_f, coalesce(tanon_wide, 0) as tanon_wide
    from tanon_people_there as tanon_p full join tanon_people_here as tanon_h
        on
            tanon_p."sex" is not distinct from tanon_h."sex"
         and
            tanon_p."zip" is not distinct from tanon_h."zip"
),
-- sql/functions/k_anonymity/presence_metrics.sql
tanon_source_was_drawn as (
select coalesce(error('tanon.presence_metrics' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'population must hold the respondents of source, got ' || count(*)
        || ' groups with fewer respondents there'
    from tanon_groups_met
    where tanon_f > tanon_wide
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/k_anonymity/presence_metrics.sql
select
    count(*) as groups, min(tanon_wide) filter (where tanon_f > 0) as k_map,
    min(tanon_f / tanon_wide) as delta_min, max(tanon_f / tanon_wide) as delta_max,
    coalesce(sum(tanon_f) filter (where tanon_f = tanon_wide), 0)::bigint as surely_here
from tanon_groups_met
where (select tanon_fine from tanon_source_was_drawn)
