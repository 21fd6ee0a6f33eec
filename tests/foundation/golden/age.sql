-- sql/functions/hierarchies/age.sql
case when birth::date > event::date
then error(concat('tanon.age: birth must be at or before the event, got ', birth::date, ' and ',
    event::date))::bigint
else year(event::date) - year(birth::date)
    - (month(event::date) * 100 + day(event::date)
        < month(birth::date) * 100 + day(birth::date))::bigint
end
