-- Returns the age in whole years at a given day.
--
-- A person born on 29 February becomes a year older on 1 March of other years. To use ages as a
-- quasi-identifier, add a column first: select *, tanon.age_in_years(born, admitted) as age from
-- visits. tanon.interval_hierarchy generalizes it. A birth after the day is an error.
--
-- Arguments:
--   birth  value  the date of birth, a DATE or a TIMESTAMP
--   event  value  the day of the event, a DATE or a TIMESTAMP
-- Returns: BIGINT
-- For: anybody
-- Example:
--   select tanon.age_in_years(date '1961-07-23', date '2024-07-22') as age

case when birth is not null and not coalesce(isfinite(try_cast(birth as date)), false)
then error(concat('tanon.age_in_years: birth must be a date, got ', birth::varchar))::bigint
when event is not null and not coalesce(isfinite(try_cast(event as date)), false)
then error(concat('tanon.age_in_years: event must be a date, got ', event::varchar))::bigint
when try_cast(birth as date) > try_cast(event as date)
then error(concat('tanon.age_in_years: birth must be at or before the event, got ', birth::date,
    ' and ',
    event::date))::bigint
else year(try_cast(event as date)) - year(try_cast(birth as date))
    - (month(try_cast(event as date)) * 100 + day(try_cast(event as date))
        < month(try_cast(birth as date)) * 100 + day(try_cast(birth as date)))::bigint
end
