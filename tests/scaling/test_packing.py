"""Rows that go through a shuffle packed: all of them arrive, those with equal keys in one shard."""

from collections import Counter

import pyarrow as pa
import pytest
from scaling.sharded import visits

from tanon_duck.scaling import packing

KEYS = ["zip", "how much"]


def sent(rows, keys, shards, pack=packing.packed):
    """What each shard gets, as Spark would hand it over."""
    found: dict[int, list[pa.RecordBatch]] = {}
    for batch in pack(keys, shards)(rows):
        assert batch.schema.names == ["shard", "rows"]
        for place, shard in enumerate(batch.column("shard").to_pylist()):
            found.setdefault(shard, []).append(batch.slice(place, 1).select(["rows"]))
    return found


def arrived(batches):
    """The rows of a shard, as text: NaN is no other NaN's equal."""
    return [
        tuple(map(str, row.values())) for b in packing.unpacked(batches) for row in b.to_pylist()
    ]


def equal(key):
    """A key, as SQL holds it for equal to others."""
    return tuple("0.0" if value == "-0.0" else value for value in key)


@pytest.mark.parametrize("gathered", [1, 4000, 1 << 30])
@pytest.mark.parametrize("shards", [1, 3, 70_000])
def test_every_row_arrives_beside_its_equals(monkeypatch, gathered, shards):
    monkeypatch.setattr(packing, "_GATHERED", gathered)
    monkeypatch.setattr(packing, "_HANDED", gathered)
    rows = visits(1)
    found = sent(rows.to_batches(max_chunksize=50), KEYS, shards)
    assert len(found) > shards // 2 or shards > 100
    assert max(found) < shards
    everything = Counter(row for batches in found.values() for row in arrived(batches))
    assert everything == Counter(tuple(map(str, row.values())) for row in rows.to_pylist())
    places: dict[tuple[str, ...], set[int]] = {}
    for shard, batches in found.items():
        for row in arrived(batches):
            places.setdefault(equal(row[1:3]), set()).add(shard)
    assert len(places) > 10
    assert all(len(shard) == 1 for shard in places.values())


def test_rows_are_packed_again_by_other_keys():
    by_place = sent(visits(2).to_batches(max_chunksize=50), KEYS, 3)
    batches = [batch for found in by_place.values() for batch in found]
    again = sent(batches, ["who"], 3, packing.repacked)
    straight = sent(visits(2).to_batches(), ["who"], 3)
    assert {n: Counter(arrived(b)) for n, b in again.items()} == {
        n: Counter(arrived(b)) for n, b in straight.items()
    }


def test_no_rows_are_packed_as_nothing():
    assert sent([], KEYS, 3) == {}
