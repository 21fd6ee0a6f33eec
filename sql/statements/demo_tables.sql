-- The small tables of the demo and of every example, the same everywhere: three by arithmetic.

-- A hospital: 300 patients, up to three visits each over the year 2024.
create or replace table visits as
with draws as (
    select
        patient, visit,
        (patient * 7919 + 13) % 1009 as a, (patient * 104729 + visit * 31) % 997 as b
    from range(1, 301) as patients(patient), range(1, 4) as visits(visit)
    where visit = 1 or (patient * 17 + visit * 5) % 4 = 0
)
select
    'p' || lpad(patient::varchar, 3, '0') as patient,
    timestamp '2024-01-01 06:00' + to_minutes((b * 523 + a * 7) % 527000) as admitted,
    '10' || lpad(((a * 5) % 11)::varchar, 3, '0') as zip,
    20 + (a * 3) % 60 as age,
    if(a % 2 = 0, 'f', 'm') as sex,
    (['flu', 'asthma', 'diabetes', 'fracture', 'migraine'])[1 + (a * b) % 5] as diagnosis
from draws
order by admitted asc nulls last, patient asc nulls last;

-- A stream of daily cases: one disease dominates, and flares up on some days. Four persons come
-- again about every nine days; all others come once.
create or replace table cases as
with days as (
    select d, 6 + (d * 37) % 7 as usual, if(d % 9 in (3, 4), 9, 0) as flare
    from range(0, 42) as days(d)
),
numbered as (
    select
        *, row_number() over (order by d asc nulls last, n asc nulls last) as r,
        20 + (d * 13 + n * 29) % 60 as age,
        (['north', 'south', 'east', 'west'])[1 + (d + n * n) % 4] as district
    from days, range(0, 25) as numbers(n)
    where n < usual + flare
),
met as (
    select *, if(r % 24 = 0, (r - 1) % 96 + 1, r) as p from numbered
)
select
    date '2024-03-01' + d::integer as day,
    'c' || lpad(p::varchar, 4, '0') as person,
    first_value(age) over of_person as age,
    first_value(district) over of_person as district,
    if(
        n >= usual or n % 3 = 0, 'flu',
        (['measles', 'mumps', 'pertussis', 'rubella', 'varicella'])[1 + (d * 3 + n * 7) % 5]
    ) as disease
from met
window of_person as (partition by p order by r asc nulls last)
order by day asc nulls last, person asc nulls last;

-- Yearly incomes of 120 households over eight years, and what each gave to charity.
create or replace table incomes as
with households as (
    select h, 40 + (h * 37) % 61 as start, (h * 11) % 7 - 3 as slope, (h * 5) % 4 as bend
    from range(0, 120) as households(h)
)
select
    'household ' || lpad(h::varchar, 3, '0') as name,
    list_transform(range(0, 8), lambda y:
        round(start + slope * y + bend * sin(y * 1.1) * 2 + (h * 31 + y * 17) % 9 / 10, 1)::double
    ) as incomes,
    100 + (h * 7919) % 900 as charity
from households
order by name asc nulls last;
