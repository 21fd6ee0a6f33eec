-- sql/functions/hierarchies/age.sql
case when (date '1961-07-23')::date > (date '2024-07-22')::date
then error(concat('tanon.age: birth must be at or before the event, got ', (date '1961-07-23')::date, ' and ',
    (date '2024-07-22')::date))::bigint
else year((date '2024-07-22')::date) - year((date '1961-07-23')::date)
    - (month((date '2024-07-22')::date) * 100 + day((date '2024-07-22')::date)
        < month((date '1961-07-23')::date) * 100 + day((date '1961-07-23')::date))::bigint
end
