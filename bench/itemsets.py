"""Closed itemsets, inference channels and sanitization, beside miners in C and in Python."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

import tanon_duck
from bench._data import Integers, baskets, correlated_categories
from bench.harness import Bench, Contender, Goal
from tanon_duck.algorithms.itemsets.collection import Itemsets
from tanon_duck.algorithms.itemsets.mining import (
    closed_itemsets,
    frequent_itemsets,
    minimum_count,
)
from tanon_duck.algorithms.itemsets.sanitize import Sanitized, sanitize
from tanon_duck.algorithms.itemsets.transactions import Transactions

K = 10
Lists = list[list[int]]


@dataclass
class Table:
    """(row, item) arrays, the count a share stands for, and a connection that holds them."""

    rows: Integers
    items: Integers
    min_count: int
    con: duckdb.DuckDBPyConnection

    def close(self) -> None:
        self.con.close()

    def lists(self) -> Lists:
        """One list of items per row, as the other miners want it."""
        return [
            part.tolist() for part in np.split(self.items, np.flatnonzero(np.diff(self.rows)) + 1)
        ]


def table(pairs: list[Integers], share: float) -> Table:
    rows, items = pairs
    con = tanon_duck.connect(config={"threads": 2})
    con.register("pairs", {"tid": rows, "item": items})
    con.execute("create table baskets as from pairs")
    con.unregister("pairs")
    return Table(rows, items, max(K, minimum_count(share, int(rows[-1]) + 1)), con)


def numpy_closed(data: Table) -> Itemsets:
    return closed_itemsets(Transactions.from_pairs(data.rows, data.items), data.min_count)


def numpy_frequent(data: Table) -> Itemsets:
    return frequent_itemsets(Transactions.from_pairs(data.rows, data.items), data.min_count)


def numpy_sanitized(data: Table) -> Sanitized:
    return sanitize(Transactions.from_pairs(data.rows, data.items), data.min_count, K)


def sql_closed(data: Table) -> Any:
    # con.sql(...) would bind the query twice, to show its columns and to run it.
    return data.con.execute(
        "from tanon.closed_itemsets('baskets', tid := 'tid', item := 'item', "
        f"min_support := {data.min_count})"
    ).to_arrow_table()


def with_lists(data: Table) -> tuple[Lists, int]:
    return data.lists(), data.min_count


def pyfim_relim(given: tuple[Lists, int]) -> Any:
    import fim

    lists, min_count = given
    return fim.relim(lists, target="c", supp=-min_count, zmin=0)


def mlxtend_fpgrowth(given: tuple[Lists, int]) -> Any:
    import pandas as pd
    from mlxtend.frequent_patterns import fpgrowth
    from mlxtend.preprocessing import TransactionEncoder

    lists, min_count = given
    encoder = TransactionEncoder()
    frame = pd.DataFrame(encoder.fit(lists).transform(lists), columns=encoder.columns_)
    return fpgrowth(frame, min_support=min_count / len(lists))


def skmine_lcm(given: tuple[Lists, int]) -> Any:
    from skmine.itemsets import LCM

    lists, min_count = given
    return LCM(min_supp=min_count).fit_transform(lists)


@dataclass
class BasketFile:
    """The only input PAMI takes; the file goes when the folder does."""

    folder: tempfile.TemporaryDirectory[str]
    path: Path
    min_count: int


def with_file(data: Table) -> BasketFile:
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "baskets.tsv"
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in data.lists()))
    return BasketFile(folder, path, data.min_count)


def pami_charm(given: BasketFile) -> Any:
    from PAMI.frequentPattern.closed.CHARM import CHARM

    miner = CHARM(str(given.path), given.min_count, "\t")
    with contextlib.redirect_stdout(io.StringIO()):
        miner.mine()
    return list(miner.getPatterns().items())


def count(found: Any) -> dict[str, float]:
    """How many itemsets; the empty one, which not every miner lists, is left out."""
    if isinstance(found, Itemsets):
        empty = found.supports[0].size if found.supports else 0
        return {"itemsets": len(found) - empty}
    if hasattr(found, "column"):
        sizes = found.column("itemset").combine_chunks().value_lengths()
        return {"itemsets": int(np.count_nonzero(sizes))}
    if isinstance(found, list):
        return {"itemsets": sum(1 for items, *_ in found if items)}
    return {"itemsets": len(found)}


def closed(
    bench: Bench, name: str, setup: Callable[[int], Table], sizes: tuple[int, ...], share: str
) -> None:
    # On a dense table the slow peers take many minutes: they are reported as not run.
    first = sizes[0] if len(sizes) > 1 else sizes[0] // 10
    bench.compare(
        f"closed itemsets of {name} at {share}",
        setup=setup,
        contenders=[
            Contender("tanon", numpy_closed, quality=count),
            Contender("tanon in SQL", sql_closed, quality=count),
            Contender(
                "pyfim relim (C)",
                pyfim_relim,
                "peer",
                needs=("fim",),
                prepare=with_lists,
                quality=count,
            ),
            Contender(
                "mlxtend fpgrowth (all frequent)",
                mlxtend_fpgrowth,
                "peer",
                needs=("mlxtend", "pandas"),
                prepare=with_lists,
                quality=count,
                largest=first,
                runs=1,
                memory=False,
            ),
            Contender(
                "scikit-mine LCM",
                skmine_lcm,
                "peer",
                needs=("skmine",),
                prepare=with_lists,
                quality=count,
                largest=first,
                runs=1,
                memory=False,
            ),
            Contender(
                "PAMI CHARM",
                pami_charm,
                "peer",
                needs=("PAMI",),
                prepare=with_file,
                quality=count,
                largest=first,
                runs=1,
                memory=False,
            ),
        ],
        sizes=sizes,
        quick_sizes=tuple(size // 100 for size in sizes),
        goals=_closed_goals(sizes, f"closed itemsets of {name} at {share}: tanon / pyfim (C)"),
    )


def _closed_goals(sizes: tuple[int, ...], headline: str) -> list[Goal]:
    first, last = sizes[0], sizes[-1]
    peer, others = "pyfim relim (C)", ("mlxtend fpgrowth (all frequent)", "scikit-mine LCM")
    goals = [
        Goal("tanon", over=peer, at_most=8, hope=3, size=first, headline=headline),
        Goal("tanon in SQL", over=peer, at_most=8, size=first),
        *(Goal(other, over="tanon", at_least=5, size=first) for other in others),
        *(Goal("tanon", figure="itemsets", over=peer, at_most=1, size=size) for size in sizes),
        *(Goal("tanon", figure="itemsets", over=peer, at_least=1, size=size) for size in sizes),
    ]
    if last > first:
        goals.append(Goal("tanon", figure="growth", at_most=1.1))
    return goals


def sanitized(
    bench: Bench, name: str, setup: Callable[[int], Table], sizes: tuple[int, ...], share: str
) -> None:
    bench.compare(
        f"sanitizing {name} at {share}, k = {K}",
        setup=setup,
        contenders=[
            Contender("mine", numpy_frequent, "baseline", quality=count),
            Contender("mine, sanitize, check", numpy_sanitized, quality=_cost),
        ],
        sizes=sizes,
        quick_sizes=tuple(size // 100 for size in sizes),
        goals=[
            Goal(
                "mine, sanitize, check",
                over="mine",
                at_most=3,
                size=sizes[0],
                headline=f"sanitizing {name} at {share}: mining and all the rest / mining alone",
            )
        ],
    )


def _cost(result: Sanitized) -> dict[str, float]:
    return {"itemsets": len(result.published) - 1, "rows_added": result.rows_added}


def mushroom(file: Path) -> list[Integers]:
    """The rows of the mushroom data: one list of items each."""
    lists = duckdb.sql(f"select items from '{file}' order by tid").fetchall()
    lengths = [len(items) for (items,) in lists]
    rows = np.repeat(np.arange(len(lists)), lengths)
    return [rows, np.array([item for (items,) in lists for item in sorted(items)])]


def run(bench: Bench) -> None:
    many = (100_000, 300_000, 1_000_000)
    closed(bench, "baskets", lambda rows: table(baskets(rows), 0.01), many, "1 %")
    closed(bench, "baskets", lambda rows: table(baskets(rows), 0.001), many, "0.1 %")
    sanitized(bench, "baskets", lambda rows: table(baskets(rows), 0.001), (100_000,), "0.1 %")
    dense = (8_124,)
    generated = "a dense table"
    closed(bench, generated, lambda rows: table(correlated_categories(rows), 0.2), dense, "20 %")
    sanitized(bench, generated, lambda rows: table(correlated_categories(rows), 0.2), dense, "20 %")
    if file := bench.data("basket_mushroom.parquet"):
        closed(bench, "mushroom", lambda _: table(mushroom(file), 0.1), dense, "10 %")
        sanitized(bench, "mushroom", lambda _: table(mushroom(file), 0.1), dense, "10 %")
