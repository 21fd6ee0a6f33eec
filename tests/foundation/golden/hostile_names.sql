with tanon_given_source as not materialized (from (select * not similar to '(?i)tanon_.*' from "s"."a.b""c") union all by name select null as "o'x""", null as "x; drop table y", null as "{k}" where false),
tanon_columns_of_source as materialized (select *, coalesce(error(case when column_name similar to '(?i)tanon_.*' then 'tanon.k_anonymity_violations: source must be a relation without columns that begin with tanon_, got one with ' || column_name end)::varchar, translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded from (describe from "s"."a.b""c")),
tanon_source_is_fine as (select coalesce((select error('tanon.k_anonymity_violations: uid must be a column of source, got ''' || case when bool_or(it) then 'o''x"'' of type ' || any_value(column_type) filter (it) else 'o''x"''; did you mean ' || arg_min(column_name, levenshtein(folded, 'o''x"')) || '?' end) from (select *, folded = 'o''x"' as it from tanon_columns_of_source) having not bool_or(it and regexp_full_match(column_type, '.*'))),
(select error('tanon.k_anonymity_violations: uid must be free of NULL, got ' || count(*) || ' rows with NULL in o''x"') from tanon_given_source where "o'x""" is null having count(*) > 0 and 'o''x"' in (select folded from tanon_columns_of_source)),
(select error('tanon.k_anonymity_violations: qi must be columns of source, none twice, got ''' || case when bool_or(it) then 'x; drop table y'' of type ' || any_value(column_type) filter (it) else 'x; drop table y''; did you mean ' || arg_min(column_name, levenshtein(folded, 'x; drop table y')) || '?' end) from (select *, folded = 'x; drop table y' as it from tanon_columns_of_source) having not bool_or(it and regexp_full_match(column_type, '.*'))),
(select error('tanon.k_anonymity_violations: qi must be columns of source, none twice, got ''' || case when bool_or(it) then '{k}'' of type ' || any_value(column_type) filter (it) else '{k}''; did you mean ' || arg_min(column_name, levenshtein(folded, '{k}')) || '?' end) from (select *, folded = '{k}' as it from tanon_columns_of_source) having not bool_or(it and regexp_full_match(column_type, '.*'))),
true) as fine),
tanon_source as not materialized (from tanon_given_source where (select fine from tanon_source_is_fine))
,
tanon_people as (
    select
        "x; drop table y", "{k}", "o'x""" as tanon_uid, count(*) as tanon_rows
    from tanon_source
    group by "x; drop table y", "{k}", "o'x"""
),
tanon_frequencies as (
    select
        "x; drop table y", "{k}", count(*) as frequency, sum(tanon_rows)::bigint as tuples
    from tanon_people
    group by "x; drop table y", "{k}"
)
,
tanon_labelled as (
select "x; drop table y", "{k}", frequency, tuples
from tanon_frequencies
)
from tanon_labelled
where frequency < 5