-- What a release promises, what is found in it, and whether it holds: from what left alone.
--
-- For the recipient, who has the release and nothing else, and for its owner. Everything is counted
-- anew: nothing of the source is read, and no function that made the release. Columns are taken as
-- they stand: a time in ts is the label that was published, and generalized values are values.
--
-- Rows of which the same is known must be k: those with the same qi and ts. Rows may be fewer than
-- people, or more: k respondents can only be counted where they are. owner is a copy of the release
-- with respondent beside it, as the publisher gives it with for_owner := true. It must hold the
-- rows of the release, each once, or as often as records says; its respondents are then counted as
-- well.
--
-- l: in no set of rows of which the same is known a value of sensitive holds more than one l-th;
-- distinct_l: so many values are in each; limits: all measures of tanon.diversity_metrics, of one
-- sensitive column. They compare with source, what the release was made of; who has the release
-- alone gives that again. Where owner is given, pairs of respondent and value are counted, which
-- "of respondents" stands for; else rows, which may be further from a limit or nearer to it. A
-- share of pairs is not a share of respondents: where one of them has several values, a value that
-- all in a group have may be within limits. The check does not find that. Rows of a remainder tell
-- no value. presence: how respondents of the owner's copy are hidden in population, whom they were
-- drawn from, with qi and ts as the release has them; both are counted by the text of their values.
-- A column that is none of qi, ts, sensitive and keep has no role, and should not have left.
--
-- The pair of Anatomy: release is the table of values, qi the columns that both tables have
-- (a_group, and the partition), sensitive the value, records how many rows of a group have it, and
-- individuals the other table. With owner, nobody may have more than one l-th of a group. Series: k
-- and p promise (k,P)-anonymity, as tanon.series_violations finds it. Itemsets have a check of
-- their own, tanon.check_itemsets.
--
-- Cost: one aggregation of the release for k, two for each sensitive column, that of
-- tanon.diversity_metrics for limits.
--
-- Arguments:
--   release      relation                       the table as it left, or was received
--   qi           columns or none of release and owner and population and individuals = []  what
--       is known: the quasi-identifiers
--   ts           column of release and owner and population = NULL  the time as it was published:
--       its label
--   keep         columns or none of release = []   what else was meant to leave
--   sensitive    columns or none of release and source and owner = []  the columns that nobody
--       knows
--   k            integer > 1 = NULL             how many must share what is known
--   p            integer >= 1 = NULL            of series: how many of them must share their word
--   l            rational > 1 = NULL            how many sensitive values must balance
--   distinct_l   integer > 1 = NULL             how many sensitive values there must be
--   limits       limits = NULL                  what the values of sensitive meet wherever the same
--       is known, as {'entropy_l': 2, 't': 0.3}
--   distance     one of 'equal', 'ordered', 'hierarchical' = 'equal'  how far values are apart,
--       for t
--   hierarchies  hierarchies = NULL             for distance 'hierarchical': what each sensitive
--       value becomes on each level
--   source       relation = NULL                what limits compare with: what the release was made
--       of, else the release
--   records      column(integer) of release and owner = NULL  how many rows one row stands for
--   presence     presence = NULL                how respondents are hidden in population, as in
--       tanon.presence_metrics: {'k_map': 5, 'delta_low': 0.01, 'delta_high': 0.5}
--   population   relation = NULL                whom they were drawn from, generalized alike
--   individuals  relation = NULL                the other table of Anatomy
--   owner        relation = NULL                the owner's copy: the same rows, and respondent
--   respondent   column not null of owner and source and population = NULL  whom a row is about:
--       the respondent
-- Checks:
--   qi  p is not null or ts is not null or len(tanon._list(qi)) > 0  columns of release, at
--       least one
--   qi  p is null or len(tanon._list(qi)) + len(tanon._list(ts)) = 0  left out, as ts, of series
--   qi  not tanon._share_a_name(qi, ts)  columns apart from ts
--   sensitive  not tanon._share_a_name(sensitive, qi)  columns apart from qi and ts
--   sensitive  not tanon._share_a_name(sensitive, ts)  columns apart from qi and ts
--   sensitive  (l is null and distinct_l is null) or len(tanon._list(sensitive)) > 0  columns of
--       release, as l and distinct_l are promised of them
--   sensitive  limits is null or len(tanon._list(sensitive)) = 1  one column where limits are
--   source  (source is null) = (limits is null)  given with limits, and only then
--   presence  (presence is null) = (population is null)  given where population is, and only
--       there
--   presence  presence is null or owner is not null  left out, or given with owner and respondent
--   hierarchies  (distance = 'hierarchical') = (hierarchies is not null)  given for distance
--       'hierarchical', and only there
--   k  p is null or k is not null  given where p is
--   p  p is null or k is null or tanon._at_least(k, p)  at most k
--   individuals  individuals is null or len(tanon._list(qi)) > 0  left out, or given with qi
--   owner  owner is null or p is null  left out of series, in which each row is a person's
--   respondent  (respondent is null) = (owner is null)  given with owner, and only then
-- Result:
--   property  VARCHAR  what is promised of the release
--   promise   VARCHAR  how much of it
--   found     VARCHAR  how much of it there is
--   holds     BOOLEAN  whether that is enough
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
    select 'release must have columns low, high, word, level where p is given, got one without '
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
