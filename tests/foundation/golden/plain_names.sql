with tanon_given_source as not materialized (from "visits" union all by name select null as "patient", null as "sex", null as "zip" where false),
tanon_source_is_fine as (select coalesce((select error('tanon.k_anonymity: uid must be a column of source, got ''patient''; did you mean ' || coalesce(arg_min(column_name, levenshtein(lower(column_name), lower('patient'))), '') || '?') from (describe from "visits") having not coalesce(bool_or(lower(column_name) = lower('patient')), false)),
  (select error('tanon.k_anonymity: uid must be free of NULL, got ' || count(*) || ' rows with NULL in patient') from tanon_given_source where "patient" is null having count(*) > 0 and exists (from (describe from "visits") where lower(column_name) = lower('patient'))),
  (select error('tanon.k_anonymity: qi must be columns of source, none twice, got ''zip''; did you mean ' || coalesce(arg_min(column_name, levenshtein(lower(column_name), lower('zip'))), '') || '?') from (describe from "visits") having not coalesce(bool_or(lower(column_name) = lower('zip')), false)), (select error('tanon.k_anonymity: qi must be columns of source, none twice, got ''sex''; did you mean ' || coalesce(arg_min(column_name, levenshtein(lower(column_name), lower('sex'))), '') || '?') from (describe from "visits") having not coalesce(bool_or(lower(column_name) = lower('sex')), false)),
  true) as fine),
tanon_source as not materialized (from tanon_given_source where (select fine from tanon_source_is_fine)),
tanon_frequencies as (
select "zip", "sex", count(distinct "patient") as frequency, count(*) as tuples
from tanon_source
group by "zip", "sex"
)
select
    min(frequency) as gen_m,
    coalesce(sum(frequency), 0)::bigint as gen_s,
    count(*) as groups,
    coalesce(sum(tuples), 0)::bigint as tuples,
    (select count(distinct "patient") from tanon_source) as respondents
from tanon_frequencies