-- Returns how accurately a k-anonymous release answers random counts of its source.
--
-- Use this function to measure the utility of one release. tanon.tune_events compares settings
-- before a release.
--
-- Each query counts the rows that satisfy conditions on some of qi, ts and keep. A condition is a
-- range of times or numbers, or a set of other values. The source gives the true count. The
-- estimate from the release spreads rows evenly over the time of their granule and over the source
-- values of their generalized value. The value * can be any value. Suppressed rows are missing,
-- which is part of the error. The source, the attributes and the seed determine the queries, so
-- releases of the same source can be compared.
--
-- The result groups queries by the share of rows that they count, because small counts have larger
-- errors. The relative error is |true - estimated| / true. If the true count is 0, the result has
-- only an absolute error.
--
-- Pass the levels and the granularity of the release, which tanon.publish_events returns with
-- result := 'summary'. Without them, the function finds those at which the source has all values
-- and labels of the release, with at least as many rows. It raises an error if a value or label
-- fits no level, or if several choices fit. A row of a remainder stands for the number of rows in
-- records. It can have any value in attributes with * and in columns of keep with NULL.
--
-- Cost: one aggregation and one join for each attribute. 1,000 queries take a few seconds for each
-- million distinct combinations. Memory: the distinct combinations of attributes and time, of the
-- source and of the release.
--
-- Arguments:
--   release      relation                    the release
--   source       relation                    the source of the release
--   qi  columns of source and release as quasi-identifier  the quasi-identifiers other than the
--       time
--   ts           column(time) not null as time = NULL  the time of the event; in the release, its
--       label
--   granularity  granularities as generalized time = NULL  the granularity of the release, or the
--       granularities from which it was chosen
--   keep         columns or none of source and release = []  the kept columns that queries use
--   hierarchies  hierarchies as generalized quasi-identifier = NULL  a table (attribute, level,
--       value, generalized) of coarser values, as tanon.hierarchies returns it
--   levels       levels = NULL               the level of each attribute, 0 for an omitted one;
--       NULL: the function finds them
--   records      column(integer) of release = NULL  the number of rows for which a row stands
--   calendar     calendar = NULL             your own granularities
--   tz           text = NULL                 the time zone of the granules, for TIMESTAMP WITH TIME
--       ZONE
--   queries      integer in [1, 100000] = 1000  the number of random queries
--   seed         integer = 0                 the seed of the random queries
-- Checks:
--   granularity  (granularity is null) = (ts is null)  given if ts is given, and only then
--   levels       levels is null or hierarchies is not null  given only together with hierarchies
--   levels       tanon._names_by_number(levels) among qi  levels of columns of qi
--   ts           not tanon._share_a_name(ts, qi)    a column that is not among qi
--   keep         not tanon._share_a_name(keep, qi)  columns apart from qi and ts
--   keep         not tanon._share_a_name(keep, ts)  columns apart from qi and ts
--   records  not tanon._share_a_name(records, tanon._roles(qi, ts))  a column other than qi and ts
-- Result:
--   selectivity            VARCHAR  the share of the rows that the query counts: 'none', a range,
--       or 'all'
--   queries                BIGINT   the number of queries with this share
--   median_relative_error  DOUBLE   the median of the relative errors
--   ninth_decile           DOUBLE   the relative error that one query in ten exceeds
--   median_absolute_error  DOUBLE   the median of the absolute errors, in rows
-- For: the owner
-- Example:
--   with release as (
--       from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], ts :=
--       'admitted',
--           granularities := ['month', 'quarter'], k := 5, keep := ['diagnosis'])
--   )
--   from tanon.evaluate_events('release', 'visits', qi := ['sex'], ts := 'admitted',
--       granularity := 'month', keep := ['diagnosis'])

let granularities = granularity

-- The rows of a release as texts. Where rows stand for many, those of which nothing is told may
-- have any value.

guard records_are_counts on texts_of_relation
    {if records is null}
    select null::varchar where false
    {else}
    select 'records must hold whole numbers of 0 or more, got ' || count(*) || ' rows that do not'
    from {release}
    where not coalesce({records} >= 0, false)
    having count(*) > 0
    {end}
end

-- A label of time is of no type that the header could name.
guard ts_is_released on texts_of_relation
    {if ts is null}
    select null::varchar where false
    {else}
    select 'ts must be a column of release, got ' || {ts:text}
    from (select tanon._folded({ts:text}) as wanted)
    where wanted not in (select folded from {release:columns})
    {end}
end

step texts_of_relation materialized
    select
        {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
        {q:name},
        {end}
        tanon_label, sum(tanon_n) as tanon_n
    from (
        select
            {for q in tanon._list(qi) joined by ''}tanon._value_text({q:name}) as {q:name}, {end}
            {for q in tanon._list(keep) joined by ''}
            {if records is not null}
            case when {q:name} is null
                {for p in tanon._list(qi) joined by ''} and {p:name}::varchar = '*'{end}
                then '*' else tanon._value_text({q:name}) end
            {else}tanon._value_text({q:name}){end} as {q:name},
            {end}
            {if ts is null}null::varchar{else}{ts}::varchar{end} as tanon_label,
            {if records is null}1{else}{records}{end} as tanon_n
        from {if ts is null} {release}
            {else} (from {release} union all by name select null::varchar as {ts} where false) {end}
        where {checked records_are_counts} and {checked ts_is_released}
    )
    group by all
end

use asked_rows = rows_to_ask()
use rows_as_released = rows_at(chosen = granularity_read_off)
use granules_met = granules_of_time(chosen = granularity_read_off, rows = rows_as_released)
use levels_wanted = levels_read_off()
use release_texts = texts_of_relation()

step query_answers materialized
    select unnest(tanon._answer(tanon_count_queries(
        tanon_attributes,
        {if ts is null}[]{else}(
            select list(tanon_at order by tanon_moment asc nulls last) from {times_met}
        ){end},
        {if ts is null}1{else}
        (
            select case when bool_or(tanon_is_date) then 86400000000 else 1 end from {timed}
        ){end},
        tanon_cells, tanon_members,
        (select list([tanon_starts, tanon_ends] order by tanon_span asc nulls last) from {spans}),
        tanon_released, 1, {queries}, {seed}
    )), recursive := true)
    from {attributes_listed}, {members_listed}, {source_cells}, {released_cells}
end

use errors_met = errors_by_selectivity(answers = query_answers)

{errors_met}
