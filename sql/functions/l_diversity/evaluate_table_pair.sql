-- Returns how accurately the two tables of Anatomy answer random counts of their source.
--
-- Pass both results of tanon.publish_table_pair. Each query counts the rows that satisfy conditions
-- on some of qi and sensitive. A condition is a range of times or numbers, or a set of other
-- values. The source gives the true count. In each group, the estimate is the number of matching
-- individuals times the share of matching values. Queries without sensitive have exact answers.
--
-- The source, the attributes and the seed determine the queries, so releases of the same source can
-- be compared. Rows that are missing in the two tables are part of the error.
--
-- The result groups queries by the share of rows that they count, because small counts have larger
-- errors. The relative error is |true - estimated| / true. If the true count is 0, the result has
-- only an absolute error.
--
-- Cost: one aggregation and one join for each attribute, and a join of the two tables by group.
-- 1,000 queries take a few seconds for each million distinct combinations. Memory: the distinct
-- combinations of qi and sensitive.
--
-- Arguments:
--   individuals  relation(a_group BIGINT)                  the table of quasi-identifiers and
--       groups
--   counts       relation(a_group BIGINT, records BIGINT)  the table of groups, sensitive values
--       and counts
--   source       relation  the source of the two tables
--   qi           columns of source and individuals as quasi-identifier  the quasi-identifiers
--   sensitive    column of source and counts as sensitive  the sensitive value
--   queries      integer in [1, 100000] = 1000             the number of random queries
--   seed         integer = 0  the seed of the random queries
-- Checks:
--   sensitive  not tanon._share_a_name(sensitive, qi)  none of qi
--   qi  not tanon._share_a_name(qi, ['a_group'])  columns other than a_group
-- Result:
--   selectivity            VARCHAR  the share of the rows that the query counts: 'none', a range,
--       or 'all'
--   queries                BIGINT   the number of queries with this share
--   median_relative_error  DOUBLE   the median of the relative errors
--   ninth_decile           DOUBLE   the relative error that one query in ten exceeds
--   median_absolute_error  DOUBLE   the median of the absolute errors, in rows
-- For: the owner
-- Example:
--   with people as (
--       from tanon.publish_table_pair('visits', qi := ['age', 'sex'], sensitive := 'diagnosis', l
--       := 2,
--           result := 'individuals', respondent := 'patient')
--   ),
--   diseases as (
--       from tanon.publish_table_pair('visits', qi := ['age', 'sex'], sensitive := 'diagnosis', l
--       := 2,
--           result := 'values', respondent := 'patient')
--   )
--   from tanon.evaluate_table_pair('people', 'diseases', 'visits', qi := ['age', 'sex'],
--       sensitive := 'diagnosis')

let keep = sensitive

-- How many rows of each value the two tables of Anatomy lead to expect, as numbers of values.

-- How many rows of each value with each sensitive value the two tables lead to expect. Added up in
-- the order of groups, so that nothing depends on threads.
step expected materialized
    select
        {for q in flatten([tanon._list(qi), tanon._list(sensitive)]) joined by ''}{q:name}, {end}
        list_sum(list(tanon_n order by tanon_group asc nulls last)) as tanon_n
    from (
        select
            {for q in tanon._list(qi) joined by ''}tanon_p.{q:name}, {end}
            {tanon_v.sensitive}, tanon_group,
            tanon_p.tanon_n * tanon_v.tanon_n / tanon_all as tanon_n
        from {people_in_groups} as tanon_p join (
            select *, sum(tanon_n) over (partition by tanon_group) as tanon_all
            from {values_in_groups}
        ) as tanon_v using (tanon_group)
        where {checked groups_fit}
    )
    group by all
end

use cells_expected = cells_in_codes(rows = expected)

guard pair_is_of_source on cells_listed
    select 'individuals and counts must hold values of source, got '
        || round(tanon_all - tanon_known)::bigint || ' rows with others'
    from (select coalesce(sum(tanon_n), 0) as tanon_all from {people_in_groups}),
        (select coalesce(sum(tanon_n), 0) as tanon_known from {cells_expected})
    where tanon_all - tanon_known > 0.5
end

step cells_listed
    select list(list_concat(tanon_codes, [tanon_n, 0])::double[]) as tanon_released
    from {cells_expected}
    where {checked pair_is_of_source}
end

step texts_of_rows
    select
        {for q in flatten([tanon._list(qi), tanon._list(sensitive)]) joined by ''}
        tanon._value_text({q:name}) as {q:name},
        {end}
        count(*) as tanon_n
    from {source}
    group by all
end

use coded_rows_met = cells_in_codes(rows = texts_of_rows)
step answers_of_pair materialized
    select unnest(tanon._answer(tanon_count_queries(
        tanon_attributes, [], 1, tanon_cells, tanon_members, [], tanon_released, 1,
        {queries}, {seed}
    )), recursive := true)
    from (
        select
            list(tanon_told order by tanon_place asc nulls last) as tanon_attributes,
            list(null::bigint[][] order by tanon_place asc nulls last) as tanon_members
        from {attributes_told}
    ), (
        select list(list_concat(tanon_codes, [tanon_n])) as tanon_cells from {coded_rows_met}
    ), {cells_listed}
end

use errors_of_pair = errors_by_selectivity(answers = answers_of_pair)

{errors_of_pair}
