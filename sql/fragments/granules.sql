{# The built-in granularities, shortest first: name; index, start, end or length, label of the
   granule that covers a TIMESTAMP named tanon_t; rule of being finer and usual length. Index 0 is
   the granule of 1970-01-01 00:00; 0001-01-01 was a Monday. #}
{% macro clock(us) %}
(epoch_us(tanon_t) + 62135596800000000) // {{ us }} - {{ 62135596800000000 // us }}{% endmacro %}
{% macro bucket(width) %}time_bucket(interval '{{ width }}', tanon_t){% endmacro %}
{% macro text(shape, moment="tanon_t") %}strftime({{ moment }}, '{{ shape }}'){% endmacro %}
{% macro trunc(unit) %}date_trunc('{{ unit }}', tanon_t){% endmacro %}
{% macro at_work(x) %}case when isodow(tanon_t) < 6 then {{ x }} end{% endmacro %}
{% macro after(parts) %}{{ trunc('month') }} + to_days(({{ parts }})::integer){% endmacro %}
{% macro within(last_day, parts) %}
case when day(tanon_t) > {{ last_day }} then {{ trunc('month') }} + interval 1 month
else {{ after(parts) }} end{% endmacro %}
{% set months = "(year(tanon_t) * 12 + month(tanon_t) - 1)" %}
{% set weeks = "((tanon_t::date - date '0001-01-01') // 7 - 102737)" %}
{% set sunday = "date_trunc('week', tanon_t + interval 1 day) - interval 1 day" %}
{% set dekad = "(least(day(tanon_t), 30) - 1) // 10" %}
{% set half = "(day(tanon_t) > 15)::integer" %}
{% set quarter_hour, half_hour = bucket("15 minutes"), bucket("30 minutes") %}
{% set six_hours, half_year = bucket("6 hours"), bucket("6 months") %}
{% set date, week = text("%Y-%m-%d"), text("%G-W%V") %}
{% set minute = "%Y-%m-%d %H:%M" %}
{% set parts = "(['00-06 night', '06-12 morning', '12-18 afternoon', '18-24 evening'])" %}
{% macro us(width, begin=0) %}'us', {{ width }}, {{ begin }}, {{ width }}{% endmacro %}
{% macro months_wide(n) %}'months', {{ n }}, 0, {{ n * 2629746000000 }}{% endmacro %}
{% set granules = [
    ["second", clock(1000000), trunc("second"), "interval 1 second", text(minute ~ ":%S"),
     us(1000000)],
    ["minute", clock(60000000), trunc("minute"), "interval 1 minute", text(minute),
     us(60000000)],
    ["quarter_hour", clock(900000000), quarter_hour, "interval 15 minute",
     text(minute, quarter_hour),
     us(900000000)],
    ["half_hour", clock(1800000000), half_hour, "interval 30 minute", text(minute, half_hour),
     us(1800000000)],
    ["hour", clock(3600000000), trunc("hour"), "interval 1 hour", text("%Y-%m-%d %H:00"),
     us(3600000000)],
    ["day_part", clock(21600000000), six_hours, "interval 6 hour",
     date ~ " || ' ' || " ~ parts ~ "[1 + hour(tanon_t) // 6]",
     us(21600000000)],
    ["six_hours", clock(21600000000), six_hours, "interval 6 hour", text(minute, six_hours),
     us(21600000000)],
    ["business_day", at_work(weeks ~ " * 5 + isodow(tanon_t) - 4"), at_work(trunc("day")),
     "interval 1 day", at_work(date),
     "'business_day', 0, 0, 86400000000"],
    ["day", "tanon_t::date - date '1970-01-01'", trunc("day"), "interval 1 day", date,
     us(86400000000)],
    ["business_week", at_work(weeks), at_work(trunc("week")), "interval 5 day", at_work(week),
     "'business_week', 0, 0, 432000000000"],
    ["week", weeks, trunc("week"), "interval 7 day", week,
     us(604800000000)],
    ["week_sunday", "(tanon_t::date - date '0001-01-01' + 1) // 7 - 102737", sunday,
     "interval 7 day", text("%Y-%m-%d", "greatest(" ~ sunday ~ ", timestamp '0001-01-01')"),
     us(604800000000, -86400000000)],
    ["dekad", months ~ " * 3 + " ~ dekad ~ " - 70920", after(dekad ~ " * 10"),
     within(20, dekad ~ " * 10 + 10"), text("%Y-%m-D") ~ " || (1 + " ~ dekad ~ ")",
     "'part', 0, 0, 876582000000"],
    ["half_month", months ~ " * 2 + " ~ half ~ " - 47280", after(half ~ " * 15"),
     within(15, "15"), text("%Y-%m-H") ~ " || (1 + " ~ half ~ ")",
     "'part', 0, 0, 1314873000000"],
    ["month", months ~ " - 23640", trunc("month"), "interval 1 month", text("%Y-%m"),
     months_wide(1)],
    ["quarter", months ~ " // 3 - 7880", trunc("quarter"), "interval 3 month",
     text("%Y-Q") ~ " || quarter(tanon_t)",
     months_wide(3)],
    ["half_year", months ~ " // 6 - 3940", half_year, "interval 6 month",
     text("%Y-H") ~ " || (1 + (month(tanon_t) > 6)::integer)",
     months_wide(6)],
    ["year", "year(tanon_t) - 1970", trunc("year"), "interval 1 year", text("%Y"),
     months_wide(12)],
    ["decade", "year(tanon_t) // 10 - 197", trunc("decade"), "interval 10 year",
     "lpad((year(tanon_t) // 10)::varchar, 3, '0') || '0s'",
     months_wide(120)],
] %}
