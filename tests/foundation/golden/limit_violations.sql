with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "diagnosis", null as "sex", null as "zip" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.limit_violations: source must be a relation without columns that begin with tanon_, got one with '
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
                (1, 'sex', 'sex', 'tanon.limit_violations: groups must be columns of source, none twice', '', ''),
                (2, 'zip', 'zip', 'tanon.limit_violations: groups must be columns of source, none twice', '', ''),
                (1000000, 'diagnosis', 'diagnosis', 'tanon.limit_violations: sensitive must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/diversity/groups.sql
tanon_counted_once as not materialized (
    select "sex", "zip", "diagnosis" as tanon_sensitive
    from tanon_source
),
-- sql/steps/diversity/groups.sql
tanon_diverse_groups as materialized (
    select "sex", "zip", row_number() over () as tanon_group from tanon_source group by "sex", "zip"
),
-- sql/steps/diversity/sensitive.sql
tanon_secrets as not materialized (
    select "diagnosis" as tanon_sensitive from tanon_source group by "diagnosis"
),
-- sql/steps/diversity/sensitive.sql
tanon_sensitive_values as materialized (
        select
        tanon_sensitive, tanon._value_text(tanon_sensitive) as tanon_text,
        (row_number() over (order by tanon_sensitive asc nulls first))::integer as tanon_value
    from tanon_secrets
),
-- sql/steps/diversity/groups.sql
tanon_value_counts as materialized (
    select tanon_group, tanon_value, count(*) as tanon_n
    from tanon_counted_once as tanon_s join tanon_diverse_groups as tanon_g
        on
            tanon_s."sex" is not distinct from tanon_g."sex"
         and
            tanon_s."zip" is not distinct from tanon_g."zip"
    join tanon_sensitive_values as tanon_v
        on tanon_s.tanon_sensitive is not distinct from tanon_v.tanon_sensitive
    group by tanon_group, tanon_value
),
-- sql/steps/diversity/groups.sql
tanon_value_shares as materialized (
    select tanon_value, sum(tanon_n) / (select sum(tanon_n) from tanon_value_counts) as tanon_p
    from tanon_value_counts
    group by tanon_value
),
-- sql/steps/diversity/groups.sql
tanon_measured_groups as materialized (
    select *, true and tanon_entropy_l >= 3.0::double - 1e-9 and tanon_t <= 0.3::double + 1e-9 as tanon_holds
    from ( select tanon_f.*
    from (
        select
            tanon_group, count(*) as tanon_distinct, any_value(tanon_of) as tanon_of,
            any_value(tanon_of) / max(tanon_n) as tanon_frequency_l,
            exp(ln(any_value(tanon_of)) - sum(tanon_n * ln(tanon_n)) / any_value(tanon_of))
                as tanon_entropy_l,
            max(tanon_n) / nullif(list_sum((
                list(tanon_n order by tanon_n desc nulls last)
            )[2:]), 0) as tanon_recursive_c,
            greatest(max(tanon_n / tanon_of / tanon_p) - 1, 0) as tanon_beta
            , (sum(abs(tanon_n / tanon_of - tanon_p)) + 1 - sum(tanon_p)) / 2 as tanon_t
        from (
            select *, sum(tanon_n) over (partition by tanon_group) as tanon_of from tanon_value_counts
        ) join tanon_value_shares using (tanon_value)
        group by tanon_group
    ) as tanon_f
    ) join tanon_diverse_groups using (tanon_group)
)
-- sql/functions/l_diversity/limit_violations.sql
select
    "sex", "zip", tanon_of::bigint as records, tanon_distinct as distinct_l,
    tanon_frequency_l as frequency_l, round(tanon_entropy_l, 9) as entropy_l,
    tanon_recursive_c as recursive_c, round(tanon_t, 9) as t, round(tanon_beta, 9) as beta
from tanon_measured_groups
where not tanon_holds
