-- Returns a hierarchy table of numbers or times in bins of about equally many rows.
--
-- With bins [8, 4, 2], level 1 has eight bins. The last level is * unless star is false. All rows
-- of a value are in one bin, so bins can differ in size and be fewer. The label of the first bin is
-- '<20', of the last bin '55+', and of another bin '[20, 35)'. NULL stays NULL. Times with zone are
-- in UTC.
--
-- A bound that is a value of the table would reveal that a respondent has this value. Therefore the
-- function rounds bounds down, and labels contain neither the smallest nor the largest value. It
-- rounds numbers to 1, 2 or 5 times a power of ten. It rounds times to whole units. Neighbouring
-- values may leave no other bound: between 36 and 37 the only bound is 37.
--
-- Cost: one pass for the distinct values, and one sort.
--
-- Arguments:
--   source     relation              the table, the view or the query in parentheses
--   attribute  column(number, time)  the quasi-identifier
--   bins       sizes                 the number of bins of each level: fewer on each, a divisor of
--       the one before
--   star       boolean = true        whether the last level replaces all values by *
-- Checks:
--   bins  tanon._divide_in_turn(bins)  fewer on each level, each a divisor of the one before
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  the value of the column, as text
--   generalized  VARCHAR  the coarser value on this level
-- For: the owner
-- Example:
--   from tanon.quantile_hierarchy('visits', attribute := 'age', bins := [4, 2])
--   order by level, value limit 3

-- Numbers and times on one axis; times as seconds, by the clock where they have a zone.
step ranked_values materialized
    select
        tanon_value, tanon_x, tanon_whole, tanon_at is not null as tanon_timed,
        least(({bins})[1] - 1, floor(
            (sum(tanon_n) over (order by tanon_x asc nulls last) - tanon_n / 2) * ({bins})[1]
            / sum(tanon_n) over ()))::bigint as tanon_bin
    from (
        select *, coalesce(epoch(tanon_at), tanon._rounded_down(tanon_value)) as tanon_x
        from (
            select
                tanon._value_text({attribute}) as tanon_value, count(*) as tanon_n,
                tanon._is_integer(any_value(typeof({attribute}))) as tanon_whole,
                case when any_value(typeof({attribute})) similar to 'DATE|TIMESTAMP.*'
                    then try_cast(
                        regexp_replace(tanon_value, '(:[0-9.]+)[+-][0-9:]+$', '\1') as timestamp
                    ) end
                    as tanon_at
            from {source}
            where {attribute} is not null
            group by tanon_value
        )
    )
end

guard values_are_finite on ranked_values
    select 'attribute must hold finite values, times within the years of TIMESTAMP, and numbers '
        || 'of at most 9007199254740992, got ' || min(tanon_value)
    from {ranked_values}
    where ltrim(tanon_value, '-') in ('nan', 'inf', 'infinity')
        or tanon_x is null or (not tanon_timed and abs(tanon_x) > 9007199254740992)
    having count(*) > 0
end

-- No two bounds are the same, and the least value of a bin stays in it: it lies above half of the
-- way from the one before.
step rounded_bins materialized
    select tanon_timed, max(tanon_bin) as tanon_bin, case
        when tanon_room is null then '-infinity'
        when tanon_timed then tanon._rounded_time(tanon_least, tanon_room)
        else tanon._rounded_number(tanon_least, tanon_room, tanon_whole)
        end::double as tanon_from
    from (
        select tanon_bin, min(tanon_x) as tanon_least,
            bool_and(tanon_timed) as tanon_timed, bool_and(tanon_whole) as tanon_whole,
            (min(tanon_x) - lag(min(tanon_x)) over (
                order by tanon_bin asc nulls last
            )) / 2 as tanon_room
        from {ranked_values}
        where {checked values_are_finite}
        group by tanon_bin
    )
    group by tanon_timed, tanon_from
end

-- Bins of a level are whole bins of the first one, so that they are nested.
step bins_of_levels materialized
    select
        tanon_level, tanon_bin_of, lag(tanon_from) over of_level is null as tanon_first,
        tanon._bound_label(tanon_from, tanon_timed) as tanon_low,
        tanon._bound_label(lead(tanon_from) over of_level, tanon_timed) as tanon_high
    from (
        select tanon_level, tanon_timed, min(tanon_from) as tanon_from,
            tanon_bin // (({bins})[1] // ({bins})[tanon_level]) as tanon_bin_of
        from {rounded_bins}, (select unnest(range(1, len({bins}) + 1)) as tanon_level)
        group by all
    )
    window of_level as (partition by tanon_level order by tanon_from asc nulls last)
end

select
    {attribute:text} as attribute, tanon_level::integer as level, tanon_value as value,
    case
        when tanon_first and tanon_high is null then 'all'
        when tanon_first then '<' || tanon_high
        when tanon_high is null then tanon_low || '+'
        else '[' || tanon_low || ', ' || tanon_high || ')'
    end as generalized
from (
    select tanon_value, b.tanon_bin
    from {ranked_values} as v asof join {rounded_bins} as b on v.tanon_x >= b.tanon_from
) join {bins_of_levels} on tanon_bin_of = tanon_bin // (({bins})[1] // ({bins})[tanon_level])
{if star}
union all
select {attribute:text}, len({bins})::integer + 1, tanon_value, '*'
from {ranked_values}
{end}
{refusals}
