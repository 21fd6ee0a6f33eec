with tanon_given_source as not materialized (from (select * not similar to '(?i)tanon_.*' from "visits") union all by name select null as "patient", null as "sex", null as "zip" where false),
tanon_columns_of_source as materialized (select *, coalesce(error(case when column_name similar to '(?i)tanon_.*' then 'tanon.k_anonymity: source must be a relation without columns that begin with tanon_, got one with ' || column_name end)::varchar, translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded from (describe from "visits")),
tanon_source_is_fine as (select coalesce((select error('tanon.k_anonymity: uid must be a column of source, got ''' || case when bool_or(it) then 'patient'' of type ' || any_value(column_type) filter (it) else 'patient''; did you mean ' || arg_min(column_name, levenshtein(folded, 'patient')) || '?' end) from (select *, folded = 'patient' as it from tanon_columns_of_source) having not bool_or(it and regexp_full_match(column_type, '.*'))),
(select error('tanon.k_anonymity: uid must be free of NULL, got ' || count(*) || ' rows with NULL in patient') from tanon_given_source where "patient" is null having count(*) > 0 and 'patient' in (select folded from tanon_columns_of_source)),
(select error('tanon.k_anonymity: qi must be columns of source, none twice, got ''' || case when bool_or(it) then 'zip'' of type ' || any_value(column_type) filter (it) else 'zip''; did you mean ' || arg_min(column_name, levenshtein(folded, 'zip')) || '?' end) from (select *, folded = 'zip' as it from tanon_columns_of_source) having not bool_or(it and regexp_full_match(column_type, '.*'))),
(select error('tanon.k_anonymity: qi must be columns of source, none twice, got ''' || case when bool_or(it) then 'sex'' of type ' || any_value(column_type) filter (it) else 'sex''; did you mean ' || arg_min(column_name, levenshtein(folded, 'sex')) || '?' end) from (select *, folded = 'sex' as it from tanon_columns_of_source) having not bool_or(it and regexp_full_match(column_type, '.*'))),
true) as fine),
tanon_source as not materialized (from tanon_given_source where (select fine from tanon_source_is_fine))
,
tanon_people as (
    select
        "zip", "sex", "patient" as tanon_uid, count(*) as tanon_rows
    from tanon_source
    group by "zip", "sex", "patient"
),
tanon_frequencies as (
    select
        "zip", "sex", count(*) as frequency, sum(tanon_rows)::bigint as tuples
    from tanon_people
    group by "zip", "sex"
)
select
    min(frequency) as gen_m,
    coalesce(sum(frequency), 0)::bigint as gen_s,
    count(*) as groups,
    coalesce(sum(tuples), 0)::bigint as tuples,
    (select count(*) from (select distinct "patient" from tanon_source)) as respondents
from tanon_frequencies