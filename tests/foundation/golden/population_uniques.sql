with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "age", null as "patient", null as "zip" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.population_uniques: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.population_uniques: respondent must be a column of source', '', ''),
                (1000001, 'zip', 'zip', 'tanon.population_uniques: qi must be columns of source, none twice', '', ''),
                (1000002, 'age', 'age', 'tanon.population_uniques: qi must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.population_uniques: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/frequencies.sql
tanon_people_of_groups as (
    select
        "zip", "age", "patient" as tanon_uid, count(*) as tanon_rows
    from tanon_source
    group by "zip", "age", "patient"
),
-- sql/steps/frequencies.sql
tanon_frequencies as (
    select
        "zip", "age", count(*) as frequency, sum(tanon_rows)::bigint as tuples
    from tanon_people_of_groups
    group by "zip", "age"
),
-- sql/steps/risk/drawn.sql
tanon_people_drawn as materialized (
    select count(*) as tanon_people, null::double
        as tanon_weight
    from (
        select "patient"
        from tanon_source
        group by "patient"
    )
),
-- sql/steps/risk/drawn.sql
tanon_weights_are_right as (
select coalesce(error('tanon.population_uniques' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select null::varchar where false
) as tanon_messages(tanon_message)
),
-- sql/steps/risk/drawn.sql
tanon_drawn_of_population as materialized (
    select
         0.05::double
         as tanon_fraction
    from tanon_people_drawn
    where (select tanon_fine from tanon_weights_are_right)
),
-- sql/steps/risk/drawn.sql
tanon_population_is_large_enough as (
select coalesce(error('tanon.population_uniques' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'population_size must be at least the ' || tanon_people || ' respondents of source, got '
        || ''
    from tanon_people_drawn, tanon_drawn_of_population
    where tanon_fraction > 1
) as tanon_messages(tanon_message)
),
-- sql/steps/risk/drawn.sql
tanon_group_counts as (
    select
        list(tanon_f order by tanon_f asc nulls last) as tanon_sizes,
        list(tanon_n order by tanon_f asc nulls last) as tanon_groups,
        sum(tanon_f * tanon_n) as tanon_drawn,
        coalesce(sum(tanon_n) filter (tanon_f = 1), 0) as tanon_alone
    from (
        select frequency::double as tanon_f, count(*)::double as tanon_n
        from tanon_frequencies
        group by frequency
    )
    where (select tanon_fine from tanon_population_is_large_enough)
),
-- sql/functions/k_anonymity/population_uniques.sql
tanon_estimated_uniques as (
    select
        unnest(tanon._answer("_tanon_estimate_uniques"(tanon_sizes, tanon_groups, tanon_fraction)),
            recursive := true),
        tanon_drawn, tanon_alone, tanon_fraction
    from tanon_group_counts, tanon_drawn_of_population
),
-- sql/functions/k_anonymity/population_uniques.sql
tanon_estimates_and_range as (
    from tanon_estimated_uniques
    union all by name
    select
        unnest(['smallest', 'largest']) as method,
        unnest([min(uniques), max(uniques)]) as uniques, false as taken,
        any_value(tanon_drawn) as tanon_drawn, any_value(tanon_alone) as tanon_alone,
        any_value(tanon_fraction) as tanon_fraction
    from tanon_estimated_uniques
    where method <> 'dankar'
),
-- sql/steps/risk/individual.sql
tanon_groups_at_large as materialized (
    select *, frequency / tanon_fraction as tanon_people
    from tanon_frequencies, tanon_drawn_of_population
    where (select tanon_fine from tanon_population_is_large_enough)
),
-- sql/steps/risk/individual.sql
tanon_risks_of_sizes as (
    select
        frequency, tanon_people,
        case
            when tanon_p >= 1 then 1 / frequency
            when tanon_p >= 0.2 or frequency >= 10 then tanon_p / frequency * list_reduce(
                range(200, 0, -1)::double[],
                lambda tanon_sum, n: 1 + tanon_sum * n * (1 - tanon_p) / (frequency + n),
                1::double
            )
            else list_reduce(
                range(1, frequency)::double[],
                lambda tanon_mean, f: tanon_p / (1 - tanon_p) * (1 / f - tanon_mean),
                tanon_p / (1 - tanon_p) * ln(1 / tanon_p)
            ) end as tanon_risk
    from (
        select distinct frequency, tanon_people, frequency / tanon_people as tanon_p
        from tanon_groups_at_large
    )
),
-- sql/steps/risk/individual.sql
tanon_individual_risks as materialized (
    select g.* exclude (tanon_fraction), tanon_risk
    from tanon_groups_at_large as g join tanon_risks_of_sizes using (frequency, tanon_people)
)
-- sql/functions/k_anonymity/population_uniques.sql
select
    method, uniques as population_uniques, uniques * tanon_fraction / nullif(tanon_drawn, 0)
        as share,
    least(uniques * tanon_fraction, tanon_alone) as expected_here,
    least(uniques * tanon_fraction / nullif(tanon_alone, 0), 1) as share_of_uniques,
    null::double as risk, tanon_fraction as sampling_fraction, taken
from tanon_estimates_and_range
union all
select
    'individual', null, null, null, null,
    list_avg(list(tanon_risk order by tanon_risk asc nulls last) filter (where frequency = 1)),
    any_value(tanon_fraction), false
from tanon_individual_risks, tanon_drawn_of_population
