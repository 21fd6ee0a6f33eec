"""Hash buckets on one machine give the rows that one database gives, whatever lies in them."""

import multiprocessing
import threading
import time

import duckdb
import pyarrow.parquet as pq
import pytest
from scaling.sharded import (
    CALENDAR,
    CALLS,
    COMPARED,
    GROUPS,
    NAMES,
    OFFER,
    RELEASE,
    difference,
    on_one_machine,
    visits,
)

import tanon_duck
from tanon_duck.errors import TanonError, one_line
from tanon_duck.macros import catalog
from tanon_duck.scaling.buckets import Buckets

RELATIONS = [
    f for f in catalog.functions().values() if any(not r.is_optional for r in f.header.relations())
]


@pytest.fixture
def held(con):
    con.register("arriving", visits(1))
    con.execute("create table visits as from arriving")
    return con


def same(con, function, arguments, by=None, source="visits", **options):
    """Both ways, compared; the rows."""
    wanted = on_one_machine(con, function, arguments, source)
    runner = tanon_duck.buckets(con, **{"partitions": 3, **options})
    found = getattr(runner, function)(source, by=by, **arguments)
    assert wanted.num_rows > 0
    assert found.column_names == wanted.column_names
    assert difference(con, function, found, wanted) == []
    return found


@pytest.mark.parametrize("call", CALLS, ids=NAMES)
def test_buckets_give_the_rows_of_one_machine(held, call):
    function, arguments, by = call
    same(held, function, arguments, by)


def test_processes_give_them_too(held):
    same(held, "frequency_set", {"uid": "who", "qi": ["zip"]}, processes=2, partitions=2)


def test_a_killed_process_changes_nothing(held):
    killed = []

    def kill_the_first():
        while not killed and time.monotonic() < end:
            for child in multiprocessing.active_children()[:1]:
                child.kill()
                killed.append(child.pid)
            time.sleep(0.01)

    end = time.monotonic() + 60
    thread = threading.Thread(target=kill_the_first)
    thread.start()
    same(held, "frequency_set", {"uid": "who", "qi": ["zip"]}, processes=2, partitions=2)
    thread.join()
    assert killed


def test_respondents_and_groups_that_a_collation_holds_for_equal(held):
    held.execute(
        "create table named (who varchar collate nocase, zip varchar collate nocase, rank hugeint);"
        "insert into named select chr(65 + who % 20 + 32 * (who // 20)), zip, 1::hugeint << 100 "
        "from visits"
    )
    arguments = {"uid": "who", "qi": ["zip", "rank"]}
    same(held, "k_anonymity", arguments, source="named", partitions=5)
    same(held, "k_anonymity", arguments, "uid", source="named", partitions=5)


def test_calendars_and_clocks(held):
    held.execute('create view zoned as select * replace ("at"::timestamptz as "at") from visits')
    held.execute("set TimeZone = 'America/New_York'")
    arguments = {"granularities": ["term", "week", "year"], "calendar": CALENDAR}
    clock = {"tz": "Asia/Kolkata", "max_suppression": 0.4}
    same(held, "granularity_metrics", OFFER | arguments | clock, source="zoned")


@pytest.mark.parametrize("seed", range(4))
def test_risk_of_random_rows_against_a_population_beside_every_shard(con, seed):
    con.register("arriving", visits(seed, rows=60 + 90 * seed))
    con.execute(
        "create table visits as from arriving; create table everybody as "
        "select * replace (who + n * 100 as who) from visits, range(3) as t(n)"
    )
    own = {"granularities": ["day", "term", "year"], "calendar": CALENDAR, "follow": False}
    for more in ({}, {"population": "everybody"}):
        same(con, "risk_profile", GROUPS | own | more, partitions=2 + seed)


def test_a_population_that_lacks_somebody_is_refused(held):
    arguments = GROUPS | {"granularities": ["year"], "follow": False}
    with pytest.raises(TanonError, match="population must hold every respondent of the source"):
        tanon_duck.buckets(held, partitions=3).risk_profile(
            "visits", population="(from visits where who > 20)", **arguments
        )


@pytest.mark.parametrize("by", [None, "uid"])
def test_levels_applied_before_are_levels_that_are_fixed(held, by):
    held.execute(
        "create table ladders as select distinct 'zip' as attribute, 1 as level, zip as value, "
        "lower(zip) as generalized from visits where zip is not null "
        "union all select distinct 'age', 1, age::varchar, 'any' from visits; "
        "create view applied as select v.* replace (z.generalized as zip, a.generalized as age) "
        "from visits as v "
        "left join ladders as z on z.attribute = 'zip' and z.value = v.zip "
        "left join ladders as a on a.attribute = 'age' and a.value = v.age::varchar"
    )
    arguments = RELEASE | {"granularities": ["month"], "keep": ["sick", "how much"]}
    levels = {"hierarchies": "ladders", "levels": {"zip": 1, "age": 1}}
    wanted = on_one_machine(held, "publish_k_anonymous", arguments | levels)
    found = tanon_duck.buckets(held, partitions=3).publish_k_anonymous(
        "applied", by=by, **arguments
    )
    assert wanted.num_rows > 100
    assert difference(held, "publish_k_anonymous", found, wanted) == []


def test_a_release_of_series(demo_con):
    arguments = {"k": 13, "p": 7, "sensitive": "charity"}
    same(demo_con, "kp_violations", arguments, source="published_incomes")


def rows_of_buckets(monkeypatch):
    """How many rows of the source each bucket had, in each stage."""
    found, run = [], Buckets.run

    def spied(self, data, work):
        if "who" in data.types and "zip" in data.types:
            found.append(
                [sum(pq.read_metadata(f).num_rows for f in files) for files in data.buckets]
            )
        return run(self, data, work)

    monkeypatch.setattr(Buckets, "run", spied)
    return found


@pytest.mark.parametrize("by", [None, "uid"])
@pytest.mark.parametrize("function", ["granularity_metrics", "publish_k_anonymous"])
def test_a_value_that_most_rows_have(held, monkeypatch, function, by):
    held.execute(
        "create view crowded as select * replace (if(hash(who, \"at\") % 10 < 6, 'a', zip) as zip) "
        "from visits"
    )
    found = rows_of_buckets(monkeypatch)
    same(held, function, RELEASE | {"qi": ["zip"]}, by, source="crowded", partitions=6)
    assert (max(map(max, found)) > 240 / 2) == (by is None)


def test_columns_that_tell_who_a_row_is_about_are_found_across_buckets(held):
    held.execute("create view noted as select *, who // 2 || sick as note from visits")
    arguments = RELEASE | {"keep": ["note", "how much", "day"], "accept": ["day"]}
    with pytest.raises(TanonError, match="respondents have") as raised:
        tanon_duck.buckets(held, partitions=3).publish_k_anonymous("noted", **arguments)
    with pytest.raises(duckdb.Error) as alone:
        on_one_machine(held, "publish_k_anonymous", arguments, "noted")
    assert str(raised.value) == one_line(alone.value)


def test_a_failed_release_leaves_the_older_one(held, tmp_path):
    into = tmp_path / "release"
    runner = tanon_duck.buckets(held, partitions=2)
    runner.generalize("visits", ts="at", granularity="month", into=into)
    wanted = on_one_machine(held, "generalize", {"ts": "at", "granularity": "month"})
    assert difference(held, "generalize", pq.read_table(into), wanted) == []
    before = sorted(into.iterdir())
    with pytest.raises(TanonError, match="exists already"):
        runner.generalize("visits", ts="at", granularity="month", into=into)
    held.execute('insert into visits select * replace (null as "at") from visits limit 1')
    with pytest.raises(TanonError, match=r"ts must be .* 1 rows? with NULL"):
        runner.generalize("visits", ts="at", granularity="year", into=into, overwrite=True)
    assert sorted(into.iterdir()) == before
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        (
            "k_anonymity",
            {"uid": "who", "qi": ["zpi"]},
            "qi must be columns of source, none twice, got 'zpi'; did you mean zip?",
        ),
        ("k_anonymity", {"uid": "who", "qi": "zip", "by": "zip"}, "by must be qi or uid"),
        ("kp_attack", {}, "does not run on shards: it draws its samples from the whole table"),
        ("publish_k_anonymous", OFFER | {"ts": None}, "granularities must be given on shards"),
        ("publish_k_anonymous", RELEASE | {"suppression": "cells"}, "left out on shards"),
        ("publish_k_anonymous", RELEASE | {"levels": {"zip": 1}}, "apply them to the source"),
        (
            "risk_profile",
            GROUPS | {"granularities": ["year"]},
            "follow must be false on shards",
        ),
        ("anatomize", {"sa": "sick", "l": 2}, "partition must be given on shards"),
    ],
)
def test_what_is_not_offered_says_so(held, function, arguments, said):
    with pytest.raises(TanonError) as raised:
        getattr(tanon_duck.buckets(held, partitions=2), function)("visits", **arguments)
    assert str(raised.value).startswith(f"tanon.{function}")
    assert said in str(raised.value)


def test_every_function_that_is_offered_is_compared():
    offered = {(f.name, None) for f in RELATIONS if f.header.shards}
    assert offered | {(f.name, "uid") for f in RELATIONS if f.header.shards_by_uid} == COMPARED


@pytest.mark.parametrize("function", RELATIONS, ids=lambda function: function.name)
def test_every_function_over_a_relation_says_how_or_why_not(function):
    header = function.header
    assert bool(header.shards) != bool(header.no_shards) or function.topic == "roles"
