with tanon_given_source as materialized (from (select * from visits) union all by name select null as "patient", null as "sex" where false),
tanon_source_is_fine as (select coalesce((select error('tanon.frequency_set: uid must be a column of source, got ''patient''; did you mean ' || coalesce(arg_min(column_name, levenshtein(lower(column_name), lower('patient'))), '') || '?') from (describe from (select * from visits)) having not coalesce(bool_or(lower(column_name) = lower('patient')), false)),
  (select error('tanon.frequency_set: uid must be free of NULL, got ' || count(*) || ' rows with NULL in patient') from tanon_given_source where "patient" is null having count(*) > 0 and exists (from (describe from (select * from visits)) where lower(column_name) = lower('patient'))),
  (select error('tanon.frequency_set: qi must be columns of source, none twice, got ''sex''; did you mean ' || coalesce(arg_min(column_name, levenshtein(lower(column_name), lower('sex'))), '') || '?') from (describe from (select * from visits)) having not coalesce(bool_or(lower(column_name) = lower('sex')), false)),
  true) as fine),
tanon_source as not materialized (from tanon_given_source where (select fine from tanon_source_is_fine))
select "sex", count(distinct "patient") as frequency, count(*) as tuples
from tanon_source
group by "sex"