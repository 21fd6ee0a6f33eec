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
-- The release is read at the levels and the granularity that it was made with, as
-- tanon.publish_k_anonymous_summary tells them; a value or label that the source does not have
-- there is an error. A row of a remainder stands for as many rows as records says, of any value
-- where attributes are * and keep is NULL.
--
-- Memory: the distinct values of the attributes with ts, as numbers, and those of the release.
-- Cost: an aggregation and a join for each attribute; each query then looks at the cells that its
-- first attribute, the time where it asks for one, leaves. 1,000 queries take some seconds for
-- each million cells.
--
-- Arguments:
--   release      relation                    what was released
--   source       relation                    what it was made of
--   qi           columns of release and source as quasi-identifier  the quasi-identifiers beside
--       time
--   ts           column(time) not null as time = NULL  when it happened; in the release its label
--   granularity  granularity = NULL          the granularity of the release
--   keep         columns or none of release and source = []  what left as it is and is asked for
--   hierarchies  hierarchies as generalized quasi-identifier = NULL  attribute, level, value,
--       generalized: what each value becomes on each level
--   levels       levels = NULL               the level of each attribute; 0 where none is given
--   records      column(integer) of release = NULL  how many rows one row stands for
--   calendar     calendar = NULL             granularities of your own
--   tz           text = NULL                 whose clock decides, for a time with zone
--   queries      integer in [1, 100000] = 1000  how many queries
--   seed         integer = 0                 another seed, other queries
-- Checks:
--   granularity  (granularity is null) = (ts is null)  given where ts is, and only there
--   levels       levels is null or hierarchies is not null  given where hierarchies are
--   levels       tanon._has_names(qi, tanon._names_by_number(levels))  levels of columns of qi
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
--       from tanon.publish_k_anonymous('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--           granularities := ['month', 'quarter'], k := 5, keep := ['diagnosis'])
--   )
--   from tanon.evaluate_k_anonymous('release', 'visits', qi := ['sex'], ts := 'admitted',
--       granularity := 'month', keep := ['diagnosis'])

let granularities = granularity

step texts_of_source
    select
        {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
        {q:name}::varchar as {q:name},
        {end}
        {if ts is null}null::bigint{else}tanon._us_since_year_1(tanon_t){end} as tanon_at,
        count(*) as tanon_n
    from {if ts is null}{source}{else}{placed}{end}
    group by all
end

step times_met materialized
    select
        tanon_at, sum(tanon_n)::bigint as tanon_n,
        row_number() over (order by tanon_at) - 1 as tanon_moment
    from {texts_of_source}
    where tanon_at is not null
    group by tanon_at
end

use coded_texts = cells_in_codes(rows = texts_of_source)

step source_cells
    select list(list_concat(
        {if ts is not null}[tanon_moment],{end} tanon_codes, [tanon_c.tanon_n]
    )) as tanon_cells
    from {coded_texts} as tanon_c {if ts is not null}join {times_met} using (tanon_at){end}
end

step granules_met
    {if ts is null}
    select null::varchar as tanon_label, 0 as tanon_starts, 1 as tanon_ends
    {else}
    {if tanon._is_granularity(granularity)}
    select
        tanon._label(tanon_t, {granularity}) as tanon_label,
        min(tanon._us_since_year_1(tanon._start(tanon_t, {granularity}))) as tanon_starts,
        max(tanon._us_since_year_1(tanon._end(tanon_t, {granularity}))) as tanon_ends
    from (select distinct tanon_t from {placed})
    group by tanon_label
    {else}
    select
        tanon_label, tanon._us_since_year_1(tanon_starts) as tanon_starts,
        tanon._us_since_year_1(tanon_ends) as tanon_ends
    from {granules}
    {end}
    {end}
end

step spans materialized
    select *, row_number() over (order by tanon_starts, tanon_label) - 1 as tanon_span
    from (
        from {granules_met}
        {if ts is not null}
        union all
        select '*', min(tanon_starts), max(tanon_ends) from {granules_met} having count(*) > 0
        {end}
    )
end

guard records_are_counts on texts_of_release
    {if records is null}
    select null::varchar where false
    {else}
    select 'records must hold whole numbers of 0 or more, got ' || count(*) || ' rows that do not'
    from {release}
    where not coalesce({records} >= 0, false)
    having count(*) > 0
    {end}
end

step texts_of_release materialized
    select
        {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
        {q:name},
        {end}
        tanon_label, sum(tanon_n) as tanon_n
    from (
        select
            {for q in tanon._list(qi) joined by ''}{q:name}::varchar as {q:name}, {end}
            {for q in tanon._list(keep) joined by ''}
            {if records is not null}
            case when {q:name} is null
                {for p in tanon._list(qi) joined by ''} and {p:name}::varchar = '*'{end}
                then '*' else {q:name}::varchar end
            {else}{q:name}::varchar{end} as {q:name},
            {end}
            {if ts is null}null::varchar{else}{ts}::varchar{end} as tanon_label,
            {if records is null}1{else}{records}{end} as tanon_n
        from {release}
        where {checked records_are_counts}
    )
    group by all
end

step release_coded materialized
    select
        tanon_r.tanon_n, tanon_span, [
            {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ', '}
            {tanon._dictionary(q)}.tanon_number
            {end}
        ] as tanon_numbers
    from {texts_of_release} as tanon_r left join {spans} as tanon_s
        on tanon_r.tanon_label is not distinct from tanon_s.tanon_label
    {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
    left join (
        select tanon_general, tanon_number from {generals} where tanon_attribute = {q}
    ) as {tanon._dictionary(q)}
        on tanon_r.{q:name} is not distinct from {tanon._dictionary(q)}.tanon_general
    {end}
end

guard release_is_of_source on released_cells
    select 'release must hold values of source as they are at levels'
        {if ts is not null}|| ' and labels of granularity'{end}
        || ', got ' || sum(tanon_n)::bigint || ' rows with others'
        || '; tanon.publish_k_anonymous_summary tells what a release was made with'
    from {release_coded}
    where tanon_span is null or list_count(tanon_numbers) < len(tanon_numbers)
    having count(*) > 0
end

step released_cells
    select list(list_concat(
        {if ts is not null}[tanon_span],{end} tanon_numbers, [tanon_n, 0]
    )::double[]) as tanon_released
    from {release_coded}
    where {checked release_is_of_source}
end

step attributes_listed
    select list(tanon_told order by tanon_place) as tanon_attributes
    from (
        from {attributes_told}
        {if ts is not null}
        union all
        select 0, {
            'rows': list(tanon_n order by tanon_moment), 'is_ordered': true, 'has_null': false
        }
        from {times_met}
        having count(*) > 0
        {end}
    )
end

step members_listed
    select list(tanon_members order by tanon_place) as tanon_members
    from (
        select
            list_position(list_concat({qi:text}, tanon._list({keep:text})), tanon_attribute)
                as tanon_place,
            list(tanon_leaves order by tanon_number) as tanon_members
        from {generals}
        group by tanon_attribute
        {if ts is not null}union all select 0, null{end}
    )
end

step query_answers materialized
    select unnest(tanon_count_queries(
        tanon_attributes,
        {if ts is null}[]{else}(select list(tanon_at order by tanon_moment) from {times_met}){end},
        {if ts is null}1{else}
        (select if(coalesce(bool_or(tanon_is_date), false), 86400000000, 1) from {placed}){end},
        tanon_cells, tanon_members,
        (select list([tanon_starts, tanon_ends] order by tanon_span) from {spans}),
        tanon_released, 1, {queries}, {seed}
    ), recursive := true)
    from {attributes_listed}, {members_listed}, {source_cells}, {released_cells}
end

use errors_met = errors_by_selectivity(answers = query_answers)

{errors_met}
