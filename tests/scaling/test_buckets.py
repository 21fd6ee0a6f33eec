"""Hash buckets on one machine give the rows that one database gives, whatever lies in them."""

import multiprocessing
import threading
import time

import duckdb
import pyarrow.parquet as pq
import pytest
from functions.k_anonymity.test_publish_events_finest import TIME, border
from scaling.sharded import (
    AT_LEVELS,
    CALENDAR,
    CALLS,
    COMPARED,
    GROUPS,
    NAMES,
    OFFER,
    RELEASE,
    SUMMARY,
    TIMELESS,
    difference,
    on_one_machine,
    plan_of,
    visits,
)
from waiting import LONGEST

import tanon_duck
from tanon_duck import scaling
from tanon_duck.errors import TanonError, one_line
from tanon_duck.interfaces import temporary_folders
from tanon_duck.macros import catalog
from tanon_duck.scaling import bucket_runner, plans, shard
from tanon_duck.scaling.bucket_runner import Buckets

RELATIONS = [
    f for f in catalog.functions().values() if any(not r.is_optional for r in f.header.relations())
]


@pytest.fixture(autouse=True)
def rows_lie_apart(monkeypatch):
    """So that a small table fills several buckets where no key says which."""
    monkeypatch.setattr(bucket_runner, "RUN", 7)


@pytest.fixture
def held(con):
    con.register("arriving", visits(1))
    con.execute("create table visits as from arriving")
    return con


def same(con, function, arguments, by=None, source="visits", **options):
    """Both ways, compared; the rows."""
    wanted = on_one_machine(con, function, arguments, source)
    runner = scaling.buckets(con, **{"partitions": 3, **options})
    found = getattr(runner, function)(source, by=by, **arguments)
    assert wanted.num_rows > 0
    assert found.column_names == wanted.column_names
    assert difference(con, function, found, wanted) == []
    return found


@pytest.mark.parametrize("call", CALLS, ids=NAMES)
def test_buckets_give_the_rows_of_one_machine(held, call):
    function, arguments, by = call
    same(held, function, arguments, by)


FEW = {
    "no_row": "from visits where false",
    "one_row": "from visits limit 1",
    "nine_rows": "from visits limit 9",
    "one_group": """select * replace (null as zip, -0.0::float as "how much", 1 as age,
        timestamp '2024-01-01' as "at", date '2024-01-01' as day) from visits""",
}
# Each function once, and the tables in turn: these are many calls.
ONCE = list({(f, plan_of(f, given), by): (f, given, by) for f, given, by in CALLS}.values())
FEW_CALLS = [(*call, few) for n, call in enumerate(ONCE) for few in [[*FEW][n % 4]]]
NAMES_OF_FEW = [f"{plan_of(f, given)} {by} {few}" for f, given, by, few in FEW_CALLS]


@pytest.mark.parametrize("call", FEW_CALLS, ids=NAMES_OF_FEW)
def test_more_buckets_than_rows_or_groups(held, call):
    function, arguments, by, few = call
    held.execute(f"create view few as {FEW[few]}")
    runner = scaling.buckets(held, partitions=19)
    try:
        wanted = on_one_machine(held, function, arguments, "few")
    except duckdb.Error as error:
        with pytest.raises(TanonError) as raised:
            getattr(runner, function)("few", by=by, **arguments)
        assert str(raised.value).split(", got")[0] == one_line(error).split(", got")[0]
        return
    found = getattr(runner, function)("few", by=by, **arguments)
    assert found.column_names == wanted.column_names
    assert difference(held, function, found, wanted) == []


def test_what_a_killed_run_left_in_a_folder_goes_with_the_next(held, tmp_path):
    left, lock = temporary_folders.locked_folder(tmp_path, temporary_folders.PREFIX)
    (left / "0.parquet").write_text("rows of people")
    lock.close()  # as the end of a process does
    same(held, "frequency_set", {"respondent": "who", "qi": ["zip"]}, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_processes_give_them_too(held):
    same(held, "frequency_set", {"respondent": "who", "qi": ["zip"]}, processes=2, partitions=2)


def test_a_killed_process_changes_nothing(held):
    killed = []

    def kill_the_first():
        while not killed and time.monotonic() < end:
            for child in multiprocessing.active_children()[:1]:
                child.kill()
                killed.append(child.pid)
            time.sleep(0.01)

    end = time.monotonic() + LONGEST
    thread = threading.Thread(target=kill_the_first)
    thread.start()
    same(held, "frequency_set", {"respondent": "who", "qi": ["zip"]}, processes=2, partitions=2)
    thread.join()
    assert killed


def test_respondents_and_groups_that_a_collation_holds_for_equal(held):
    held.execute(
        "create table named (who varchar collate nocase, zip varchar collate nocase, rank hugeint);"
        "insert into named select chr(65 + who % 20 + 32 * (who // 20)), zip, 1::hugeint << 100 "
        "from visits"
    )
    arguments = {"respondent": "who", "qi": ["zip", "rank"]}
    same(held, "k_anonymity", arguments, source="named", partitions=5)
    same(held, "k_anonymity", arguments, "respondent", source="named", partitions=5)


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
        same(con, "risk_by_granularity", GROUPS | own | more, partitions=2 + seed)


def test_a_population_that_lacks_somebody_is_refused(held):
    arguments = GROUPS | {"granularities": ["year"], "follow": False}
    with pytest.raises(TanonError, match="population must hold every respondent of the source"):
        scaling.buckets(held, partitions=3).risk_by_granularity(
            "visits", population="(from visits where who > 20)", **arguments
        )


@pytest.mark.parametrize("by", [None, "respondent"])
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
    wanted = on_one_machine(held, "publish_events", arguments | levels)
    found = scaling.buckets(held, partitions=3).publish_events("applied", by=by, **arguments)
    assert wanted.num_rows > 100
    assert difference(held, "publish_events", found, wanted) == []


@pytest.mark.parametrize("seed", range(4))
def test_levels_of_random_rows_are_those_of_one_machine(con, seed):
    con.register("arriving", visits(seed, rows=200 + 100 * seed))
    con.execute(
        """create table visits as from arriving;
        create table ladders as select 'how much' as attribute, level, value,
            case when level = 2 or value in ('nan', '1.5') then 'some' else 'none' end
                as generalized
        from (values ('0.0'), ('-0.0'), ('1.5'), ('nan')) as t(value), range(1, 3) as l(level)
        union all select 'how much', 1, null, 'unknown'
        union all select 'how much', 2, null, 'some'
        union all select 'age', 1, age::varchar, 'any' from range(9) as t(age)"""
    )
    at = {"hierarchies": "ladders", "levels": {"age": seed % 2, "how much": 1 + seed // 2}}
    arguments = AT_LEVELS | at | {"qi": ["age", "how much"], "granularities": ["quarter"]}
    found = same(con, "publish_events", arguments, partitions=2 + seed)
    assert "some" in found["how much"].to_pylist()


@pytest.mark.parametrize(
    "ladders",
    [
        "(select 'zip' as attribute, 1 as level, 'a' as value, 'x' as generalized)",
        "(from (values ('zip', 1, 'a', 'x'), ('zip', 1, 'a', 'y')) as "
        "t(attribute, level, value, generalized))",
        "(select 'zip' as attribute, 2 as level, 'a' as value, 'x' as generalized)",
        "(select 'zpi' as attribute, 1 as level, 'a' as value, 'x' as generalized)",
        "(select 'zip' as attribute, level, zip as value, if(level = 1, 'x', zip) as generalized "
        "from (select distinct zip from visits where zip is not null), range(1, 3) as l(level))",
    ],
)
def test_wrong_hierarchies_are_refused_in_the_words_of_one_machine(held, ladders):
    arguments = AT_LEVELS | {"qi": ["zip"], "hierarchies": ladders, "levels": {"zip": 1}}
    with pytest.raises(duckdb.Error) as alone:
        on_one_machine(held, "publish_events", arguments)
    with pytest.raises(TanonError) as raised:
        scaling.buckets(held, partitions=3).publish_events("visits", **arguments)
    assert str(raised.value) == one_line(alone.value)


def test_a_release_of_series(demo_con):
    arguments = {"k": 13, "p": 7, "sensitive": "charity"}
    same(demo_con, "series_violations", arguments, source="published_incomes")


@pytest.mark.parametrize("by", [None, "respondent"])
def test_spellings_that_tell_few_apart_are_refused_across_buckets(held, by):
    """One -0.0 among many 0.0, and one A among many a where a collation holds them for one."""
    held.execute(
        "create table spelt (who int, day date, amount double, name varchar collate nocase); "
        "insert into spelt select i, date '2024-01-01', if(i = 7, -1, 1) * 0e0, "
        "if(i = 7, 'A', 'a') from range(90) as t(i)"
    )
    runner = scaling.buckets(held, partitions=5)
    for name in ("amount", "name"):
        given = {"respondent": "who", "qi": [name], "ts": "day", "k": 3, "granularities": ["year"]}
        with pytest.raises(duckdb.Error, match="k must hold in the release") as alone:
            on_one_machine(held, "publish_events", given, "spelt")
        with pytest.raises(TanonError) as raised:
            runner.publish_events("spelt", by=by, **given)
        said = str(raised.value).removesuffix(" (counted in one shard of the rows)")
        assert said == one_line(alone.value)


def test_figures_of_one_shard_are_called_so(held):
    held.execute("create view unknown as select null::int as who, zip from visits")
    with pytest.raises(
        TanonError, match=r"respondent must be .* \(counted in one shard of the rows\)"
    ):
        scaling.buckets(held, partitions=3).k_anonymity("unknown", respondent="who", qi=["zip"])


def test_a_worker_of_other_versions_is_refused():
    work = shard.Work(shard.Table(shard.ROWS, ""), told={"a": "b"}, versions="DuckDB 0.1")
    (told,) = shard.told(work, lambda connection, table: None, {}).to_pylist()
    assert told["wrong"].startswith("tanon.spark: executors must be of DuckDB 0.1 as the driver is")


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


@pytest.mark.parametrize("by", [None, "respondent"])
@pytest.mark.parametrize("function", ["granularity_metrics", "publish_events"])
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
    arguments = RELEASE | {"keep": ["note", "how much", "day"], "allow_identifying": ["day"]}
    with pytest.raises(TanonError, match="respondents have") as raised:
        scaling.buckets(held, partitions=3).publish_events("noted", **arguments)
    with pytest.raises(duckdb.Error) as alone:
        on_one_machine(held, "publish_events", arguments, "noted")
    assert str(raised.value) == one_line(alone.value)


def test_a_failed_release_leaves_the_older_one(held, tmp_path):
    into = tmp_path / "release"
    runner = scaling.buckets(held, partitions=2)
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


def test_only_a_release_is_overwritten(held, tmp_path):
    into = tmp_path / "release"
    call = {"ts": "at", "granularity": "month", "into": into, "overwrite": True}
    runner = scaling.buckets(held, partitions=2)
    runner.generalize("visits", **call)
    first = set(into.iterdir())
    runner.generalize("visits", **call)
    again = set(into.iterdir())
    assert len(again) == len(first) and not again & first
    (into / "notes.txt").write_text("of somebody else")
    with pytest.raises(TanonError, match="must contain only parts of a release"):
        runner.generalize("visits", **call)
    assert set(into.iterdir()) == again | {into / "notes.txt"}


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        (
            "k_anonymity",
            {"respondent": "who", "qi": ["zpi"]},
            "qi must be columns of source, none twice, got 'zpi'; did you mean zip?",
        ),
        (
            "k_anonymity",
            {"respondent": "who", "qi": "zip", "by": "zip"},
            "by must be qi or respondent",
        ),
        ("series_attack", {}, "does not run on shards: it draws its samples from the whole table"),
        (
            "publish_events",
            RELEASE | {"result": "columns"},
            "(result := 'columns') does not run on shards: columns are weighed against each other",
        ),
        (
            "publish_events",
            TIMELESS | {"by": "respondent"},
            "granularities must be given on shards (whole groups of a table without a time",
        ),
        (
            "publish_events",
            SUMMARY | TIMELESS,
            "granularities must be given on shards (tables without a time are for one machine",
        ),
        ("publish_events", RELEASE | {"suppression": "cells"}, "left out on shards"),
        (
            "publish_events",
            AT_LEVELS | {"levels": {"zip": 1}},
            "levels must be given for every column of qi on shards (to choose among several",
        ),
        (
            "publish_events",
            AT_LEVELS | {"granularities": ["day", "month"]},
            "granularities must be one on shards with hierarchies (to choose among",
        ),
        (
            "publish_events",
            SUMMARY | AT_LEVELS,
            "hierarchies must be left out on shards (choose levels on a sample, and apply them",
        ),
        (
            "risk_by_granularity",
            GROUPS | {"granularities": ["year"]},
            "follow must be false on shards",
        ),
        (
            "diverse_groups",
            {"sensitive": "sick", "l": 2, "rows_are_persons": True},
            "partition must be given on shards",
        ),
    ],
)
def test_what_is_not_offered_says_so(held, function, arguments, said):
    with pytest.raises(TanonError) as raised:
        getattr(scaling.buckets(held, partitions=2), function)("visits", **arguments)
    assert str(raised.value).startswith(f"tanon.{function}")
    assert said in str(raised.value)


def test_every_function_that_is_offered_is_compared():
    found = plans.written()
    offered = {(name, None) for name in found["plans"]}
    assert offered | {(name, "respondent") for name in found["by_uid"]} == COMPARED


def test_plans_are_of_functions_that_exist():
    found = plans.written()
    refused = [name for names in found["why_not"].values() for name in names]
    answers = [(f.name, a.name) for f in catalog.functions().values() for a in f.header.answers]
    known = {*catalog.functions(), *(f"{name}.{result}" for name, result in answers)}
    assert {*found["plans"], *found["by_uid"], *refused} <= known
    assert {*found["plans"]}.isdisjoint(refused)


def test_a_function_without_a_plan_says_so(held):
    with pytest.raises(TanonError, match=r"tanon\.roles does not run on shards: nobody has"):
        scaling.buckets(held).roles("visits")


def test_the_steps_of_shards_say_what_is_true():
    for function in catalog.functions().values():
        arguments = [a.name for a in function.header.arguments]
        for answer in function.header.answers:
            name = plans.name_of(function, {"result": answer.name})
            plans.library().link(function.file, arguments, plans.plan(name).steps())
    faults = [f for f in plans.library().faults() if f.startswith("tanon_duck/scaling")]
    assert faults == []


@pytest.mark.parametrize("result", ["release", "summary"])
def test_persons_with_too_much_of_a_snapshot_are_refused_in_the_same_words(result):
    with tanon_duck.connect() as con:
        con.execute(
            "create table v as select i % 10 as day, 'p' || i % 3 as who, "
            "['a', 'b', 'c', 'd'][1 + i % 4] as sick from range(200) as r(i)"
        )
        given = {
            "respondent": "who",
            "ts": "day",
            "sensitive": "sick",
            "l": 4,
            "w": 2,
            "result": result,
        }
        call = ", ".join(f"{argument} := ${argument}" for argument in given)
        with pytest.raises(duckdb.Error) as alone:
            con.execute(f"from tanon.publish_stream('v', {call})", given)
        with pytest.raises(TanonError) as in_shards:
            scaling.buckets(con, partitions=4).publish_stream("v", **given)
    assert "got 3 persons who could in 5 snapshots" in str(in_shards.value)
    assert str(in_shards.value) in str(alone.value)


@pytest.mark.parametrize("by", ["qi", "respondent"])
def test_a_border_month_is_no_choice_in_shards_either(con, by):
    border(con)
    wanted = con.execute(f"from tanon.publish_events('r', {TIME})").fetchall()
    table = scaling.buckets(con, partitions=3).publish_events(
        "r", respondent="who", qi=["q"], ts="seen", granularities=["week", "month"], k=5, by=by
    )
    assert sorted(zip(*table.to_pydict().values(), strict=True)) == sorted(wanted)
