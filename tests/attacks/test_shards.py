"""Whoever has a release in files looks at which rows lie in one file, and in which order."""

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

import pyarrow.parquet as pq
import pytest

import tanon_duck
from tanon_duck.macros import catalog

STREAM = {"ts": "day", "sa": "disease", "l": 2, "w": 4, "keep": ["age"]}


@pytest.fixture
def stream(demo_con):
    """The demo's cases, whose days are skewed, so that some leave late."""
    return tanon_duck.buckets(demo_con, partitions=7)


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
    stream.reposition("cases", into=tmp_path / "release", **STREAM)
    released = files(tmp_path / "release")
    assert len(released) > 1
    assert told_apart(released) == 0
    days = [{day for day, *_ in rows} for rows in released]
    assert sum(map(len, days)) == len(set.union(*days))
    for rows in released:
        assert rows == sorted(rows)


def test_control_rows_by_the_day_they_came_from_tell_who_is_late(stream, tmp_path, monkeypatch):
    found = catalog.function("reposition")
    careless = tuple(stage for stage in found.header.shards if stage.what != ("shown",))
    broken = replace(found, header=replace(found.header, shards=careless))
    monkeypatch.setitem(catalog.functions(), "reposition", broken)
    stream.reposition("cases", into=tmp_path / "release", **STREAM)
    assert told_apart(files(tmp_path / "release")) > 20


def test_rows_that_come_back_stand_in_the_order_of_what_they_show(stream):
    """A day may begin anywhere, and what is of it stands together."""
    rows = [tuple(row.values()) for row in stream.reposition("cases", **STREAM).to_pylist()]
    begins = [day for at, (day, *_) in enumerate(rows) if at == 0 or rows[at - 1][0] != day]
    assert len(begins) == len(set(begins))
    assert max(begins) - min(begins) > timedelta(30)
