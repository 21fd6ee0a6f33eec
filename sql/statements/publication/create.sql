-- The tables of a publication. All stay with the publisher: released still has quasi-identifiers
-- beside values, and is what the pair of tables for others is dealt from.

create schema {{ schema }};

create table {{ schema }}.released as
select {{ ts }}, {{ others }}, {{ sensitive }} from {{ source }} where false;

create table {{ schema }}.suppressed as
select {{ ts }}, {{ others }}, {{ sensitive }}, null::varchar as reason from {{ source }}
    where false;

create table {{ schema }}.manifest as
select
    {{ version }} as tanon_duck_version, {{ version }} as advanced_by,
    null::varchar as duckdb_version, null::varchar as "source", null::varchar as ts,
    null::varchar as respondent, null::boolean as rows_are_persons, null::varchar as repeats,
    null::varchar as sensitive, null::varchar[] as qi, null::varchar as l, null::bigint as w,
    null::varchar as granularity, null::varchar as move_cost, null::varchar as suppress_cost,
    null::varchar as "method", null::varchar as "start", null::varchar as lateness,
    null::varchar[] as allow_identifying,
    null::timestamp as begun, null::timestamp as advanced,
    {{ null_ts }} as seen_upto, {{ null_ts }} as released_upto, false as finished,
    0::bigint as records, 0::bigint as published, 0::bigint as moved, 0::bigint as suppressed,
    null::double as mean_distance, null::bigint as max_distance, 0::double as information_loss;

-- Where the window stands: seen and now count snapshots, costs are in millionths. The secret
-- decides which of equal records moves and how the pair is dealt; whoever has it can repeat that.
create table {{ schema }}.state as
select
    null::bigint as seen, null::bigint as now, null::bigint as released, true as placed,
    0::bigint as steps,
    null::bigint[] as mu, null::bigint as beta, 0::hugeint as distance, 0::hugeint as loss,
    null::varchar as secret;

create table {{ schema }}.state_beta (sensitive {{ sa_type }}, cost bigint);

-- Open records: published in a slot that is not final, or waiting (slot NULL).
create table {{ schema }}.state_open (sensitive {{ sa_type }}, home bigint, slot bigint,
    records bigint);

-- Everything that became final, in counts, by the step that made it final.
create table {{ schema }}.state_plan (
    step bigint, sensitive {{ sa_type }}, home bigint, slot bigint, records bigint,
        is_repeat boolean
);

-- Snapshots in which all records of a person are repeats: suppressed, as an earlier one of the
-- person is published.
create table {{ schema }}.state_repeats (respondent {{ uid_type }}, home bigint);

-- Every record ever seen, in counts: released, suppressed and waiting must add up to them.
create table {{ schema }}.state_counts (sensitive {{ sa_type }}, home bigint, records bigint);

-- Of every snapshot a digest that DuckDB is quick at, and one that no version of it changes.
create table {{ schema }}.state_seen (
    snapshot bigint, records bigint, quick hugeint, fingerprint hugeint
);
