-- The totals that a few respondents dominate; no rows means that none is.
--
-- Whoever is most of a total is nearly told by it. A contribution is what all rows of a respondent
-- in the group add up to, without its sign; the n largest may be at most a share of all of them.
-- A group of fewer than n respondents is dominated by them, whatever they contribute; a group that
-- adds up to nothing is not, and one that adds up to no number is.
--
-- Cost: as tanon.frequency_set, and a sort of the values within each respondent and group, so that
-- sums are the same in every run.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   respondent   column not null as respondent  whom a row is about: the respondent
--   qi           columns as quasi-identifier   what a total is published by
--   value        column(number) not null       what is added up
--   share        number in (0, 1)              how much of a total the largest may be
--   n            integer >= 1 = 1              how many of the largest are taken together
--   uses time
-- Checks:
--   respondent   not tanon._share_a_name(respondent, qi)  a column that is not among qi
-- Result:
--   {qi}         as in source  the group
--   {ts}         VARCHAR       (with ts) the label of the granule
--   respondents  BIGINT        who contribute
--   total        DOUBLE        all contributions
--   largest      DOUBLE        the n largest
--   part         DOUBLE        largest / total
-- For: the owner
-- Holds: no rows, part <= share
-- Example:
--   from tanon.dominated_total_violations('visits', respondent := 'patient', qi := ['zip'],
--       value := 'age', share := 0.05, ts := 'admitted', granularity := 'year')
--   order by all

let granularities = granularity

step contributions
    select
        {qi}, {respondent} as tanon_uid,
        abs(sum({value}::double order by {value}::double asc nulls last)) as tanon_part
        {if granularity is not null}
        , tanon_granule, min(tanon_t) as tanon_first
        {else}
        {,ts}
        {end}
    from {if granularity is not null}{placed}{else}{source}{end}
    group by {qi}, {respondent} {if granularity is not null}, tanon_granule{else}{,ts}{end}
end

step totals
    select
        {qi}, count(*) as respondents, sum(tanon_part order by tanon_part asc nulls last) as total,
        list_sum(max(tanon_part, {n})) as largest
        {if granularity is not null}
        , tanon_granule, min(tanon_first) as tanon_first
        {else}
        {,ts}
        {end}
    from {contributions}
    group by {qi} {if granularity is not null}, tanon_granule{else}{,ts}{end}
end

select
    {qi}
    {if granularity is null}
    {,ts}
    {else}
    {if tanon._is_granularity(granularity)}
    , tanon._label(tanon_first, {granularity}) as {ts}
    {else}
    , tanon_label as {ts}
    {end}
    {end}
    , respondents, total, largest, largest / total as part
from {totals}
{if granularity is not null and not tanon._is_granularity(granularity)}
join {granules} using (tanon_granule)
{end}
where largest > {share} * total or not isfinite(total)
