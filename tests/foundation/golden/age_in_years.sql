-- sql/functions/hierarchies/age_in_years.sql
case when (date '1961-07-23') is not null and not coalesce(isfinite(try_cast((date '1961-07-23') as date)), false)
then error(concat('tanon.age_in_years: birth must be a date, got ', (date '1961-07-23')::varchar))::bigint
when (date '2024-07-22') is not null and not coalesce(isfinite(try_cast((date '2024-07-22') as date)), false)
then error(concat('tanon.age_in_years: event must be a date, got ', (date '2024-07-22')::varchar))::bigint
when try_cast((date '1961-07-23') as date) > try_cast((date '2024-07-22') as date)
then error(concat('tanon.age_in_years: birth must be at or before the event, got ', (date '1961-07-23')::date,
    ' and ',
    (date '2024-07-22')::date))::bigint
else year(try_cast((date '2024-07-22') as date)) - year(try_cast((date '1961-07-23') as date))
    - (month(try_cast((date '2024-07-22') as date)) * 100 + day(try_cast((date '2024-07-22') as date))
        < month(try_cast((date '1961-07-23') as date)) * 100 + day(try_cast((date '1961-07-23') as date)))::bigint
end
