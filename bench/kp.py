"""Series: SAX words, conventional groups, Naive and KAPRA, speed and losses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

import tanon_duck
from bench._data import Floats, normal_walks, unit_walks
from bench.harness import Bench, Contender
from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp.release import Release, kp_release

K, READINGS, POINTS, LETTERS = 10, 10, 64, 8
BOUND = "bound: k - 1 nearest neighbours"
SHAPES_BOUND = "bound: P - 1 nearest shapes, P="


@dataclass
class Table:
    """Series, and a connection with one thread that holds them: as a list and as columns."""

    series: Floats
    con: duckdb.DuckDBPyConnection

    def close(self) -> None:
        self.con.close()


def walks(rows: int, points: int) -> Table:
    series = np.random.default_rng(rows).normal(size=(rows, points)).cumsum(axis=1)
    con = tanon_duck.connect(config={"threads": 1})
    columns = {f"a{i}": series[:, i] for i in range(points)}
    con.register("given", pa.table({"id": np.arange(rows), **columns}))
    listed = ", ".join(columns)
    con.execute(f"create table lists as select id, [{listed}] as series from given")
    con.execute("create table walks as from given")
    con.unregister("given")
    return Table(series, con)


def words_of_duckdb(data: Table) -> Any:
    query = f"select sum(length(tanon.sax(series, {LETTERS}))) from lists"
    return data.con.execute(query).fetchall()


def words_of_blocks(data: Table) -> Any:
    return [(int(np.prod(sax.letters(data.series, LETTERS).shape)),)]


def words_of_one_pass(data: Table) -> Any:
    """What one writes with numpy: normalize everything, then look up the letters."""
    mean = data.series.mean(axis=1, keepdims=True)
    normalized = (data.series - mean) / data.series.std(axis=1, ddof=1, keepdims=True)
    found = np.searchsorted(sax.break_points(LETTERS), normalized, side="right")
    return [(int(found.size),)]


def words_of_pyts(data: Table) -> Any:
    from pyts.approximation import SymbolicAggregateApproximation

    model = SymbolicAggregateApproximation(n_bins=LETTERS, strategy="normal")
    return [(int(model.fit_transform(data.series).size),)]


def words_of_aeon(data: Table) -> Any:
    from aeon.transformations.collection.dictionary_based import SAX

    model = SAX(n_segments=POINTS, alphabet_size=LETTERS)
    return [(int(model.fit_transform(data.series[:, None, :]).size),)]


def words_of_saxpy(data: Table) -> Any:
    from saxpy.alphabet import cuts_for_asize
    from saxpy.sax import ts_to_string
    from saxpy.znorm import znorm

    cuts = cuts_for_asize(LETTERS)
    return [(sum(len(ts_to_string(znorm(row), cuts)) for row in data.series),)]


def words_of_tslearn(data: Table) -> Any:
    from tslearn.piecewise import SymbolicAggregateApproximation

    model = SymbolicAggregateApproximation(n_segments=POINTS, alphabet_size_avg=LETTERS)
    return [(int(model.fit_transform(data.series).size),)]


def anonymize(data: Table, p: int, algorithm: str) -> Any:
    """From a table of columns to a new table that can be published, checks included."""
    columns = [f"a{i}" for i in range(READINGS)]
    data.con.execute(
        f"create or replace table released as from tanon.publish_series('walks', series_id := "
        f"'id', "
        f"series := {columns}, k := {K}, p := {p}, algorithm := '{algorithm}', sensitive := 'a10', "
        "allow_identifying := 'a10')"
    )
    return data.con.execute("select count(*) from released").fetchall()


def k_anonymize(data: Table, method: str) -> Any:
    columns = [f"a{i}" for i in range(READINGS)]
    data.con.execute(
        "create or replace table released as from tanon.publish_series_ranges('walks', series_id "
        ":= 'id', "
        f"series := {columns}, k := {K}, method := '{method}', sensitive := 'a10', "
        "allow_identifying := 'a10')"
    )
    return data.con.execute("select count(*) from released").fetchall()


def sort(data: Table) -> Any:
    data.con.execute("create or replace table sorted as from walks order by a0, a1, a2, a3")
    return data.con.execute("select count(*) from sorted").fetchall()


@dataclass
class Released:
    """A release and the series it is of, for its losses."""

    series: Floats
    release: Release


def release(series: Floats, p: int, algorithm: str, split: str = "halves") -> Released:
    highest = 26 if algorithm == "shared" else 10
    return Released(series, kp_release(series, K, p, algorithm, highest, split))


def losses(found: Released) -> Mapping[str, float]:
    kept = found.release.k_group >= 0
    width = sax.value_loss(found.release.low, found.release.high)[found.release.k_group[kept]]
    pattern = sax.pattern_loss(
        found.series[kept], found.release.letters[kept], found.release.level[kept]
    )
    return {"value_loss": float(width.mean()), "pattern_loss": float(pattern.mean())}


def nearest_bound(series: Floats) -> Mapping[str, float]:
    """What no groups of k rows can undercut: the farthest of a row's group is no nearer than its
    (k - 1)-th neighbour, and an envelope is as wide as any two of its rows are apart.
    """
    nearest = []
    for rows in np.array_split(series, max(1, series.shape[0] // 100)):
        squares = np.square(rows[:, None, :] - series[None, :, :]).mean(axis=2)
        nearest.append(np.sqrt(np.partition(squares, K - 1, axis=1)[:, K - 1]))
    return {"value_loss": float(np.concatenate(nearest).mean())}


def nearest_shapes_bound(series: Floats, p: int) -> Mapping[str, float]:
    """What no words of groups of P rows can undercut. The square of how long a group's mean shape
    is, is the mean correlation of its pairs of rows, and a row's is highest with its likest ones.
    """
    shapes = sax.z_normalize(series) / np.sqrt(series.shape[1] - 1)
    likest = []
    for rows in np.array_split(shapes, max(1, shapes.shape[0] // 100)):
        correlations = np.partition(rows @ shapes.T, shapes.shape[0] - p, axis=1)[:, -p:]
        likest.append(correlations.mean(axis=1))
    return {"pattern_loss": float(1 - np.sqrt(np.concatenate(likest).mean()))}


def words(bench: Bench) -> None:
    ours, one_pass = "tanon.sax", "numpy, one pass"
    bench.compare(
        f"SAX words of {POINTS} readings, {LETTERS} letters, one thread",
        setup=lambda rows: walks(rows, POINTS),
        contenders=[
            Contender(ours, words_of_duckdb),
            Contender("the same in numpy", words_of_blocks),
            Contender(one_pass, words_of_one_pass, "baseline"),
            Contender("pyts", words_of_pyts, "peer", needs=("pyts",)),
            Contender("aeon", words_of_aeon, "peer", needs=("aeon",)),
            Contender("saxpy", words_of_saxpy, "peer", needs=("saxpy",)),
            Contender(
                "tslearn",
                words_of_tslearn,
                "peer",
                needs=("tslearn",),
                largest=50_000,
                runs=1,
                memory=False,
            ),
        ],
        sizes=(50_000, 100_000, 200_000),
        quick_sizes=(500, 1_000),
        same=(ours, "the same in numpy", one_pass),
        unit="series",
    )


def speed(bench: Bench) -> None:
    million = 1_000_000
    contenders = [
        Contender(f"KAPRA P={p}", partial(anonymize, p=p, algorithm="kapra"), runs=1)
        for p in (10, 5, 2)
    ]
    bench.compare(
        f"releases of {READINGS} readings, k = {K}, from SQL, one thread",
        setup=lambda rows: walks(rows, READINGS + 1),
        contenders=[
            *contenders,
            Contender("shared P=5", partial(anonymize, p=5, algorithm="shared"), runs=1),
            Contender("Naive P=5", partial(anonymize, p=5, algorithm="naive"), runs=1),
            Contender("k only, halves", partial(k_anonymize, method="halves"), runs=1),
            Contender("sort by four columns", sort, "limit"),
        ],
        sizes=(10_000, 100_000, million),
        quick_sizes=(500, 1_000),
        unit="series",
    )


def value_and_pattern(bench: Bench) -> None:
    def of(algorithm: str, p: int) -> Contender:
        run = partial(release, p=p, algorithm=algorithm)
        return Contender(f"{algorithm} P={p}", run, quality=losses, memory=False)

    chosen = [of(a, p) for p in (2, 5) for a in ("kapra", "kapra_refined", "naive", "shared")]
    bench.compare(
        f"losses on normal walks, k = {K}",
        setup=lambda rows: normal_walks(rows)[:, :READINGS],
        contenders=chosen,
        sizes=(2_000,),
        quick_sizes=(200,),
        unit="series",
    )

    def limit(name: str, run: Callable[[Floats], Mapping[str, float]]) -> Contender:
        return Contender(name, run, "limit", quality=lambda found: found, memory=False)

    bounds = [limit(BOUND, nearest_bound)]
    bounds += [limit(f"{SHAPES_BOUND}{p}", partial(nearest_shapes_bound, p=p)) for p in (2, 5)]
    bench.compare(
        f"losses on unit walks, k = {K}",
        setup=lambda rows: unit_walks(rows)[:, :READINGS],
        contenders=[*chosen, *bounds],
        sizes=(10_000,),
        quick_sizes=(200,),
        unit="series",
    )


def run(bench: Bench) -> None:
    words(bench)
    value_and_pattern(bench)
    speed(bench)
