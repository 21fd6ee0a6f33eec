-- What was delivered, or is to be: the snapshots after one and up to another.

create table if not exists {{ schema }}.deliveries (
    "number" bigint primary key, "after" {{ ts_type }}, upto {{ ts_type }}, ending varchar,
    planned timestamp default current_localtimestamp(), delivered timestamp, manifest varchar
)
