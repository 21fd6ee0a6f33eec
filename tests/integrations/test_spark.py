"""The functions on a real Spark: the rows of one machine, our sentences, and who is killed.

They run where pyspark and Java are, which ``.ci/run`` puts into an environment of its own.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from waiting import LONGEST

pytest.importorskip("pyspark", reason="pyspark is not installed")
if not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    pytest.skip("Spark needs Java, and there is none", allow_module_level=True)

from pyspark.sql import SparkSession
from scaling.sharded import (
    BASKETS,
    BY_PERSON,
    CALENDAR,
    CALLS,
    ITEMSET_FUNCTIONS,
    LOOKS,
    NAMES,
    OFFER,
    RELEASE,
    SERIES_CALLS,
    TIMES,
    WALKS,
    baskets,
    difference,
    on_one_machine,
    released,
    visits,
    walks,
    without_numbers,
)

from tanon_duck import scaling
from tanon_duck.errors import TanonError
from tanon_duck.macros import catalog
from tanon_duck.scaling import over_spark, packing, parquet, spark, versions
from tanon_duck.scaling.plans import relation_of

# A Java that lives for minutes gains nothing by compiling its code twice, or collecting in threads.
os.environ["JDK_JAVA_OPTIONS"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# What is asked of files that tasks read: by groups, by respondents, by anything, in two stages.
_WANTED = ("granularity_metrics", "publish_events", "generalize", "row_digest", "publish_stream")
OF_FILES = list({(f, by): (f, given, by) for f, given, by in CALLS if f in _WANTED}.values())
DEATHS = ("worker", "executor")
pytestmark = pytest.mark.filterwarnings("ignore")  # those of Spark's own parts
GUIDE = Path(__file__).parents[2] / "docs/guides/spark.md"
BLOCKS = re.findall(r"^```python spark\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)


FREQUENT = {"respondent": "who", "qi": ["zip", "how much"]}
DEADLY = {
    "publish_events": RELEASE | {"keep": ["sick", "how much"]},
    "publish_stream": BY_PERSON | {"keep": ["zip"]},
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """One small Spark, that may try a task four times as a cluster does."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    started = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.local.dir", str(tmp_path_factory.mktemp("spark")))
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", tmp_path_factory.mktemp("events").as_uri())
        .getOrCreate()
    )
    yield started
    started.stop()


@pytest.fixture(scope="module")
def frame(session, tmp_path_factory):
    """The visits as a DataFrame, from Parquet."""
    file = tmp_path_factory.mktemp("visits") / "visits.parquet"
    pq.write_table(visits(1), file)
    return session.read.parquet(str(file))


@pytest.fixture
def held(con):
    con.register("arriving", visits(1))
    con.execute("create table visits as from arriving")
    return con


def called(function, frame, **arguments):
    """What comes back, as Arrow."""
    found = getattr(spark, function)(frame, **arguments)
    return found.toArrow() if hasattr(found, "toArrow") else found


def beside(con, arguments):
    """The same arguments, small relations among them as Arrow."""
    small = [name for name in ("hierarchies", "population") if name in arguments]
    return arguments | {name: con.sql(f"from {arguments[name]}").to_arrow_table() for name in small}


@pytest.mark.parametrize("call", CALLS, ids=NAMES)
def test_spark_gives_the_rows_of_one_machine(held, frame, call):
    function, arguments, by = call
    wanted = on_one_machine(held, function, arguments)
    found = called(function, frame, by=by, **beside(held, arguments))
    assert found.column_names == wanted.column_names
    assert difference(held, function, found, wanted) == []


@pytest.fixture(scope="module")
def in_files(session, tmp_path_factory):
    """The visits as files that tasks read, of several row groups."""
    folder, rows = tmp_path_factory.mktemp("files"), visits(1)
    pq.write_table(rows.slice(0, 100), folder / "a.parquet", row_group_size=40)
    pq.write_table(rows.slice(100), folder / "b.parquet", row_group_size=40)
    return spark.parquet(session, folder)


@pytest.mark.parametrize("call", OF_FILES, ids=[name for name, *_ in OF_FILES])
def test_files_give_the_rows_of_one_machine(held, in_files, monkeypatch, call):
    monkeypatch.setattr(parquet, "ROWS_OF_A_TASK", 50)
    function, arguments, by = call
    wanted = on_one_machine(held, function, arguments)
    found = called(function, in_files, by=by, **beside(held, arguments))
    assert in_files.tasks == 5
    assert difference(held, function, found, wanted) == []


def test_files_are_taken_wherever_a_dataframe_is(held, in_files, tmp_path):
    labels = spark.granule_label(in_files, ts="at", granularity="week").toArrow()
    wanted = held.sql("select *, tanon.granule_label(\"at\", 'week') as granule_label from visits")
    assert difference(held, "granule_label", labels, wanted.to_arrow_table()) == []
    with pytest.raises(TanonError, match=r"qi must be columns of source, .* did you mean zip"):
        spark.k_anonymity(in_files, respondent="who", qi=["zpi"])


def test_files_that_change_before_the_release_is_written_are_refused(session, tmp_path):
    file = tmp_path / "visits.parquet"
    pq.write_table(visits(1), file)
    source = spark.parquet(session, file)
    rows = spark.generalize(source, ts="at", granularity="month")
    os.utime(file, (1, 1))
    with pytest.raises(Exception, match="stay as they are") as wrong:
        rows.collect()
    said = f"tanon.spark: paths must be files that stay as they are, got {str(file)!r}"
    assert spark.sentence(wrong.value).startswith(said)
    with pytest.raises(TanonError) as raised:
        spark.k_anonymity(source, respondent="who", qi=["zip"])
    assert str(raised.value).startswith(said)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("call", SERIES_CALLS, ids=[name for name, _ in SERIES_CALLS])
def test_spark_gives_the_groups_of_one_machine(con, session, call, tmp_path):
    function, arguments = call
    walks(con, 300)
    con.execute(f"copy walks to '{tmp_path}/walks.parquet'")
    frame = session.read.parquet(f"{tmp_path}/walks.parquet")
    wanted = without_numbers(on_one_machine(con, function, arguments, "walks"))
    found = without_numbers(called(function, frame, **arguments))
    assert difference(con, function, found, wanted) == []


@pytest.mark.parametrize("call", ITEMSET_FUNCTIONS.values(), ids=map(str, ITEMSET_FUNCTIONS))
def test_spark_gives_the_itemsets_of_one_machine(con, session, call, tmp_path):
    function, arguments = call
    pq.write_table(baskets(2), tmp_path / "baskets.parquet")
    con.execute(f"create view baskets as from '{tmp_path}/baskets.parquet'")
    frame = session.read.parquet(f"{tmp_path}/baskets.parquet")
    wanted = on_one_machine(con, function, BASKETS | arguments, "baskets")
    found = called(function, frame, partitions=5, **BASKETS | arguments)
    assert wanted.num_rows > 0
    assert difference(con, function, found, wanted) == []


def test_spark_gives_itemsets_of_structs_in_lists(con, session, tmp_path):
    con.register("arriving", baskets(3, lists=True))
    con.execute(
        "copy (select * replace (list_transform(article, lambda a: {'long': length(a), "
        f"'first': a[1]}}) as article) from arriving) to '{tmp_path}/baskets.parquet'"
    )
    con.execute(f"create view baskets as from '{tmp_path}/baskets.parquet'")
    frame = session.read.parquet(f"{tmp_path}/baskets.parquet")
    arguments = BASKETS | {"min_support": 7, "result": "closed"}
    wanted = on_one_machine(con, "frequent_itemsets", arguments, "baskets")
    found = called("frequent_itemsets", frame, partitions=3, **arguments)
    assert wanted.num_rows > 9
    assert difference(con, "frequent_itemsets", found, wanted) == []


def test_series_in_three_shards_are_those_of_buckets(con, session, tmp_path):
    walks(con, 30_001)
    con.execute(f"copy walks to '{tmp_path}/walks.parquet'")
    frame = session.read.parquet(f"{tmp_path}/walks.parquet")
    arguments = WALKS | {"p": 4, "for_owner": True}
    wanted = scaling.buckets(con, partitions=3).publish_series("walks", **arguments)
    found = spark.publish_series(frame, partitions=3, **arguments)
    assert difference(con, "publish_series", found.toArrow(), wanted) == []


@pytest.mark.parametrize("call", LOOKS, ids=[name for name, *_ in LOOKS])
def test_a_release_of_series_is_looked_at_as_on_one_machine(con, session, call, tmp_path):
    function, arguments, source = call
    walks(con, 300)
    released(con)
    frames = {}
    for name in ("walks", "released"):
        con.execute(f"copy {name} to '{tmp_path}/{name}.parquet'")
        frames[name] = session.read.parquet(f"{tmp_path}/{name}.parquet")
    relation = relation_of(catalog.function(function))
    wanted = on_one_machine(con, function, arguments | {relation: source}, None)
    beside = {k: frames[v] for k, v in arguments.items() if k == "release"}
    found = called(function, frames[source], **arguments | beside)
    assert wanted.num_rows > 0
    assert difference(con, function, found, wanted) == []


def test_calendars_and_clocks(held, frame):
    """Spark's times have a zone, whose clock is an argument."""
    zoned = frame.selectExpr("who", "zip", "`how much`", "cast(at as timestamp) as at")
    held.execute("set TimeZone = 'UTC'")
    held.execute('create view zoned as select * replace ("at"::timestamptz as "at") from visits')
    own = {"granularities": ["term", "week", "year"], "tz": "Asia/Kolkata", "max_suppression": 0.4}
    held.execute(f"create table terms as from {CALENDAR}")
    wanted = on_one_machine(
        held, "granularity_metrics", OFFER | own | {"calendar": "terms"}, "zoned"
    )
    terms = held.table("terms").to_arrow_table()
    for by in (None, "respondent"):
        found = called("granularity_metrics", zoned, by=by, calendar=terms, **OFFER, **own)
        assert difference(held, "granularity_metrics", found, wanted) == []


def test_functions_of_values_add_a_column(con, session, frame, tmp_path):
    walks(con, 50)
    con.execute(f"copy walks to '{tmp_path}/walks.parquet'")
    series = session.read.parquet(f"{tmp_path}/walks.parquet")
    found = spark.sax(series, series="walk", level=4, column="word").toArrow()
    wanted = con.sql("select *, tanon.sax(walk, 4) as word from walks").to_arrow_table()
    assert difference(con, "sax", found, wanted) == []
    con.register("visits", visits(1))
    labels = spark.granule_label(frame, ts="at", granularity="week").toArrow()
    wanted = con.sql("select *, tanon.granule_label(\"at\", 'week') as granule_label from visits")
    assert difference(con, "granule_label", labels, wanted.to_arrow_table()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"series": "wlak", "level": 4}, "series must be a column of the DataFrame, got 'wlak'"),
        ({"series": "who", "level": 4}, "series must be a list of numbers"),
        ({"series": "walk"}, "level"),
        ({"series": "walk", "level": 4, "column": "who"}, "column must be a name that no column"),
    ],
)
def test_wrong_arguments_of_values_are_refused_before_any_row(session, arguments, said):
    frame = session.createDataFrame([], "who int, walk array<double>")
    with pytest.raises(TanonError, match=said) as raised:
        spark.sax(frame, **arguments)
    assert str(raised.value).startswith("tanon.sax")


def test_a_wrong_argument_is_one_sentence_before_any_row_is_read(frame):
    deadly = frame.selectExpr("cast(raise_error('a row was read') as int) as who", "zip")
    with pytest.raises(Exception, match="a row was read"):
        spark.k_anonymity(deadly, respondent="who", qi=["zip"])
    with pytest.raises(TanonError) as raised:
        spark.k_anonymity(deadly, respondent="who", qi=["zpi"])
    assert str(raised.value) == (
        "tanon.k_anonymity: qi must be columns of source, none twice, got 'zpi'; did you mean zip?"
    )


def test_a_wrong_row_is_our_sentence_and_no_value_of_it(session, frame):
    nobody = frame.selectExpr("cast(null as int) as who", "zip")
    with pytest.raises(TanonError) as raised:
        spark.k_anonymity(nobody, respondent="who", qi=["zip"])
    assert str(raised.value).startswith("tanon.k_anonymity: respondent must be")
    assert "\n" not in str(raised.value) and "java" not in str(raised.value).lower()
    rows = spark.generalize(frame, ts="at", granularity="business_day")
    with pytest.raises(Exception, match=r"PythonException|TanonError") as wrong:
        rows.collect()
    assert spark.sentence(wrong.value) == ("tanon.generalize: granularity must cover every time")
    assert "2024-0" not in str(wrong.value)
    # What a cluster writes down of it: the event log holds what tasks failed of.
    folder = Path(session.conf.get("spark.eventLog.dir").removeprefix("file:"))
    logged = "".join(file.read_text() for file in folder.rglob("*") if file.is_file())
    assert "granularity must cover every time" in logged
    assert not re.search("2024-0|20[23][0-9]-0[1-7]-[0-9]{2} ", logged)


def test_tasks_of_other_versions_are_refused(frame, monkeypatch):
    """Another hash would put equal keys into two shards."""
    monkeypatch.setattr(versions, "HERE", "DuckDB 0.1 and tanon-duck 0.1")
    with pytest.raises(TanonError) as raised:
        spark.k_anonymity(frame, respondent="who", qi=["zip"])
    said = "tanon.spark: executors must be of DuckDB 0.1 and tanon-duck 0.1 as the driver is"
    assert str(raised.value).startswith(said)


def test_what_does_not_fit_into_a_task_lies_on_the_disks_of_spark(session):
    def spilling(batches):
        from tanon_duck.scaling import databases

        list(batches)
        with databases.cursor({}, {}) as connection:
            yield from connection.sql(
                "select current_setting('temp_directory') as place"
            ).to_arrow_reader()

    places = session.range(1, numPartitions=1).mapInArrow(spilling, "place string").toArrow()
    local = session.conf.get("spark.local.dir")
    assert all(place.startswith(local) for place in places["place"].to_pylist())


@pytest.mark.parametrize(("rows", "partitions"), [(0, 3), (2, 5)])
@pytest.mark.parametrize("by", [None, "respondent"])
def test_more_partitions_than_rows(held, frame, rows, partitions, by):
    few = frame.filter("who = 7").limit(rows)
    held.register("few", few.toArrow())
    wanted = on_one_machine(held, "frequency_set", FREQUENT, "few")
    found = called("frequency_set", few, by=by, partitions=partitions, **FREQUENT)
    assert difference(held, "frequency_set", found, wanted) == []


@pytest.mark.parametrize("by", [None, "respondent"])
def test_a_spark_that_cannot_pack_gives_the_same(held, frame, monkeypatch, by):
    arguments = DEADLY["publish_events"]
    wanted = on_one_machine(held, "publish_events", arguments)
    monkeypatch.setattr(over_spark, "packs", lambda frame: False)
    monkeypatch.setattr(packing, "packed", None)
    found = called("publish_events", frame, by=by, **arguments)
    assert difference(held, "publish_events", found, wanted) == []


def test_the_source_is_read_once_and_nothing_is_held_afterwards(
    session, frame, held, monkeypatch, tmp_path
):
    read, pack = [], packing.packed
    monkeypatch.setattr(packing, "packed", lambda *given: read.append(given) or pack(*given))
    again, repack = [], packing.repacked
    monkeypatch.setattr(packing, "repacked", lambda *given: again.append(given) or repack(*given))
    arguments = DEADLY["publish_events"]
    into = spark.publish_events(frame, into=tmp_path / "release", **arguments)
    assert [keys for keys, _ in read[:1]] == [["zip", "age"]]
    assert ["who"] in [keys for keys, _ in again]
    wanted = on_one_machine(held, "publish_events", arguments)
    assert difference(held, "publish_events", pq.read_table(into), wanted) == []
    assert session.sparkContext._jsc.getPersistentRDDs().size() == 0


def test_a_killed_worker_changes_nothing(frame, held, monkeypatch, tmp_path):
    made = over_spark.task
    marker = str(tmp_path / "killed")

    def deadly(work, memory):
        each = made(work, memory)

        def once(batches):
            import os
            import signal
            from pathlib import Path

            if not Path(marker).exists():
                Path(marker).touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return each(batches)

        return once

    monkeypatch.setattr(over_spark, "task", deadly)
    arguments = RELEASE
    found = called("publish_events", frame, **arguments)
    assert Path(marker).exists()
    wanted = on_one_machine(held, "publish_events", arguments)
    assert difference(held, "publish_events", found, wanted) == []


def by_program(program, folder, calls):
    """What a program made of these calls: a process has one Spark, and this one has its own."""
    pq.write_table(visits(1), folder / "visits.parquet")
    (folder / "calls.json").write_text(json.dumps(calls))
    ran = subprocess.run(
        [sys.executable, str(Path(__file__).with_name(program)), str(folder)],
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert ran.returncode == 0, ran.stderr[-4000:]
    return folder


@pytest.fixture(scope="module")
def after_deaths(tmp_path_factory):
    """Releases of a cluster whose executors and workers were killed."""
    return by_program("on_cluster.py", tmp_path_factory.mktemp("cluster"), DEADLY)


@pytest.mark.parametrize("who", DEATHS)
@pytest.mark.parametrize("function", DEADLY)
def test_who_is_killed_on_a_cluster_changes_nothing(held, after_deaths, function, who):
    died = (after_deaths / f"{function}-{who}.died").read_text()
    assert {"worker": "pyspark.daemon", "executor": "CoarseGrainedExecutorBackend"}[who] in died
    found = pq.read_table(after_deaths / f"{function}-{who}")
    wanted = on_one_machine(held, function, DEADLY[function])
    assert wanted.num_rows > 50
    assert difference(held, function, found, wanted) == []


REMOTE = {
    "metrics": ("granularity_metrics", OFFER | TIMES),
    "release": ("publish_events", DEADLY["publish_events"]),
    "moved": ("publish_stream", DEADLY["publish_stream"]),
}
BY_VALUE = ("granule_label", {"ts": "at", "granularity": "week"})


@pytest.fixture(scope="module")
def over_connect(tmp_path_factory):
    """What came over Spark Connect."""
    pytest.importorskip("grpc", reason="what Spark Connect needs is not installed")
    calls = REMOTE | {"label": BY_VALUE}
    return by_program("on_connect.py", tmp_path_factory.mktemp("connect"), calls)


@pytest.mark.parametrize("name", REMOTE)
def test_connect_gives_the_rows_of_one_machine(held, over_connect, name):
    function, arguments = REMOTE[name]
    found = pq.read_table(over_connect / f"{name}.parquet")
    assert difference(held, function, found, on_one_machine(held, function, arguments)) == []


def test_connect_says_what_is_wrong_in_our_words(held, over_connect):
    labels = pq.read_table(over_connect / "label.parquet")
    wanted = held.sql("select *, tanon.granule_label(\"at\", 'week') as granule_label from visits")
    assert difference(held, "granule_label", labels, wanted.to_arrow_table()) == []
    argument, row, late = json.loads((over_connect / "said.json").read_text())
    assert argument[0] == row[0] == "TanonError"
    assert argument[1].endswith("got 'zpi'; did you mean zip?")
    assert row[1].startswith("tanon.k_anonymity: respondent must be free of NULL, got ")
    assert late[1] == "tanon.generalize: granularity must cover every time"


def test_a_release_is_there_whole_or_the_old_one_stays(frame, held, tmp_path):
    into = tmp_path / "release"
    arguments = RELEASE
    spark.publish_events(frame, into=into, **arguments)
    wanted = on_one_machine(held, "publish_events", arguments)
    assert difference(held, "publish_events", pq.read_table(into), wanted) == []
    with pytest.raises(TanonError, match="exists already"):
        spark.publish_events(frame, into=into, **arguments)
    before = sorted(p.name for p in into.iterdir())
    with pytest.raises(TanonError, match="granularity must cover every time"):
        spark.generalize(frame, ts="at", granularity="business_day", into=into, overwrite=True)
    assert sorted(p.name for p in into.iterdir()) == before
    assert [p.name for p in tmp_path.iterdir()] == ["release"]


def test_files_do_not_tell_their_partition(frame, tmp_path):
    into = spark.publish_events(frame, into=tmp_path / "release", **RELEASE)
    names = [file.name for file in into.iterdir()]
    assert all(re.fullmatch(r"part-[0-9a-f]{16}\.parquet", name) for name in names)
    for file in into.iterdir():
        rows = [tuple(map(str, row.values())) for row in pq.read_table(file).to_pylist()]
        assert Counter(rows)  # no file is empty by chance of a partition


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0][:60])
def test_the_guide_runs(block, tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, cwd=tmp_path
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines() == re.findall(r"^# (.*)$", block, re.M)
