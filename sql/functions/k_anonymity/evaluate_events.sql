-- How well a k-anonymous release answers random counts, against the answers of its source.
--
-- Each query counts rows: it names some of qi, ts and keep, and of each some values, a range of
-- times and numbers and any set of others. The true count is that of the source. The estimate is
-- what somebody makes of the release who knows nothing else: rows are spread evenly over the time
-- of their granule, and over the values of the source that their generalized value stands for; *
-- may be any value. Rows left out are missing, which is part of the error. Which queries are asked
-- depends on the source, the attributes and the seed alone, so that releases of one source can be
-- compared.
--
-- Errors come by the share of the rows that is asked for: few rows are harder to tell. Relative is
-- |true - estimated| / true, and the ninth decile is what one query in ten exceeds; where the true
-- count is 0 there is only the absolute error.
--
-- The release is read at the levels and the granularity that it was made with. They may be left
-- out: levels, and the one of several granularities, are then read off the release, as those at
-- which the source has all of its values and labels, of each as many rows at least. A value or
-- label that the source does not have there is an error, and so is a release that may be read in
-- several ways; the result 'summary' of tanon.publish_events says what was chosen. A row of a
-- remainder stands for as many rows as records says, of any value where attributes are * and keep
-- is NULL.
--
-- Memory: the distinct values of the attributes with ts, as numbers, and those of the release.
-- Cost: an aggregation and a join for each attribute; each query then looks at the cells that its
-- first attribute, the time where it asks for one, leaves. 1,000 queries take some seconds for
-- each million cells.
--
-- Arguments:
--   release      relation                    what was released
--   source       relation                    what it was made of
--   qi           columns of source and release as quasi-identifier  the quasi-identifiers beside
--       time
--   ts           column(time) not null as time = NULL  when it happened; in the release its label
--   granularity  granularities as generalized time = NULL  the granularity of the release, or
--       those of which it was chosen
--   keep         columns or none of source and release = []  what left as it is and is asked for
--   hierarchies  hierarchies as generalized quasi-identifier = NULL  attribute, level, value,
--       generalized: what each value becomes on each level
--   levels       levels = NULL               the level of each attribute, 0 of one that is not
--       named; NULL: as read off the release
--   records      column(integer) of release = NULL  how many rows one row stands for
--   calendar     calendar = NULL             granularities of your own
--   tz           text = NULL                 whose clock decides, for a time with zone
--   queries      integer in [1, 100000] = 1000  how many queries
--   seed         integer = 0                 another seed, other queries
-- Checks:
--   granularity  (granularity is null) = (ts is null)  given where ts is, and only there
--   levels       levels is null or hierarchies is not null  given where hierarchies are
--   levels       tanon._names_by_number(levels) among qi  levels of columns of qi
--   ts           not tanon._share_a_name(ts, qi)    a column that is not among qi
--   keep         not tanon._share_a_name(keep, qi)  columns apart from qi and ts
--   keep         not tanon._share_a_name(keep, ts)  columns apart from qi and ts
--   records      not tanon._share_a_name(records, tanon._roles(qi, ts))  a column of its own
-- Result:
--   selectivity            VARCHAR  the share of the rows that is asked for; 'none', and 'all'
--   queries                BIGINT   how many queries ask for such a share
--   median_relative_error  DOUBLE   of the middle query
--   ninth_decile           DOUBLE   the relative error that one query in ten exceeds
--   median_absolute_error  DOUBLE   in rows
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
