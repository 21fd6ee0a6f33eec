-- Returns the mean value loss and the mean pattern loss of a release of series.
--
-- Pass the owner's copy of the release, made with for_owner := true, because the function needs
-- series_id. value_loss is the root mean square of the widths of the ranges, in the unit of the
-- readings. pattern_loss is 0 if the words have the shape of the series. It is 1 if the words say
-- nothing, and 2 if they say the opposite. The means do not include suppressed series.
--
-- Cost: one hash join.
--
-- Arguments:
--   release  relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the owner's copy
--       of the release
--   source     relation                            the original series
--   series_id  column not null of source and release as respondent  the series
--   series     columns(list, number)               a list column, or one column for each reading
-- Result:
--   records       BIGINT  the number of series in the release
--   suppressed    BIGINT  the number of series that are not in the release
--   value_loss    DOUBLE  the mean value loss; NULL if the release is empty
--   pattern_loss  DOUBLE  the mean pattern loss
-- For: the owner
-- Example:
--   from tanon.series_loss(
--       '(select name, low, high, word, level
--         from incomes join published_incomes using (charity))',
--       '(select name, incomes as yearly from incomes)', series_id := 'name', series := 'yearly'
--   )


step series_rows
    select {series_id} as tanon_id, {readings} as tanon_values from {source}
end

step rows_published
    select {series_id} as tanon_id, count(*) as tanon_rows from {release} group by {series_id}
end

step rows_known
    select count(*) as tanon_known, count(*) filter (tanon_rows > 1) as tanon_repeated
    from {rows_published} semi join {series_rows} using (tanon_id)
end

guard no_strangers on matched
    select 'release must be a release of source, each series once, got '
        || tanon_published - tanon_known + tanon_repeated
        || ' other rows; make it with for_owner := true'
    from (select count(*) as tanon_published from {rows_published}), {rows_known}
    where tanon_published - tanon_known + tanon_repeated > 0
end

step matched
    select
        r.low is not null as tanon_is_published,
        tanon.series_value_loss(r.low, r.high) as tanon_value_loss,
        tanon._answer(tanon_pattern_loss(tanon_values, r.word, r.level)) as tanon_pattern_loss
    from {series_rows} left join {release} as r on {r.series_id} = tanon_id
    where {checked no_strangers} and {checked series_are_fine}
end

select
    count(*) filter (tanon_is_published) as records,
    count(*) filter (not tanon_is_published) as suppressed,
    -- Averaged in a fixed order, so that threads cannot change the last digit.
    tanon._mean_loss(list(tanon_value_loss order by tanon_value_loss asc nulls last)) as value_loss,
    list_avg(list(tanon_pattern_loss order by tanon_pattern_loss asc nulls last)) as pattern_loss
from {matched}
