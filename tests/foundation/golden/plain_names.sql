with tanon_given_source as not materialized (from (select * not similar to '(?i)tanon_.*' from "visits") union all by name select null as "patient", null as "sex", null as "zip" where false),
tanon_columns_of_source as materialized (select *, coalesce(system.main.error(case when column_name similar to '(?i)tanon_.*' then 'tanon.k_anonymity: source must be a relation without columns that begin with tanon_, got one with ' || column_name end)::varchar, system.main.translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded from (describe from "visits")),
tanon_source_is_fine as (select coalesce((select system.main.error('tanon.k_anonymity: uid must be a column of source, got ''' || case when system.main.bool_or(it) then 'patient'' of type ' || system.main.any_value(column_type) filter (it) else 'patient''; did you mean ' || system.main.arg_min(column_name, system.main.levenshtein(folded, 'patient')) || '?' end) from (select *, folded = 'patient' as it from tanon_columns_of_source) having not system.main.bool_or(it and system.main.regexp_full_match(column_type, '.*'))),
(select system.main.error('tanon.k_anonymity: uid must be free of NULL, got ' || system.main.count(*) || ' rows with NULL in patient') from tanon_given_source where "patient" is null having system.main.count(*) > 0 and 'patient' in (select folded from tanon_columns_of_source)),
(select system.main.error('tanon.k_anonymity: qi must be columns of source, none twice, got ''' || case when system.main.bool_or(it) then 'zip'' of type ' || system.main.any_value(column_type) filter (it) else 'zip''; did you mean ' || system.main.arg_min(column_name, system.main.levenshtein(folded, 'zip')) || '?' end) from (select *, folded = 'zip' as it from tanon_columns_of_source) having not system.main.bool_or(it and system.main.regexp_full_match(column_type, '.*'))),
(select system.main.error('tanon.k_anonymity: qi must be columns of source, none twice, got ''' || case when system.main.bool_or(it) then 'sex'' of type ' || system.main.any_value(column_type) filter (it) else 'sex''; did you mean ' || system.main.arg_min(column_name, system.main.levenshtein(folded, 'sex')) || '?' end) from (select *, folded = 'sex' as it from tanon_columns_of_source) having not system.main.bool_or(it and system.main.regexp_full_match(column_type, '.*'))),
true) as fine),
tanon_source as not materialized (from tanon_given_source where (select fine from tanon_source_is_fine))
,
tanon_people as (
    select
        "zip", "sex", "patient" as tanon_uid, system.main.count(*) as tanon_rows
        
        
        
    from tanon_source
    group by all
),
tanon_frequencies as (
    select
        "zip", "sex", system.main.count(*) as frequency, system.main.sum(tanon_rows)::bigint as tuples
        
        
        
    from tanon_people
    group by all
)
select
    system.main.min(frequency) as gen_m,
    coalesce(system.main.sum(frequency), 0)::bigint as gen_s,
    system.main.count(*) as groups,
    coalesce(system.main.sum(tuples), 0)::bigint as tuples,
    (select system.main.count(*) from (select distinct "patient" from tanon_source)) as respondents
from tanon_frequencies