"""Series in shards: groups of k and P in each, the union of them a release, and little lost."""

import random

import duckdb
import pyarrow as pa
import pytest
from scaling.sharded import (
    LOOKS,
    SECRETIVE,
    SERIES_CALLS,
    WALKS,
    difference,
    on_one_machine,
    released,
    walks,
    without_numbers,
)

import tanon_duck
from tanon_duck import scaling
from tanon_duck.errors import TanonError, one_line
from tanon_duck.macros import catalog
from tanon_duck.scaling.driver import Driver
from tanon_duck.scaling.plans import relation_of

NAMES = [f"{name} {n}" for n, (name, _) in enumerate(SERIES_CALLS)]
MANY = 30_001
COLUMNS = "(select who, low, high, word, level from released)"


@pytest.fixture
def few(con):
    walks(con, 400)
    return con


@pytest.fixture(scope="module")
def many():
    """Walks for three shards, and what is lost on one machine."""
    with tanon_duck.connect() as con:
        walks(con, MANY)
        yield con


@pytest.mark.parametrize("call", SERIES_CALLS, ids=NAMES)
def test_one_shard_has_the_groups_of_one_machine(few, call):
    function, arguments = call
    wanted = without_numbers(on_one_machine(few, function, arguments, "walks"))
    found = getattr(scaling.buckets(few, partitions=3), function)("walks", **arguments)
    assert wanted.num_rows > 0
    assert difference(few, function, without_numbers(found), wanted) == []


def loss(con, release, source="walks"):
    con.register("released", release)
    (row,) = con.execute(
        f"from tanon.series_loss('{COLUMNS}', '(select who, walk from {source})', "
        "series_id := 'who', series := 'walk')"
    ).fetchall()
    return row


@pytest.mark.parametrize(("algorithm", "most"), [("kapra", 1.05), ("shared", 1.07)])
def test_a_release_of_three_shards_holds_and_loses_little(many, algorithm, most):
    arguments = WALKS | {"p": 4, "algorithm": algorithm, "for_owner": True}
    _, _, value, pattern = loss(many, on_one_machine(many, "publish_series", arguments, "walks"))
    release = scaling.buckets(many, partitions=3).publish_series("walks", **arguments)
    records, suppressed, own_value, own_pattern = loss(many, release)
    assert records + suppressed == MANY and suppressed <= 3 * (4 - 1)
    many.register("public", release.drop_columns(["who"]))
    hidden = "'(select * exclude (k_group, p_group) from public)'"
    owned = ", sensitive := 'own_pattern'" if algorithm == "shared" else ""
    for published in ("'public'", hidden):
        assert (
            many.sql(f"from tanon.series_violations({published}, k := 8, p := 4{owned})").fetchall()
            == []
        )
    assert own_value <= most * value
    assert own_pattern <= most * pattern


def test_ranges_of_three_shards_lose_little(many):
    arguments = WALKS | {"for_owner": True}

    def width(table):
        many.register("released", table)
        return many.sql("select avg(tanon.series_value_loss(low, high)) from released").fetchall()[
            0
        ][0]

    release = scaling.buckets(many, partitions=3).publish_series_ranges("walks", **arguments)
    assert release.num_rows == MANY
    assert (
        min(
            c.as_py()
            for c in release.group_by("k_group").aggregate([([], "count_all")])["count_all"]
        )
        >= 8
    )
    wanted = on_one_machine(many, "publish_series_ranges", arguments, "walks")
    assert width(release) <= 1.05 * width(wanted)


def test_order_and_processes_change_nothing(many):
    arguments = WALKS | {"p": 4, "for_owner": True}
    wanted = scaling.buckets(many, partitions=3).publish_series("walks", **arguments)
    many.execute("create or replace view turned as from walks order by hash(who)")
    runner = scaling.buckets(many, partitions=3, processes=2)
    found = runner.publish_series("turned", **arguments)
    assert difference(many, "publish_series", found, wanted) == []


def test_what_is_suppressed_is_listed(many):
    arguments = WALKS | {"p": 6, "algorithm": "kapra"}
    runner = scaling.buckets(many, partitions=3)
    release = runner.publish_series("walks", for_owner=True, **arguments)
    listed = runner.publish_series("walks", result="suppressed", **arguments)
    assert listed.num_rows > 0
    assert sorted(listed["who"].to_pylist() + release["who"].to_pylist()) == list(range(MANY))


@pytest.mark.parametrize(
    "wrong",
    [
        "select * from walks union all select * from walks where who % 90 = 0",
        "select * replace (if(who = 7, ['nan']::double[], walk) as walk) from walks",
        "select * replace (if(who % 150 = 7, walk[:3], walk) as walk) from walks",
        "select * from walks limit 5",
    ],
)
def test_wrong_series_are_refused_wherever_they_lie(few, wrong):
    few.execute(f"create view wrong as {wrong}")
    with pytest.raises(duckdb.Error) as alone:
        on_one_machine(few, "publish_series", WALKS | {"p": 3}, "wrong")
    wanted = one_line(alone.value).partition(", got")[0]
    with pytest.raises(TanonError) as raised:
        scaling.buckets(few, partitions=7).publish_series("wrong", p=3, **WALKS)
    assert str(raised.value).startswith(wanted)


def test_a_sensitive_column_that_names_is_refused_across_shards(few):
    few.execute("create view named as select *, 'n' || who as tells from walks")
    arguments = SECRETIVE | {"p": 3, "sensitive": ["owes", "tells"]}
    with pytest.raises(duckdb.Error) as alone:
        on_one_machine(few, "publish_series", arguments, "named")
    with pytest.raises(TanonError) as raised:
        scaling.buckets(few, partitions=3).publish_series("named", **arguments)
    assert str(raised.value) == one_line(alone.value)


@pytest.mark.parametrize("call", LOOKS, ids=[name for name, *_ in LOOKS])
def test_a_release_is_looked_at_as_on_one_machine(few, call):
    function, arguments, source = call
    released(few)
    relation = relation_of(catalog.function(function))
    wanted = on_one_machine(few, function, arguments | {relation: source}, None)
    found = getattr(scaling.buckets(few, partitions=3), function)(source, **arguments)
    assert wanted.num_rows > 0
    assert difference(few, function, found, wanted) == []


@pytest.mark.parametrize("seed", range(8))
def test_shards_are_large_enough_and_of_neighbours(con, seed):
    draw = random.Random(seed)
    met = [draw.choice([1, 3, 500, 4000, 12_000, 90_000]) for _ in range(draw.randint(1, 60))]
    k, partitions = draw.choice([2, 900, 20_000]), draw.choice([1, 4, 30])
    create = "create temp table rows (who integer, walk double[], owes integer)"
    driver = Driver(
        "publish_series", WALKS | {"k": k, "p": 2}, create.replace("rows", "shard_of_rows"), {}, {}
    )
    driver.know_partitions(partitions)
    driver.check()
    alike = [{"word": f"{n // 3:04}", "mean": float(n % 3)} for n in range(len(met))]
    counts = pa.table({"tanon_like": alike, "tanon_n": met})
    driver.merge("words_met", "", [counts])
    driver.decide("near_words")
    found = driver.connection.execute("from tanon_near_words order by all").fetchall()
    driver.close()
    assert [like for like, _ in found] == alike
    shards = [shard for _, shard in found]
    sizes = {s: sum(n for n, at in zip(met, shards, strict=True) if at == s) for s in shards}
    assert shards == sorted(shards) and len(sizes) <= partitions
    assert len(sizes) == 1 or min(sizes.values()) >= k
    wanted = max(10_000, 2 * k, -(-sum(met) // partitions))
    assert max(sizes.values()) <= 2 * wanted + max(met)


@pytest.mark.parametrize(
    "strange",
    [
        "select * from mine union all select * from mine where who % 10 = 3",
        "select * replace (who + 1000000 as who) from mine",
    ],
)
def test_strange_rows_of_a_release_are_counted_over_all_shards(few, strange):
    few.execute(
        "create table mine as select * from tanon.publish_series('walks', series_id := 'who', "
        f"series := 'walk', k := 8, p := 3, for_owner := true); create view strange as {strange}"
    )
    arguments = {"release": "strange", "series_id": "who", "series": "walk"}
    with pytest.raises(duckdb.Error) as alone:
        on_one_machine(few, "series_loss", arguments | {"source": "walks"}, None)
    with pytest.raises(TanonError) as raised:
        scaling.buckets(few, partitions=3).series_loss("walks", **arguments)
    assert str(raised.value).startswith(one_line(alone.value))
