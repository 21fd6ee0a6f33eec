with tanon_given_source as materialized (from (select * not similar to '(?i)tanon_.*' from (select * from visits)) union all by name select null as "patient", null as "sex" where false),
tanon_columns_of_source as materialized (select *, coalesce(error(case when column_name similar to '(?i)tanon_.*' then 'tanon.frequency_set: source must be a relation without columns that begin with tanon_, got one with ' || column_name end)::varchar, translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded from (describe from (select * from visits))),
tanon_source_is_fine as (select coalesce((select error('tanon.frequency_set: uid must be a column of source, got ''' || case when bool_or(it) then 'patient'' of type ' || any_value(column_type) filter (it) else 'patient''; did you mean ' || arg_min(column_name, levenshtein(folded, 'patient')) || '?' end) from (select *, folded = 'patient' as it from tanon_columns_of_source) having not bool_or(it and regexp_full_match(column_type, '.*'))),
(select error('tanon.frequency_set: uid must be free of NULL, got ' || count(*) || ' rows with NULL in patient') from tanon_given_source where "patient" is null having count(*) > 0 and 'patient' in (select folded from tanon_columns_of_source)),
(select error('tanon.frequency_set: qi must be columns of source, none twice, got ''' || case when bool_or(it) then 'sex'' of type ' || any_value(column_type) filter (it) else 'sex''; did you mean ' || arg_min(column_name, levenshtein(folded, 'sex')) || '?' end) from (select *, folded = 'sex' as it from tanon_columns_of_source) having not bool_or(it and regexp_full_match(column_type, '.*'))),
true) as fine),
tanon_source as not materialized (from tanon_given_source where (select fine from tanon_source_is_fine))
,
tanon_people as (
    select
        "sex", "patient" as tanon_uid, count(*) as tanon_rows
    from tanon_source
    group by "sex", "patient"
),
tanon_frequencies as (
    select
        "sex", count(*) as frequency, sum(tanon_rows)::bigint as tuples
    from tanon_people
    group by "sex"
)
select "sex", frequency, tuples
from tanon_frequencies