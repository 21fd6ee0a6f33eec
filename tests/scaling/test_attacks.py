"""Whoever has a release in files looks at which rows lie in one file, and in which order."""

import warnings
from collections import Counter
from datetime import date, timedelta
from itertools import combinations, pairwise

import pyarrow.parquet as pq
import pytest
from scaling.sharded import BASKETS, WALKS, baskets, walks, without

import tanon_duck
from tanon_duck import scaling

STREAM = {
    "respondent": "person",
    "ts": "day",
    "sensitive": "disease",
    "l": 2,
    "w": 4,
    "keep": ["age"],
}


@pytest.fixture
def stream(demo_con):
    """The demo's cases, whose days are skewed, so that some leave late."""
    return scaling.buckets(demo_con, partitions=7)


def files(folder):
    """The rows of each file, in their order."""
    tables = [pq.read_table(file) for file in sorted(folder.iterdir())]
    return [[tuple(row.values()) for row in table.to_pylist()] for table in tables]


def told_apart(released):
    """How many rows lie in another file than most of their day and disease."""
    places: dict[tuple[date, str], Counter[int]] = {}
    for place, rows in enumerate(released):
        for day, disease, *_ in rows:
            places.setdefault((day, disease), Counter())[place] += 1
    return sum(found.total() - max(found.values()) for found in places.values())


def test_no_file_tells_who_is_late(stream, tmp_path):
    stream.publish_stream("cases", into=tmp_path / "release", **STREAM)
    released = files(tmp_path / "release")
    assert len(released) > 1
    assert told_apart(released) == 0
    days = [{day for day, *_ in rows} for rows in released]
    assert sum(map(len, days)) == len(set.union(*days))
    for rows in released:
        assert rows == sorted(rows)


def test_control_rows_by_the_day_they_came_from_tell_who_is_late(stream, tmp_path, monkeypatch):
    without(monkeypatch, "publish_stream", "shown")
    stream.publish_stream("cases", into=tmp_path / "release", **STREAM)
    assert told_apart(files(tmp_path / "release")) > 20


def test_rows_that_come_back_stand_in_the_order_of_what_they_show(stream):
    """A day may begin anywhere, and what is of it stands together."""
    rows = [tuple(row.values()) for row in stream.publish_stream("cases", **STREAM).to_pylist()]
    begins = [day for at, (day, *_) in enumerate(rows) if at == 0 or rows[at - 1][0] != day]
    assert len(begins) == len(set(begins))
    assert max(begins) - min(begins) > timedelta(30)


@pytest.fixture(scope="module")
def series():
    """Walks that are grouped in three shards, by their coarse words or their means."""
    with tanon_duck.connect() as con:
        walks(con, 30_001)
        yield scaling.buckets(con, partitions=3)


PUBLISHERS = {"publish_series": {"p": 3}, "publish_series_ranges": {}}


def released(series, function, folder):
    """Which file each k-group lies in, with what it shows, and its number."""
    series.__getattr__(function)("walks", into=folder, **WALKS, **PUBLISHERS[function])
    return [
        {
            (row["k_group"], row.get("p_group"), tuple(row["low"]), row.get("word"))
            for row in pq.read_table(file).to_pylist()
        }
        for file in sorted(folder.iterdir())
    ]


def told_of_the_shard(found):
    """How much better than chance the file tells how a group runs, or where it lies: 0 to 1."""
    sides = [
        [low[0] > low[-1] if word else sum(low) > 36 for _, _, low, word in file] for file in found
    ]
    every = [side for file in sides for side in file]
    chance = max(every.count(True), every.count(False)) / len(every)
    right = sum(max(file.count(True), file.count(False)) for file in sides) / len(every)
    return (right - chance) / (1 - chance)


@pytest.mark.parametrize("function", PUBLISHERS)
def test_neither_file_nor_number_tells_the_shard_of_a_series(series, function, tmp_path):
    found = released(series, function, tmp_path / "release")
    assert len(found) == 3
    assert told_of_the_shard(found) < 0.1
    numbers = sorted({(n, place) for place, file in enumerate(found) for n, *_ in file})
    assert len(numbers) == len({n for n, _ in numbers}) > 1000  # equal ranges lie together
    assert sum(a[1] != b[1] for a, b in pairwise(numbers)) > len(numbers) / 2


@pytest.mark.parametrize("function", PUBLISHERS)
def test_control_groups_by_their_shard_tell_it(series, function, tmp_path, monkeypatch):
    without(monkeypatch, function, "shown")
    assert told_of_the_shard(released(series, function, tmp_path / "release")) > 0.3


@pytest.mark.parametrize("function", PUBLISHERS)
def test_rows_of_series_stand_in_the_order_of_what_they_show(series, function, tmp_path):
    series.__getattr__(function)(
        "walks", into=tmp_path / "release", **WALKS, **PUBLISHERS[function]
    )
    for rows in files(tmp_path / "release"):
        assert rows == sorted(rows)


def rows_together(folder):
    """The share of pairs of rows of one respondent that lie in one file, as their owner sees it."""
    places = {
        row["entry"]: (place, row["entry"] // 100)
        for place, file in enumerate(sorted(folder.iterdir()))
        for row in pq.read_table(file).to_pylist()
    }
    people: dict[int, list[int]] = {}
    for place, who in places.values():
        people.setdefault(who, []).append(place)
    pairs = [(a, b) for found in people.values() for a, b in combinations(found, 2)]
    assert len(pairs) > 500
    return sum(a == b for a, b in pairs) / len(pairs)


def publish_by_respondent(con, folder):
    """Whole respondents in each shard; the number of a row stands for what only its owner knows."""
    con.execute(
        "create table stays as select i // 100 as who, i as entry, i % 2 = 0 as sex, "
        "date '2024-01-01' + (hash(i) % 90)::integer as day from range(10000) as t(i) "
        "where i % 100 < 8"
    )
    given = {"respondent": "who", "qi": ["sex"], "ts": "day", "granularities": ["month"], "k": 5}
    kept = {"keep": ["entry"], "allow_identifying": ["entry"], "by": "respondent", "into": folder}
    scaling.buckets(con, partitions=5).publish_events("stays", **given, **kept)
    return rows_together(folder)


def test_no_file_tells_which_rows_are_of_one_respondent(con, tmp_path):
    assert publish_by_respondent(con, tmp_path / "release") < 0.3


def test_control_respondents_in_files_of_their_own(con, tmp_path, monkeypatch):
    without(monkeypatch, "publish_events", "shown")
    assert publish_by_respondent(con, tmp_path / "release") == 1


SETS = BASKETS | {"min_support": 9, "k": 5}


def sanitized(con, partitions, **changed):
    """Published supports by itemset; how many transactions were imagined is more than a tenth."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = scaling.buckets(con, partitions=partitions).publish_itemsets(
            "baskets", **SETS | changed
        )
    return {tuple(row["itemset"]): row["support"] for row in found.to_pylist()}


@pytest.fixture
def baskets_held(con):
    con.register("arriving", baskets(1, people=300))
    con.execute("create table baskets as from arriving")
    return con


def told_apart_by(releases):
    """How many supports differ between releases: their mean is nearer to the truth than one."""
    return sum(len({each[sets] for each in releases}) > 1 for sets in releases[0])


def test_sanitized_itemsets_in_other_shards_tell_nothing_more(baskets_held):
    releases = [sanitized(baskets_held, partitions) for partitions in (1, 3, 8)]
    assert all(each.keys() == releases[0].keys() for each in releases)
    assert told_apart_by(releases) == 0


def test_control_supports_that_are_drawn_again_tell_more(baskets_held):
    releases = [sanitized(baskets_held, 3, secret=tanon_duck.new_secret()) for _ in range(3)]
    assert told_apart_by(releases) > 20


def channels_in(con, rows):
    """Patterns of 1 to k - 1 transactions that a recipient works out."""
    con.register("released", rows.select(["itemset", "support"]))
    return con.sql("from tanon.published_channels('released', k := 5)").fetchall()


def test_sanitized_itemsets_of_shards_open_no_channel_and_stand_in_order(baskets_held, tmp_path):
    runner = scaling.buckets(baskets_held, partitions=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        runner.publish_itemsets("baskets", into=tmp_path / "release", **SETS)
    assert len(list((tmp_path / "release").iterdir())) == 1  # no file tells a part of the items
    rows = pq.read_table(tmp_path / "release")
    assert rows.column_names == ["itemset", "support"]
    assert rows.to_pylist() == sorted(rows.to_pylist(), key=lambda row: row["itemset"])
    assert channels_in(baskets_held, rows) == []


def test_control_true_supports_of_shards_open_channels(baskets_held):
    arguments = BASKETS | {"min_support": 9}
    rows = scaling.buckets(baskets_held, partitions=5).frequent_itemsets("baskets", **arguments)
    assert len(channels_in(baskets_held, rows)) > 20


def sure_of(con, folder, **limited):
    """Of how many rows somebody who knows the place of a person learns the disease for sure."""
    con.execute(
        "create table ill as select i as who, i % 40 as place, date '2024-01-01' as day, "
        "if(i % 40 < 10, if(i % 2 = 0, 'flu', 'cold'), 'd' || hash(i) % 5) as disease "
        "from range(800) as t(i)"
    )
    given = {"respondent": "who", "qi": ["place"], "ts": "day", "granularities": ["month"], "k": 5}
    kept = {"keep": ["disease"], "max_suppression": 0.3, "into": folder}
    scaling.buckets(con, partitions=7).publish_events("ill", **given, **kept, **limited)
    seen: dict[int, list[str]] = {}
    for rows in files(folder):
        for place, _, disease in rows:
            seen.setdefault(place, []).append(disease)
    return sum(len(found) for found in seen.values() if len(set(found)) == 1)


def test_groups_of_one_disease_leave_no_shard(con, tmp_path):
    limits = {"sensitive": "disease", "limits": {"distinct_l": 2, "t": 0.8}}
    assert sure_of(con, tmp_path / "release", **limits) == 0


def test_control_without_limits_they_tell_it(con, tmp_path):
    assert sure_of(con, tmp_path / "release") == 200
