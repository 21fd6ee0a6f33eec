with tanon_given_source as not materialized (from "s"."a.b""c" union all by name select null as "o'x""", null as "x; drop table y", null as "{k}" where false),
tanon_source_is_fine as (select coalesce((select error('tanon.k_anonymity_violations: uid must be a column of source, got ''o''x"''; did you mean ' || coalesce(arg_min(column_name, levenshtein(lower(column_name), lower('o''x"'))), '') || '?') from (describe from "s"."a.b""c") having not coalesce(bool_or(lower(column_name) = lower('o''x"')), false)),
  (select error('tanon.k_anonymity_violations: uid must be free of NULL, got ' || count(*) || ' rows with NULL in o''x"') from tanon_given_source where "o'x""" is null having count(*) > 0 and exists (from (describe from "s"."a.b""c") where lower(column_name) = lower('o''x"'))),
  (select error('tanon.k_anonymity_violations: qi must be columns of source, none twice, got ''x; drop table y''; did you mean ' || coalesce(arg_min(column_name, levenshtein(lower(column_name), lower('x; drop table y'))), '') || '?') from (describe from "s"."a.b""c") having not coalesce(bool_or(lower(column_name) = lower('x; drop table y')), false)), (select error('tanon.k_anonymity_violations: qi must be columns of source, none twice, got ''{k}''; did you mean ' || coalesce(arg_min(column_name, levenshtein(lower(column_name), lower('{k}'))), '') || '?') from (describe from "s"."a.b""c") having not coalesce(bool_or(lower(column_name) = lower('{k}')), false)),
  true) as fine),
tanon_source as not materialized (from tanon_given_source where (select fine from tanon_source_is_fine)),
tanon_frequencies as (
select "x; drop table y", "{k}", count(distinct "o'x""") as frequency, count(*) as tuples
from tanon_source
group by "x; drop table y", "{k}"
)
from tanon_frequencies
where frequency < 5