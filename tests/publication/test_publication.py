"""Publishing in steps gives the rows of one reposition; what was seen may not change."""

import hashlib
import random
import sys
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction

import duckdb
import pytest
from publication.streams import BEGIN, key_of, published, whole

import tanon_duck
from tanon_duck import TanonError, demo, new_secret, publication
from tanon_duck.secret import held_secret, is_secret

FIRST, LAST = date(2024, 3, 1), date(2024, 4, 11)


TIME = "ts must be an integer column or a DATE or TIMESTAMP column"


def begin(con, name="flu", **more):
    return publication(con, name, "cases", **(BEGIN | more))


SECRET = "1f8e0d3cb7a6954823f0e1d2c3b4a5968778695a4b3c2d1e0f00112f3a4b5c6d"


def counted(rows):
    return Counter((row[0], row[-1]) for row in rows)


def planned(flows):
    counts = Counter()
    for slot, value, n in flows:
        counts[slot, value] += n
    return counts


@pytest.mark.parametrize("seed", range(6))
def test_any_number_of_steps_gives_the_rows_of_one_reposition(demo_con, seed):
    rng = random.Random(seed)
    stream, now = begin(demo_con), FIRST - timedelta(rng.randint(0, 3))
    while now < LAST:
        stream.advance(now)
        now += timedelta(rng.choice([1, 1, 2, 5, 20]))
        stream = publication(demo_con, "flu")
    stream.advance(LAST)
    stream.finish()
    assert published(demo_con) == whole(demo_con)
    assert demo_con.execute("from duckdb_tables() where temporary").fetchall() == []


@pytest.mark.parametrize(
    ("more", "options"),
    [
        (", move_cost := 'd^2', suppress_cost := 7", {"move_cost": "d^2", "suppress_cost": 7}),
        (", granularity := '2 days'", {"granularity": "2 days"}),
        (", method := 'paper'", {"method": "paper"}),
        (", lateness := 'covered'", {"lateness": "covered"}),
        (
            ", move_cost := 'way', suppress_cost := 'price'",
            {"move_cost": "way", "suppress_cost": "price"},
        ),
    ],
)
def test_parameters_mean_what_they_mean_in_reposition(demo_con, more, options):
    demo_con.execute("create table way as select d as distance, 2 * d as cost from range(4) r(d)")
    demo_con.execute(
        "create table price as "
        "select distinct disease as value, 3 + length(disease) / 4 as cost from cases"
    )
    stream = begin(demo_con, **options)
    for day in range(3, 50, 7):
        stream.advance(FIRST + timedelta(min(day, 41)))
    stream.finish()
    if "granularity" not in more:
        assert published(demo_con) == whole(demo_con, more)
    else:
        assert published(demo_con)[0] == whole(demo_con, more)[0]


@pytest.mark.parametrize(
    "options", [{"start": "ilp"}, {"method": "window"}, {"method": "window", "lateness": "covered"}]
)
def test_methods_with_the_solver_can_be_stopped_too(demo_con, options):
    pytest.importorskip("highspy")
    more = "".join(f", {name} := '{value}'" for name, value in options.items())
    stream = begin(demo_con, **options)
    for day in (0, 1, 3, 10, 41):
        stream.advance(FIRST + timedelta(day))
    stream.finish()
    assert published(demo_con) == whole(demo_con, more)


@pytest.mark.parametrize("options", [{"start": "ilp"}, {"method": "window"}])
def test_a_missing_solver_is_said_and_nothing_is_lost(demo_con, monkeypatch, options):
    stream = begin(demo_con, **options)
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "highspy", None)
        named = " ".join(f"{name} {value!r}" for name, value in options.items())
        with pytest.raises(TanonError, match=f"tanon.publication: {named} needs the solver HiGHS"):
            stream.advance(LAST)
    assert stream.manifest()["records"] == 0
    assert demo_con.execute("from duckdb_tables() where temporary").fetchall() == []


def test_released_rows_are_final_and_sorted_and_the_manifest_adds_up(demo_con):
    stream, earlier = begin(demo_con), []
    for day in range(0, 42, 3):
        progress = stream.advance(FIRST + timedelta(day))
        rows = stream.released().fetchall()
        assert rows[: len(earlier)] == earlier
        assert progress.seen_upto == FIRST + timedelta(day)
        if day >= 3:
            assert progress.released_upto == FIRST + timedelta(day - 3)
        else:
            assert progress.released_upto is None
            assert rows == []
        earlier = rows
    manifest = stream.manifest()
    assert (
        manifest["records"]
        == demo_con.execute("select count(*) from cases where day <= date '2024-04-09'").fetchall()[
            0
        ][0]
    )
    assert manifest["published"] == len(earlier)
    assert manifest["suppressed"] == len(stream.suppressed().fetchall())
    stream.advance(LAST)
    stream.finish()
    summary = demo_con.execute(
        "select records, moved, suppressed, mean_distance, max_distance, information_loss "
        "from tanon.publish_stream('cases', 'day', 'disease', 2, 4, respondent := 'person', "
        "result := 'summary')"
    ).fetchall()[0]
    kept = stream.manifest()
    names = ("records", "moved", "suppressed", "mean_distance", "max_distance", "information_loss")
    assert tuple(kept[name] for name in names) == summary
    assert (kept["tanon_duck_version"], kept["finished"]) == (tanon_duck.__version__, True)
    reasons = {row[-1] for row in stream.suppressed().fetchall()}
    assert reasons == {"no l-eligible snapshot within the window could take it"}


def test_released_snapshots_can_be_split_and_stay_split_as_they_were(demo_con):
    call = (
        "from tanon.publish_table_pair('flu.released', qi := ['age', 'district'], sensitive := "
        "'disease', "
        "l := 2, partition := 'day', result := '{}', allow_identifying := 'age', "
        "rows_are_persons := true)"
    )
    stream, earlier = begin(demo_con), {"individuals": set(), "values": set()}
    for day in (7, 20, 41):
        stream.advance(FIRST + timedelta(day))
        for part, rows in earlier.items():
            now = set(demo_con.execute(call.format(part)).fetchall())
            assert rows < now
            earlier[part] = now


def test_integer_time_null_values_gaps_and_hostile_names(con):
    con.execute('create schema "my ""data"')
    table = '"my ""data"."the; table"'
    con.execute(f'create table {table} ("t s" bigint, "select" varchar, "q""i" int, "from" int)')
    rng = random.Random(3)
    rows = [
        (rng.choice([0, 1, 2, 3, 9, 10, 500]), rng.choice([None, "a", "b", "c'"]), i, 0)
        for i in range(60)
    ]
    con.executemany(f"insert into {table} values (?, ?, ?, ?)", rows)
    stream = publication(
        con,
        'a "pub',
        table,
        ts="t s",
        sensitive="select",
        qi='q"i',
        l="5/2",
        w=3,
        rows_are_persons=True,
    )
    for upto in (0, 2, 7, 9, 400, 600):
        stream.advance(upto, force=upto == 600)
    stream.finish()
    found = stream.released().fetchall()
    wanted = con.execute(
        'select published_ts, "select", records from tanon.publish_stream('
        '\'"my ""data"."the; table"\', '
        "ts := 't s', sensitive := 'select', l := '5/2', w := 3, rows_are_persons := true, "
        "result := 'plan') where published_ts is not null"
    ).fetchall()
    assert counted(found) == planned(wanted)


@pytest.mark.parametrize(
    ("ts", "sensitive", "qi", "respondent"),
    [
        ("home", "slot", "records", "sensitive"),
        ("total", "n", "before", "respondent"),
        ("slot", "records", "home", "state"),
        ("snapshot", "before", "reason", "source"),
        ("respondent", "repeats", "size", "home"),
        ("kept", "sensitive", "respondent", "slot"),
    ],
)
@pytest.mark.parametrize("repeats", ["separate", "one"])
def test_columns_may_have_the_names_that_the_statements_use(
    con, ts, sensitive, qi, respondent, repeats
):
    con.execute(
        f"create table t as select i // 6 as {ts}, "
        f"['a', 'a', 'b', null][1 + (i * i + i // 5) % 4] as {sensitive}, i as {qi}, i % 40 as "
        f"{respondent} "
        "from range(90) r(i)"
    )
    stream = publication(
        con,
        "p",
        "t",
        ts=ts,
        sensitive=sensitive,
        qi=qi,
        l=2,
        w=3,
        respondent=respondent,
        repeats=repeats,
        secret=SECRET,
    )
    for upto in (2, 9, 14):
        stream.advance(upto)
    stream.finish()
    con.execute(
        f"create view plain as select {ts} as day, {sensitive} as disease, {respondent} as who "
        f"from t"
    )
    call = (
        "tanon.publish_stream('plain', respondent := 'who', ts := 'day', sensitive := 'disease', "
        "l := 2, "
        f"w := 3, repeats := '{repeats}', secret := '{SECRET}', result := 'plan')"
    )
    wanted = con.execute(
        f"select published_ts, disease, records from {call} where published_ts is not null"
    ).fetchall()
    assert sum(n for _, _, n in wanted) < 90
    assert counted(stream.released().fetchall()) == planned(wanted)


def test_other_than_ascii_letters_tell_columns_apart(con):
    con.execute(
        'create table t as select i // 6 as day, i % 2 as disease, i as "É", -i as "é" '
        "from range(60) r(i)"
    )
    for name in ("É", "é"):
        stream = publication(
            con, name, "t", ts="DAY", sensitive="disease", qi=name, l=2, w=2, rows_are_persons=True
        )
        stream.advance(9)
        assert stream.released().columns == ["day", name, "disease"]


def test_late_and_changed_snapshots_are_refused_by_name(demo_con):
    stream = begin(demo_con)
    stream.advance(date(2024, 3, 20))
    before = published(demo_con)
    for change, message in [
        (
            "insert into cases values ('2024-03-02', 'x', 1, 'north', 'flu')",
            "9 records instead of 8 at 2024-03-02",
        ),
        ("delete from cases where day = '2024-03-18'", "0 records instead of"),
        ("update cases set disease = 'mumps' where day = '2024-03-19'", "at 2024-03-19"),
        (
            "insert into cases values ('1999-01-01', 'x', 1, 'north', 'flu')",
            "1 records instead of 0 at 1999-01-01",
        ),
    ]:
        demo_con.execute("create or replace table copy_of_cases as from cases")
        demo_con.execute(change)
        with pytest.raises(
            TanonError, match="source must keep the snapshots that were read"
        ) as error:
            stream.advance(date(2024, 3, 25))
        assert message in str(error.value)
        assert published(demo_con) == before
        demo_con.execute("create or replace table cases as from copy_of_cases order by day, person")
    stream.advance(date(2024, 3, 25))


@pytest.mark.parametrize("column", ["age = age + 1", "person = person || 'x'", "disease = 'flu'"])
def test_old_changes_that_keep_the_number_of_rows_are_refused(demo_con, column):
    stream = begin(demo_con)
    stream.advance(date(2024, 4, 9))
    demo_con.execute(f"update cases set {column} where day = '2024-03-02'")
    for step in (stream.verify, lambda: stream.advance(LAST), stream.finish):
        with pytest.raises(TanonError, match="8 records with other values at 2024-03-02"):
            step()


def test_another_hash_of_duckdb_is_no_change(demo_con):
    stream = begin(demo_con)
    stream.advance(date(2024, 3, 20))
    demo_con.execute("update flu.state_seen set quick = quick + 1")
    wanted = whole(demo_con)
    stream.advance(date(2024, 3, 21))
    quick = demo_con.execute("select snapshot, quick from flu.state_seen order by all").fetchall()
    stream.advance(LAST)
    later = demo_con.execute("select snapshot, quick from flu.state_seen order by all").fetchall()
    assert later[: len(quick)] == quick
    stream.finish()
    assert published(demo_con) == wanted


CHANGES = {
    "another order of columns": "select disease, district, age, person, day from cases",
    "an added column": "select *, 'x' || person as note from cases",
    "a column less": "select * exclude (remark) from cases",
    "DATE to TIMESTAMP": "select * replace (day::timestamp as day) from cases",
    "integer to double": "select * replace (age::double as age) from cases",
    "VARCHAR to ENUM": "select * replace (disease::enum_of_diseases as disease, "
    "district::enum_of_districts as district) from cases",
    "other rows first": "select * from cases order by sha256(person)",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_does_not_change_the_used_values_changes_nothing(demo_con, change):
    demo_con.execute("alter table cases add column remark varchar")
    for column in ("disease", "district"):
        demo_con.execute(
            f"create type enum_of_{column}s as enum (select distinct {column} from cases "
            f"order by {column} desc)"
        )
    stream = begin(demo_con)
    stream.advance(date(2024, 3, 20))
    wanted = whole(demo_con)
    demo_con.execute(f"create or replace table cases as {change}")
    stream = publication(demo_con, "flu")
    stream.verify()
    stream.advance(LAST)
    stream.finish()
    stream.verify()
    assert published(demo_con) == wanted


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("select * replace (age + 0.5 as age) from cases", '468 values of "age" that are not of'),
        (
            "select * replace (day + interval 1 hour as day) from cases",
            '468 values of "day" that are not of type DATE',
        ),
    ],
)
def test_values_that_the_kept_types_cannot_hold_are_refused(demo_con, change, message):
    begin(demo_con).advance(date(2024, 3, 20))
    demo_con.execute(f"create or replace table cases as {change}")
    with pytest.raises(
        TanonError, match=f"source must keep its columns as they were, got {message}"
    ):
        publication(demo_con, "flu").advance(LAST)


def test_an_enum_may_get_more_values(con):
    con.execute("create type kind as enum ('b', 'a')")
    con.execute(
        "create table t as select i // 6 as d, ['a', 'b'][1 + i % 2]::kind as s, "
        "i as q from range(60) r(i)"
    )
    stream = publication(
        con, "p", "t", ts="d", sensitive="s", qi="q", l=2, w=2, rows_are_persons=True
    )
    stream.advance(5)
    con.execute("create type wider as enum ('c', 'b', 'a'); alter table t alter s type wider")
    con.execute("update t set s = 'c' where d > 7")
    publication(con, "p").advance(9)


def test_the_same_by_hashes_written_down(con):
    """Fingerprints and order are those of SHA-256, so another DuckDB finds the same."""
    con.execute(
        "create table t as select 1 as d, ['a', 'b'][1 + i % 2] as s, i as q from range(8) r(i)"
    )
    stream = publication(
        con, "p", "t", ts="d", sensitive="s", qi="q", l=2, w=2, rows_are_persons=True
    )
    stream.advance(1)
    key = key_of(con, "p")
    rows = con.execute("select d, q, s from t").fetchall()
    texts = ["".join(f"{len(str(c))}:{c}" for c in row) for row in rows]
    hashes = [int(hashlib.sha256(key + t.encode()).hexdigest()[:24], 16) for t in texts]
    assert con.execute("select fingerprint from p.state_seen").fetchall() == [
        (sum(hashes) % 2**96,)
    ]


def test_the_secret_is_drawn_kept_and_not_shown(demo_con):
    stream, _ = begin(demo_con), begin(demo_con, "other")
    secrets = [
        demo_con.execute(f"select secret from {n}.state").fetchone()[0] for n in ("flu", "other")
    ]
    assert len(set(secrets)) == 2
    assert all(map(is_secret, secrets))
    assert held_secret() not in secrets
    stream.advance(LAST)
    shown = repr((stream.manifest(), stream.parameters, stream, vars(stream)))
    assert secrets[0] not in shown
    given = new_secret()
    begin(demo_con, "given", secret=given.upper())
    assert publication(demo_con, "given", secret=given).manifest()["records"] == 0
    with pytest.raises(TanonError, match="secret must be the one that 'flu' was begun with") as no:
        publication(demo_con, "flu", secret=given)
    assert given not in str(no.value)
    assert secrets[0] not in str(no.value)
    with pytest.raises(TanonError, match="secret must be at least 32 hexadecimal") as no:
        begin(demo_con, "weak", secret="hunter2")
    assert "hunter2" not in str(no.value)


def test_the_state_of_an_older_version_is_refused(demo_con):
    begin(demo_con).advance(LAST)
    demo_con.execute("alter table flu.state drop secret")
    with pytest.raises(TanonError, match="'flu' was begun by an older version of tanon_duck"):
        publication(demo_con, "flu")


@pytest.mark.parametrize(
    ("spoil", "table"),
    [
        ("insert into flu.released values ('2024-03-02', 'x', 1, 'north', 'flu')", "released"),
        ("delete from flu.released where rowid = 3", "released"),
        ("update flu.released set disease = 'mumps' where rowid = 3", "released"),
        ("update flu.released set day = day + 1 where rowid = 3", "released"),
        ("update flu.released set age = age + 1 where rowid = 3", "released"),
        ("update flu.released set district = 'west' where rowid = 9", "released"),
        ("update flu.suppressed set age = 1 - age where rowid = 0", "suppressed"),
        ("delete from flu.suppressed where rowid = 0", "suppressed"),
        ("insert into flu.suppressed from flu.suppressed limit 1", "suppressed"),
    ],
)
def test_verify_finds_rows_added_to_or_taken_from_what_was_released(demo_con, spoil, table):
    stream = begin(demo_con)
    stream.advance(date(2024, 3, 20))
    stream.verify()
    demo_con.execute(spoil)
    with pytest.raises(TanonError, match=f"{table} must contain the rows that tanon wrote, got "):
        stream.verify()
    if "update" not in spoil:
        with pytest.raises(TanonError, match="rows added to or taken from released or suppressed"):
            stream.advance(LAST)


@pytest.mark.parametrize(
    "spoil",
    [
        "update flu.state_open set records = records + 1 where rowid = 0",
        "delete from flu.state_open where rowid = 0",
        "update flu.state_plan set records = records - 1 where rowid = 0",
        "update flu.state_counts set records = records + 1 where rowid = 0",
    ],
)
def test_every_record_is_released_suppressed_or_waiting_once(demo_con, spoil):
    stream = begin(demo_con)
    stream.advance(date(2024, 3, 20))
    before = published(demo_con)
    demo_con.execute(spoil)
    with pytest.raises(
        TanonError, match=r"released nothing, because its check found|do not add up"
    ):
        stream.advance(LAST)
    assert published(demo_con) == before


def test_the_pair_goes_on_word_for_word(demo_con):
    stream, earlier = begin(demo_con, allow_identifying="age"), {"individuals": [], "values": []}
    for day in (0, 7, 20, 41):
        stream.advance(FIRST + timedelta(day))
        for part, rows in earlier.items():
            now = getattr(publication(demo_con, "flu"), part)().fetchall()
            assert now[: len(rows)] == rows
            earlier[part] = now
    assert len(earlier["individuals"]) == len(stream.released().fetchall()) > 300
    assert sum(row[-1] for row in earlier["values"]) == len(earlier["individuals"])
    crowded = "from tanon.l_diversity_violations('(select a_group, unnest(range(records)) as n, "
    demo_con.register("diseases", stream.values().to_arrow_table())
    assert (
        demo_con.execute(
            crowded
            + "disease from diseases)', groups := 'a_group', sensitive := 'disease', l := 2)"
        ).fetchall()
        == []
    )


def test_a_quasi_identifier_that_names_people_is_refused_unless_accepted(demo_con):
    demo_con.execute("create or replace table cases as select *, person as who from cases")
    stream = begin(demo_con, qi=["who", "age"])
    stream.advance(LAST)
    with pytest.raises(
        duckdb.Error, match="qi must be columns that do not tell who a row is about"
    ):
        stream.individuals()
        stream.individuals().fetchall()


def test_upto_beyond_the_source_can_be_forced(demo_con):
    stream = begin(demo_con)
    stream.advance(LAST)
    with pytest.raises(TanonError, match="upto must be at most 2024-04-11, the last time in sour"):
        stream.advance(LAST + timedelta(1))
    assert stream.advance(LAST + timedelta(9), force=True).seen_upto == LAST + timedelta(9)


def test_a_source_without_rows_has_no_last_time(demo_con):
    stream = begin(demo_con)
    demo_con.execute("delete from cases")
    with pytest.raises(TanonError, match="upto must be at most a time, the last time in source"):
        stream.advance(FIRST)
    assert stream.advance(FIRST, force=True).records == 0


@pytest.mark.parametrize("lateness", ["any", "covered"])
def test_a_failing_check_releases_nothing(demo_con, monkeypatch, lateness):
    from tanon_duck.algorithms.reposition import covered, step

    stream = begin(demo_con, lateness=lateness)
    for module in (step, covered):
        monkeypatch.setattr(module, "eligible_level", lambda counts, _: max(counts, default=0))
    with pytest.raises(TanonError, match="its check found a snapshot that is"):
        stream.advance(LAST)
    assert published(demo_con) == ([], [])
    assert stream.manifest()["seen_upto"] is None


def test_who_is_late_and_tells_more_than_the_day_is_not_released(demo_con, monkeypatch):
    """Whatever the algorithm says: flows of 'any' do not pass for those of 'covered'."""
    from tanon_duck.algorithms.reposition import stream as algorithm
    from tanon_duck.algorithms.reposition.step import StepWindow

    stream = begin(demo_con, lateness="covered")
    monkeypatch.setattr(algorithm, "CoveredWindow", StepWindow)
    with pytest.raises(TanonError, match="its check found records that are late and tell"):
        stream.advance(LAST)
    assert published(demo_con) == ([], [])


def test_beta_by_values_that_are_lists(con):
    con.execute("create table t as select i // 6 as d, [i % 2] as s, i as q from range(60) r(i)")
    con.execute("create table price as select distinct s as value, 3 as cost from t")
    given = {"ts": "d", "sensitive": "s", "qi": "q", "l": 2, "w": 2, "rows_are_persons": True}
    publication(con, "p", "t", **given, suppress_cost="price").advance(9)
    with pytest.raises(
        TanonError, match="suppress_cost must be one cost for each value, got 'some values twice'"
    ):
        publication(con, "p2", "t", **given, suppress_cost="(from price union all from price)")
    with pytest.raises(
        TanonError,
        match=r"suppress_cost must be given for values of type BIGINT\[\], as sensitive is, got "
        r"'x'",
    ):
        publication(con, "p2", "t", **given, suppress_cost="(select 'x' as value, 2 as cost)")


def test_a_missing_beta_and_a_misaligned_time(con):
    con.execute("create table t (tm timestamp, s varchar, q int)")
    con.execute("insert into t values ('2024-01-01', 'a', 1), ('2024-01-02', 'b', 2)")
    con.execute("create table price as select 'a' as value, 2 as cost")
    given = {"ts": "tm", "sensitive": "s", "qi": "q", "l": 2, "w": 2, "rows_are_persons": True}
    stream = publication(con, "p", "t", **given, suppress_cost="price")
    stream.advance("2024-01-01")
    with pytest.raises(
        TanonError,
        match="suppress_cost must be given for every value of sensitive, got 'none for b'",
    ):
        stream.advance("2024-01-02")
    con.execute("insert into t values ('2024-01-03 10:00', 'b', 2)")
    stream = publication(con, "p2", "t", **given)
    stream.advance("2024-01-02")
    with pytest.raises(TanonError, match="ts must be midnight unless granularity says how time is"):
        stream.advance("2024-01-03")
    con.execute("insert into t values (null, 'b', 2)")
    with pytest.raises(TanonError, match="ts must be free of NULL, got 1 rows with NULL"):
        stream.advance("2024-01-03")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"l": 0.5}, "l must be a rational number greater than 1"),
        ({"w": 0}, "w must be an integer in [1, 10000], got 0"),
        ({"w": 2.5}, "w must be an integer in [1, 10000], got 2.5"),
        ({"w": 10**20}, "w must be an integer in [1, 10000], got 100000000000000000000"),
        ({"source": 5}, "source must be a table, a view or a query in parentheses, got 5"),
        ({"source": ""}, "source must be a table, a view or a query in parentheses, got ''"),
        ({"ts": 5}, f"{TIME} of source, got 5"),
        ({"qi": 5}, "qi must be columns of source, none twice, got '5'"),
        ({"qi": ["age", 5]}, "qi must be columns of source, none twice, got '5'"),
        (
            {"move_cost": {1: 1, 2: 2}},
            "move_cost must be 'd', 'd^2', a multiple such as '2.5*d' or a table",
        ),
        (
            {"suppress_cost": [1]},
            "suppress_cost must be a number > 0 or a table with columns value, cost, got [1]",
        ),
        (
            {"suppress_cost": ""},
            "suppress_cost must be a number > 0 or a table with columns value, cost, got ''",
        ),
        ({"l": 1}, "l must be a rational number greater than 1 such as 3, 2.5 or '5/2', got 1"),
        ({"secret": "abc123"}, "secret must be at least 32 hexadecimal digits drawn at random"),
        ({"secret": "00" * 32}, "secret must be at least 32 hexadecimal digits drawn at random"),
        ({"secret": 5}, "secret must be at least 32 hexadecimal digits drawn at random"),
        (
            {"allow_identifying": ["day"]},
            "allow_identifying must be columns that qi names, got 'day'",
        ),
        (
            {"allow_identifying": ["zip"]},
            "allow_identifying must be columns that qi names, got 'zip'",
        ),
        ({"allow_identifying": 5}, "allow_identifying must be columns that qi names, got '5'"),
        ({"ts": None}, "ts must be given to begin 'flu', got none"),
        ({"ts": "dy"}, f"{TIME} of source, got 'dy'; did you mean day?"),
        (
            {"qi": ["age", "disease"]},
            "qi must be columns other than respondent, ts and sensitive, got [age, disease]",
        ),
        (
            {"source": "(select *, age as tanon_home from cases)", "qi": ["tanon_home"]},
            "qi must be columns of source, none twice, got [tanon_home]; names that begin with",
        ),
        ({"qi": []}, "qi must be columns of source, none twice, got []"),
        ({"move_cost": "log(d)"}, "move_cost must be"),
        ({"move_cost": "0*d"}, "move_cost must grow with the distance"),
        (
            {"move_cost": "(select 0 as distance, unnest([0, 1]) as cost)"},
            "move_cost must give one cost for each distance, got some twice",
        ),
        ({"suppress_cost": 1e300}, "suppress_cost must be at most 9000000000000, got"),
        (
            {"suppress_cost": 0},
            "suppress_cost must be a number > 0 or a table with columns value, cost, got 0",
        ),
        ({"method": "best"}, "method must be one of 'step', 'window', 'paper', got 'best'"),
        ({"start": "cold"}, "start must be one of 'stream', 'ilp', got 'cold'"),
        ({"granularity": "fortnight"}, "granularity must be a unit such as 'hour', 'day', 'week'"),
        ({"granularity": 5}, "granularity must be of whole days where ts is a DATE column"),
        ({"granularity": "hour"}, "granularity must be of whole days where ts is a DATE column"),
        (
            {"source": "(select * replace (day::timestamptz as day) from cases)"},
            "ts must be an integer, DATE or TIMESTAMP column without time zone",
        ),
        ({"lateness": "covered", "method": "paper"}, "method must be 'step' or 'window' if"),
        (
            {"lateness": "covered", "start": "ilp"},
            "start must be 'stream' if lateness is 'covered'",
        ),
        ({"lateness": "all"}, "lateness must be one of 'any', 'covered', got 'all'"),
        ({"l": Fraction(5, 2)}, "l must be a rational number greater than 1"),
        ({"secret": "(select secret from s)"}, "secret must be at least 32 hexadecimal digits"),
    ],
)
def test_refused_beginnings_leave_nothing(demo_con, options, message):
    with pytest.raises(TanonError) as error:
        publication(demo_con, "flu", **({"source": "cases"} | BEGIN | options))
    assert f"tanon.publication: {message}" in str(error.value)
    assert demo_con.execute("from duckdb_schemas() where schema_name = 'flu'").fetchall() == []


def test_refused_steps(demo_con):
    stream = begin(demo_con)
    with pytest.raises(TanonError, match="'flu' has read no snapshot yet; advance it"):
        stream.finish()
    stream.advance("2024-03-10")
    with pytest.raises(TanonError, match="upto must be 2024-03-10 or later, got 2024-03-09"):
        stream.advance("2024-03-09")
    with pytest.raises(TanonError, match="upto must be at most 2024-04-11, the last time in sou"):
        stream.advance("2024-04-12")
    assert stream.manifest()["seen_upto"] == date(2024, 3, 10)
    for upto in ("soon", "infinity", "-infinity", "5881580-07-10", None, 5):
        with pytest.raises(
            TanonError, match=f"upto must be an instant of type DATE, as ts is, got {upto!r}"
        ):
            stream.advance(upto)
    assert stream.advance("2024-03-10").records == 0
    with pytest.raises(TanonError, match="l must be '2', as 'flu' was begun with, got '3'"):
        publication(demo_con, "flu", l=3)
    stream.finish()
    with pytest.raises(TanonError, match="'flu' is finished, and nothing can be added"):
        stream.advance(LAST)


def test_an_open_transaction_is_refused_and_left_alone(demo_con):
    stream = begin(demo_con)
    demo_con.execute("begin")
    demo_con.execute("create table mine as select 1")
    for step in (lambda: stream.advance(LAST), stream.finish, lambda: begin(demo_con, "other")):
        with pytest.raises(TanonError, match="got a connection with an open one"):
            step()
    demo_con.execute("commit")
    assert demo_con.execute("from mine").fetchall() == [(1,)]
    assert stream.advance(LAST).records == 468


def test_of_two_connections_one_is_told_to_try_again(demo_con, monkeypatch):
    from tanon_duck.publishing.tables import Tables

    stream, release = begin(demo_con), Tables.release
    beside = demo_con.cursor()
    beside.execute("use own")
    other = publication(beside, "flu")

    def overtaken(self, *given):
        if self.connection is demo_con:
            other.advance(date(2024, 3, 20))
        release(self, *given)

    with monkeypatch.context() as patch:
        patch.setattr(Tables, "release", overtaken)
        with pytest.raises(TanonError, match="another connection is advancing 'flu'"):
            stream.advance(date(2024, 3, 10))
    assert stream.manifest()["seen_upto"] == date(2024, 3, 20)
    stream.advance(LAST)
    stream.finish()
    assert published(demo_con) == whole(demo_con)


def test_the_name_of_another_schema_is_refused(demo_con):
    demo_con.execute("create schema flu")
    demo_con.execute("create table flu.mine as select 1")
    with pytest.raises(TanonError, match="name must be the name of a publication or of no schema"):
        begin(demo_con)


@pytest.mark.parametrize(
    "name", ["", " ", None, 5, "empty", "main", "Tanon", "TEMP", "system", "pg_catalog"]
)
def test_a_name_that_no_publication_can_have_is_refused(con, name):
    con.execute("create schema empty")
    source = "(select date '2024-03-01' as day, 'flu' as disease, 20 as age, 'x' as district)"
    with pytest.raises(TanonError, match="name must be the name of a publication or of no schema"):
        publication(con, name, source, **BEGIN)


def test_a_name_in_other_letters_is_the_same_name(demo_con):
    begin(demo_con, "flu").advance(date(2024, 3, 10))
    assert publication(demo_con, "FLU").manifest()["seen_upto"] == date(2024, 3, 10)
    with pytest.raises(TanonError, match="l must be '2', as 'Flu' was begun with, got '3'"):
        begin(demo_con, "Flu", l=3)


@pytest.mark.parametrize("name", ["flu", "memory"])
def test_a_publication_may_have_the_name_of_a_database(tmp_path, name):
    with tanon_duck.connect(tmp_path / "flu.duckdb") as con:
        demo.create_tables(con)
        begin(con, name).advance(LAST)
        assert publication(con, name).finish().records == 0
        assert published(con, f"flu.{name}") == whole(con, name=f"flu.{name}")


def test_two_publications_and_a_reopened_file(tmp_path):
    path = tmp_path / "cases.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
        begin(con).advance(date(2024, 3, 15))
        begin(con, "other", l=3).advance(date(2024, 3, 12))
    with tanon_duck.connect(path) as con:
        for name, l in (("flu", 2), ("other", 3)):  # noqa: E741
            stream = publication(con, name)
            assert stream.parameters.l == str(l)
            stream.advance(LAST)
            stream.finish()
        assert published(con) == whole(con)
        assert published(con, "other") == whole(con, l=3, name="other")
