-- Respondents and rows of every value of the quasi-identifiers, time included. Two plain hash
-- aggregations instead of count(distinct): as exact, and quicker. Columns are named behind GROUP
-- BY, since GROUP BY ALL knows no collations: 'u1' and 'U1' may be one respondent.
-- Yields: frequencies, labelled, labelled_frequencies
-- Reads: granules, placed
-- Takes: source, respondent, qi, ts, granularity

step people_of_groups
    select
        {qi}, {respondent} as tanon_uid, count(*) as tanon_rows
        {if granularity is not null}
        , tanon_granule, min(tanon_t) as tanon_first
        {else}
        {,ts}
        {end}
    from {if granularity is not null}{placed}{else}{source}{end}
    group by {qi}, {respondent} {if granularity is not null}, tanon_granule{else}{,ts}{end}
end

step frequencies
    select
        {qi}, count(*) as frequency, sum(tanon_rows)::bigint as tuples
        {if granularity is not null}
        , tanon_granule, min(tanon_first) as tanon_first
        {else}
        {,ts}
        {end}
    from {people_of_groups}
    group by {qi} {if granularity is not null}, tanon_granule{else}{,ts}{end}
end

-- Groups with what else is known of each, and the label of their granule.
piece labelled(counts, more)
    {if granularity is null}
    select {qi} {,ts}, frequency, tuples {more}
    from {counts}
    {else}
    {if tanon._is_granularity(granularity)}
    select {qi}, tanon._label(tanon_first, {granularity}) as {ts}, frequency, tuples {more}
    from {counts}
    {else}
    select {qi}, tanon_label as {ts}, frequency, tuples {more}
    from {counts} join {granules} using (tanon_granule)
    {end}
    {end}
end

piece nothing_more
end

use labelled_counts = labelled(counts = frequencies, more = nothing_more)

step labelled_frequencies
    {labelled_counts}
end
