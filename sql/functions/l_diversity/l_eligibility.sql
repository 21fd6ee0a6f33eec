-- Returns whether each snapshot of a stream is l-eligible, with its records and excess.
--
-- A snapshot is l-eligible if no sensitive value and no respondent has more than one l-th of its
-- records. Only then can it be divided into l-diverse groups. tanon.publish_stream moves records so
-- that every snapshot is l-eligible. l may be a fraction such as 2.5 or '5/2'.
--
-- A snapshot is one whole number, one day, or one granule of granularity. Without granularity, a
-- TIMESTAMP must be midnight. granularity is one of tanon.granularities(), a bucket such as '3
-- days', or the width for an integer column. The function refuses business days, parts of months
-- and calendars, because snapshots must have no gaps. It lists empty snapshots within the stream,
-- and they are eligible. NULL counts as a value.
--
-- Cost: one hash aggregation. Memory: the counts, and all snapshots from the first to the last, at
-- most ten million.
--
-- Arguments:
--   source       relation                        the table, the view or the query in parentheses
--   ts           column(integer, time) not null as time  the time of the record
--   sensitive    column as sensitive  the sensitive value
--   l            rational >= 1                   no value may have more than one l-th of a snapshot
--   granularity  snapshots = NULL                the length of a snapshot
--   uses persons
-- Checks:
--   respondent  not tanon._share_a_name(respondent, [ts::varchar, sensitive::varchar])  a column
--       apart from ts and sensitive
-- Result:
--   {ts}      as in source  the first instant of the snapshot
--   records   BIGINT        the number of records
--   level     BIGINT        the records of the most frequent sensitive value
--   person_level  BIGINT    the records of the respondent with the most records; 1 if every record
--       is a different respondent
--   max_l     DOUBLE        the largest l for which the snapshot is eligible; NULL if it is empty
--   eligible  BOOLEAN       whether the snapshot is l-eligible
--   excess    BIGINT        the number of records to suppress until no value is too frequent
-- For: the owner
-- Example:
--   from tanon.l_eligibility('cases', respondent := 'person', ts := 'day', sensitive := 'disease',
--       l := 2)
--   order by day limit 7


step person_levels when respondent is not null
    select tanon_home as tanon_snapshot, max(tanon_n) as tanon_most
    from (
        select tanon._snapshot({ts}, {granularity}) as tanon_home, count(*) as tanon_n
        from {source}
        where {checked times_can_be_cut}
        group by tanon_home, {respondent}
    )
    group by tanon_home
end

step ranked_cells
    select
        tanon_home as tanon_snapshot, tanon_records as tanon_n,
        row_number() over tanon_by_size - 1 as tanon_k,
        sum(tanon_records) over (tanon_by_size rows between current row and unbounded following)
            as tanon_tail
    from {snapshot_cells}
    window tanon_by_size as (partition by tanon_home order by tanon_records desc nulls last)
end

-- The cut h up to which every value may stay is allowed exactly when (l - k) * h <= all but the k
-- largest counts, for every k < l.
step snapshot_levels
    select
        tanon_snapshot,
        sum(tanon_n)::bigint as records,
        max(tanon_n)::bigint as level,
        case
            when count(*) * tanon._denominator({l}) < tanon._numerator({l}) then 0
            else least(max(tanon_n), coalesce(min(
                tanon_tail * tanon._denominator({l}) // nullif(greatest(
                    tanon._numerator({l}) - tanon_k * tanon._denominator({l}), 0), 0)
            ), max(tanon_n)))
        end::bigint as tanon_cut,
        list(tanon_n) as tanon_counts
    from {ranked_cells}
    group by tanon_snapshot
end

step span_of_levels
    select min(tanon_snapshot) as tanon_first, max(tanon_snapshot) as tanon_last
    from {snapshot_levels}
end

step snapshots_of_span
    select unnest(if(
        tanon_last - tanon_first < 10000000,
        range(tanon_first, tanon_last + 1),
        error({function} || ': granularity must be coarse enough for at most 10000000 snapshots'
            || ', got ' || tanon_last - tanon_first + 1)
    )) as tanon_snapshot
    from {span_of_levels}
end

select
    tanon._snapshot_start(
        (select any_value({ts}) from {source}), tanon_snapshot, {granularity}
    ) as {ts},
    coalesce(records, 0) as records,
    coalesce(level, 0) as level,
    {if respondent is null}least(coalesce(records, 0), 1){else}coalesce(tanon_most, 0){end}::bigint
        as person_level,
    records / greatest(level, person_level) as max_l,
    coalesce(
        level = tanon_cut
        and not tanon._exceeds_share(person_level, records, {l}), true
    ) as eligible,
    coalesce(list_sum(list_transform(
        tanon_counts, lambda tanon_n: greatest(tanon_n - tanon_cut, 0)
    )), 0)::bigint as excess
from {snapshots_of_span} left join {snapshot_levels} using (tanon_snapshot)
    {if respondent is not null} left join {person_levels} using (tanon_snapshot) {end}
