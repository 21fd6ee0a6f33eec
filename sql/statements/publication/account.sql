-- The state and the manifest after a step.

update {{ schema }}.state
set
    seen = {{ seen }}, now = {{ now }}, released = {{ released }},
    placed = {{ placed }}, steps = {{ step }},
    distance = distance + {{ distance }}, loss = loss + {{ loss }};

update {{ schema }}.manifest
set
    advanced = current_localtimestamp(), advanced_by = {{ version }}, duckdb_version = version(),
    seen_upto = tanon._snapshot_start({{ null_ts }}, {{ seen }}, {{ pace }}),
    released_upto = tanon._snapshot_start({{ null_ts }}, {{ released }}, {{ pace }}),
    finished = {{ finished }},
    records = records + {{ arrived }},
    published = published + {{ published }},
    moved = moved + {{ moved }},
    suppressed = suppressed + {{ suppressed }},
    max_distance = greatest(max_distance, {{ max_distance }}),
    mean_distance = (select distance from {{ schema }}.state)
        / nullif(published + {{ published }}, 0),
    information_loss = (select loss from {{ schema }}.state) / 1000000;

drop table tanon_arrivals;
drop table tanon_repeats;
drop table tanon_values;
drop table tanon_assigned;
