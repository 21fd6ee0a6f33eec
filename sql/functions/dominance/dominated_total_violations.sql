-- Returns the totals to which a few respondents contribute too large a share.
--
-- No rows means that no total is dominated. If one respondent contributes most of a total, the
-- total nearly reveals their value. The contribution of a respondent is the absolute sum of their
-- values in the group. The n largest contributions may have at most the given share of all
-- contributions. A group of fewer than n respondents is dominated. A total of 0 is not, and a total
-- that is not a number is.
--
-- Cost: the cost of tanon.frequency_set, and a sort of the values by respondent and group. The sort
-- makes sums the same in every run.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   respondent   column not null as respondent  the respondent of the row
--   qi           columns as quasi-identifier   the quasi-identifiers of the groups
--   value        column(number) not null       the number to add
--   share        number in (0, 1)              the largest share of the n largest contributions
--   n            integer >= 1 = 1              the number of largest contributions to add
--   uses time
-- Checks:
--   respondent   not tanon._share_a_name(respondent, qi)  a column that is not among qi
-- Result:
--   {qi}         as in source  the quasi-identifiers of the group
--   {ts}         VARCHAR       (with ts) the label of the granule
--   respondents  BIGINT        the number of respondents
--   total        DOUBLE        the sum of all contributions
--   largest      DOUBLE        the sum of the n largest contributions
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
