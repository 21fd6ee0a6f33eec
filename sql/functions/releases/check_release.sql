-- Returns one row for each promise of a release, with the figure and whether the promise holds.
--
-- Recipients can use this function, because it needs only the release. It counts everything in the
-- release and compares columns as they are. For example, ts is the released label. For itemsets use
-- tanon.check_itemsets.
--
-- Promises of a release of events or a stream:
--
--   'k'           at least k rows share qi and ts. With owner, also at least k respondents.
--   'l'           no sensitive value has more than one l-th of the rows that share qi and ts.
--   'distinct_l'  the rows that share qi and ts have at least this number of sensitive values.
--   'limits'      the rows that share qi and ts satisfy limits of tanon.diversity_metrics, for one
--                 sensitive column. Some limits compare with source. The owner passes the original
--                 table, a recipient the release.
--   'presence'    respondents of owner satisfy presence in population, as in
--                 tanon.presence_metrics. The function compares values by their text.
--
-- A column without a role in qi, ts, sensitive or keep violates a promise too. The owner's copy
-- from for_owner := true must have the rows of the release, each once or as often as records says.
-- With owner the limits count pairs of respondent and value.
--
-- Other kinds of releases:
--
--   Pair of tables  release is the table of values, individuals is the other table. qi are the
--                   columns of both tables, such as a_group. records is the column of counts. With
--                   owner, no respondent may have more than one l-th of a group.
--   Series          k and p promise (k,P)-anonymity, as tanon.series_violations checks it.
--
-- Limits count pairs, not respondents. If some respondents have several values, a value of all
-- respondents of a group can be within limits. The function does not find this.
--
-- Cost: one aggregation for k, two for each sensitive column, and the cost of
-- tanon.diversity_metrics for limits.
--
-- Arguments:
--   release      relation                       the released table
--   qi  columns or none of release and owner and population and individuals = []  the
--       quasi-identifiers
--   ts           column of release and owner and population = NULL  the released label of the time
--   keep         columns or none of release = []   further columns that the release may contain
--   sensitive    columns or none of release and source and owner = []  the sensitive columns
--   k            integer > 1 = NULL             the fewest rows that share qi and ts
--   p            integer >= 1 = NULL            for series: the fewest rows that share ranges and
--       word
--   l            rational > 1 = NULL            no sensitive value may have more than one l-th
--   distinct_l   integer > 1 = NULL             the fewest different sensitive values
--   limits       limits = NULL                  limits for the rows that share qi and ts, such as
--       {'entropy_l': 2, 't': 0.3}
--   distance  one of 'equal', 'ordered', 'hierarchical' = 'equal'  the distance between sensitive
--       values, for the limit t
--   hierarchies  hierarchies = NULL             for distance 'hierarchical': the coarser values of
--       each sensitive value
--   source       relation = NULL                the table that limits compare with: the source, or
--       the release
--   records      column(integer) of release and owner = NULL  the number of rows for which a row
--       stands
--   presence     presence = NULL                limits of what the release reveals about who is in
--       source, such as {'k_map': 5, 'delta_low': 0.01, 'delta_high': 0.5}; see
--       tanon.presence_metrics
--   population   relation = NULL                the population, generalized like the release
--   individuals  relation = NULL                the other table of Anatomy
--   owner        relation = NULL                the owner's copy: the rows of the release with
--       respondent
--   respondent  column not null of owner and source and population = NULL  the respondent of the
--       row
-- Checks:
--   qi  p is not null or ts is not null or len(tanon._list(qi)) > 0  columns of release, at
--       least one
--   qi  p is null or len(tanon._list(qi)) + len(tanon._list(ts)) = 0  omitted for series, as is ts
--   qi  not tanon._share_a_name(qi, ts)  columns apart from ts
--   sensitive  not tanon._share_a_name(sensitive, qi)  columns apart from qi and ts
--   sensitive  not tanon._share_a_name(sensitive, ts)  columns apart from qi and ts
--   sensitive  (l is null and distinct_l is null) or len(tanon._list(sensitive)) > 0  columns of
--       release if l or distinct_l is given
--   sensitive  limits is null or len(tanon._list(sensitive)) = 1  one column if limits is given
--   source  (source is null) = (limits is null)  given with limits, and only then
--   presence  (presence is null) = (population is null)  given if population is given, and only
--       then
--   presence  presence is null or owner is not null  omitted, or given with owner and respondent
--   hierarchies  (distance = 'hierarchical') = (hierarchies is not null)  given for distance
--       'hierarchical', and only then
--   k  p is null or k is not null  given if p is given
--   p  p is null or k is null or tanon._at_least(k, p)  at most k
--   individuals  individuals is null or len(tanon._list(qi)) > 0  omitted, or given with qi
--   owner  owner is null or p is null  omitted for series, because each row is a different
--       respondent
--   respondent  (respondent is null) = (owner is null)  given with owner, and only then
-- Result:
--   property  VARCHAR  the promise
--   promise   VARCHAR  the promised figure
--   found     VARCHAR  the figure of the release
--   holds     BOOLEAN  whether the promise holds
-- For: anybody
-- Holds: holds
-- Example:
--   with release as (
--       from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], ts :=
--       'admitted',
--           granularities := ['month', 'quarter'], k := 5, keep := ['diagnosis'])
--   )
--   from tanon.check_release('release', qi := ['sex'], ts := 'admitted', keep := ['diagnosis'],
--       k := 5)

step left_rows not materialized
    select
        0 as tanon_all, null as tanon_whose,
        {if records is null} 1 {else} try_cast({records}::varchar as bigint) {end}
            as tanon_times, *
    from {release}
end

step owners_rows not materialized
    select 0 as tanon_all, {respondent} as tanon_whose, 1 as tanon_times, * from {owner}
end

-- Columns that series have, were they not there: the guard tells.
step leaving
    from {release}
    union all by name
    select null::double[] as low, null::double[] as high, null::varchar as word,
        null::integer as level
    where false
end

guard series_have_their_columns on leaving
    select 'release must have columns low, high, word, level if p is given, got one without '
        || string_agg(wanted, ', ')
    from (select unnest(['low', 'high', 'word', 'level']) as wanted)
    where wanted not in (select folded from {release:columns})
    having count(*) > 0
end

step undeclared
    select '' as tanon_and_more
end

piece known_of_events
    row(0 {,qi} {,ts} {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
        , tanon._spelling({q:name}){end}) as tanon_known
end

-- A row of the remainder stands for several, of which no value is told.
piece is_remainder
    {if records is null} false {else}
    coalesce(try_cast({records}::varchar as bigint) > 1, false)
        {for q in tanon._list(qi) joined by ''} and coalesce({q:name}::varchar = '*', false) {end}
        {for c in tanon._list(sensitive) joined by ''} and {c:name} is null {end}
    {end}
end

step known_rows materialized
    select
        {if p is null} {known_of_events}, {else} row(low, high, word, level) as tanon_known, {end}
        {sensitive,} tanon_times
    from {if p is null} {left_rows} {else} (select 1 as tanon_times, * from {leaving}) {end}
    where not ({is_remainder})
end

-- In the owner's copy each of those that a row of the remainder stands for has one.
step known_people not materialized when limits is not null or presence is not null
    select tanon_p.*
    from (select {known_of_events}, * from {owners_rows}) as tanon_p
    anti join (select {known_of_events} from {left_rows} where {is_remainder}) as tanon_r
        on tanon_p.tanon_known = tanon_r.tanon_known
            {for c in tanon._list(sensitive) joined by ''} and tanon_p.{c:name} is null {end}
end

select property, promise, found, holds
from (
    from {told_of_columns}
    {if p is null}
    union all from {told_of_rows}
    {else}
    union all from {told_of_series} where {checked series_have_their_columns}
    {end}
    union all from {told_of_values}
    {if limits is not null} union all from {told_of_limits} {end}
    {if presence is not null} union all from {told_of_presence} {end}
    {if individuals is not null} union all from {told_of_groups} {end}
)
order by place asc nulls last, property asc nulls last
