-- The parameters, kept with the tables.

update {{ schema }}.manifest
set
    "source" = $source, ts = $ts, uid = $uid, rows_are_persons = $rows_are_persons,
    repeats = $repeats, sa = $sa, qi = $qi, l = $l, w = $w,
    granularity = $granularity, mu = $mu, beta = $beta, "method" = $method, "start" = $start,
    late = $late, accept = $accept, begun = current_localtimestamp()
