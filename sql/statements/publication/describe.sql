-- The parameters, kept with the tables.

update {{ schema }}.manifest
set
    "source" = $source, ts = $ts, respondent = $respondent, rows_are_persons = $rows_are_persons,
    repeats = $repeats, sensitive = $sensitive, qi = $qi, l = $l, w = $w,
    granularity = $granularity, move_cost = $move_cost, suppress_cost = $suppress_cost,
        "method" = $method, "start" = $start,
    lateness = $lateness, allow_identifying = $allow_identifying, begun = current_localtimestamp()
