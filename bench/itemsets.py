"""Closed itemsets, inference channels and sanitization, beside miners in C and in Python."""

from __future__ import annotations

import contextlib
import io
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

import tanon_duck
from bench._data import Integers, baskets, correlated_categories
from bench.harness import Bench, Contender
from tanon_duck.algorithms.itemsets.channels import Channels, channels_below
from tanon_duck.algorithms.itemsets.collection import Itemsets, keep_maximal
from tanon_duck.algorithms.itemsets.merging import merge_channels
from tanon_duck.algorithms.itemsets.mining import (
    closed_itemsets,
    frequent_itemsets,
    minimum_count,
)
from tanon_duck.algorithms.itemsets.sanitize import Sanitized, sanitize
from tanon_duck.algorithms.itemsets.transactions import Transactions

K = 10
LONGEST = 20
FEW_ROWS = 5_000
MLXTEND = f"mlxtend fpgrowth (all frequent, {LONGEST} s at most)"
SKMINE = f"scikit-mine LCM ({LONGEST} s at most)"
PAMI = f"PAMI CHARM ({LONGEST} s at most)"
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
    con.register("pairs", {"transaction": rows, "item": items})
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
        "from tanon.frequent_itemsets('baskets', transaction := 'transaction', item := 'item', "
        f"min_support := {data.min_count}, result := 'closed')"
    ).to_arrow_table()


@dataclass
class Baskets:
    """What miners in memory are given."""

    lists: Lists
    n_rows: int
    min_count: int


def with_lists(data: Table) -> Baskets:
    lists = data.lists()
    return Baskets(lists, len(lists), data.min_count)


def pyfim_relim(given: Baskets) -> Any:
    import fim

    return fim.relim(given.lists, target="c", supp=-given.min_count, zmin=0)


def mlxtend_fpgrowth(given: Baskets) -> Any:
    import pandas as pd
    from mlxtend.frequent_patterns import fpgrowth
    from mlxtend.preprocessing import TransactionEncoder

    encoder = TransactionEncoder()
    flags = encoder.fit(given.lists).transform(given.lists)
    frame = pd.DataFrame(flags, columns=encoder.columns_)
    return fpgrowth(frame, min_support=given.min_count / given.n_rows)


def skmine_lcm(given: Baskets) -> Any:
    from skmine.itemsets import LCM

    return LCM(min_supp=given.min_count).fit_transform(given.lists)


@dataclass
class BasketFile:
    """The only input PAMI takes; the file goes when the folder does."""

    folder: tempfile.TemporaryDirectory[str]
    path: Path
    n_rows: int
    min_count: int


def with_file(data: Table) -> BasketFile:
    folder, lists = tempfile.TemporaryDirectory(), data.lists()
    path = Path(folder.name) / "baskets.tsv"
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in lists))
    return BasketFile(folder, path, len(lists), data.min_count)


def pami_charm(given: BasketFile) -> Any:
    from PAMI.frequentPattern.closed.CHARM import CHARM

    miner = CHARM(str(given.path), given.min_count, "\t")
    with contextlib.redirect_stdout(io.StringIO()):
        miner.mine()
    return list(miner.getPatterns().items())


def stopped(mine: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Stop a miner after LONGEST seconds, without a result: a ratio to it is a lower bound."""

    def stop(*_: object) -> None:
        raise TimeoutError

    def at_most_so_long(given: Any) -> Any:
        before = signal.signal(signal.SIGALRM, stop)
        warming_up = given.n_rows < FEW_ROWS
        signal.setitimer(signal.ITIMER_REAL, 1 if warming_up else LONGEST)
        try:
            return mine(given)
        except TimeoutError:
            return None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    return at_most_so_long


def count(found: Any) -> dict[str, float]:
    """How many itemsets; the empty one, which not every miner lists, is left out."""
    if found is None:
        return {}
    if isinstance(found, Itemsets):
        empty = found.supports[0].size if found.supports else 0
        return {"itemsets": len(found) - empty}
    if hasattr(found, "column"):
        sizes = found.column("itemset").combine_chunks().value_lengths()
        return {"itemsets": int(np.count_nonzero(sizes))}
    if isinstance(found, list):
        return {"itemsets": sum(1 for items, *_ in found if items)}
    return {"itemsets": len(found)}


def slow_peers(largest: int) -> list[Contender]:
    """Miners in Python, which many rows or few of them in many itemsets keep busy for minutes."""
    miners: list[tuple[str, Callable[[Any], Any], tuple[str, ...], Callable[[Table], Any]]] = [
        (MLXTEND, mlxtend_fpgrowth, ("mlxtend", "pandas"), with_lists),
        (SKMINE, skmine_lcm, ("skmine",), with_lists),
        (PAMI, pami_charm, ("PAMI",), with_file),
    ]
    return [
        Contender(
            name,
            stopped(run),
            "peer",
            needs=needs,
            prepare=prepare,
            quality=count,
            largest=largest,
            runs=1,
            memory=False,
        )
        for name, run, needs, prepare in miners
    ]


def closed(
    bench: Bench, name: str, setup: Callable[[int], Table], sizes: tuple[int, ...], share: str
) -> None:
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
            *slow_peers(sizes[0]),
        ],
        sizes=sizes,
        quick_sizes=tuple(size // 40 for size in sizes),
    )


def sanitized(
    bench: Bench, name: str, setup: Callable[[int], Table], size: int, share: str
) -> None:
    bench.compare(
        f"sanitizing {name} at {share}, k = {K}",
        setup=setup,
        contenders=[
            Contender("mine", numpy_frequent, "baseline", quality=count),
            Contender("mine, sanitize, check", numpy_sanitized, quality=_cost),
        ],
        sizes=(size,),
        quick_sizes=(size // 40,),
    )


@dataclass
class ToMerge:
    """Channels taken evenly from those of a dense table, and what is frequent there."""

    channels: Channels
    n_items: int
    maximal: Itemsets


def to_merge(size: int) -> ToMerge:
    rows, items = correlated_categories(8_124)
    transactions = Transactions.from_pairs(rows, items)
    frequent = frequent_itemsets(transactions, minimum_count(0.2, transactions.n_rows))
    maximal = keep_maximal(frequent)
    found = channels_below(frequent, maximal, K)
    own = np.linspace(0, len(found) - 1, size).astype(np.int64)
    chosen = Channels(found.base[own], found.top[own], found.frequency[own])
    return ToMerge(chosen, transactions.n_items, maximal)


def merged(given: ToMerge) -> Transactions:
    return merge_channels(given.channels, given.n_items, given.maximal)


def merging(bench: Bench) -> None:
    bench.compare(
        "merging the channels of a dense table",
        setup=to_merge,
        contenders=[Contender("merge", merged, quality=lambda rows: {"bases": rows.n_rows})],
        sizes=(10_000, 30_000, 100_000),
        quick_sizes=(100, 300, 1_000),
        unit="channels",
    )


def _cost(result: Sanitized) -> dict[str, float]:
    return {"itemsets": len(result.published) - 1, "rows_added": result.rows_added}


def dense_table(rows: int) -> Table:
    return table(correlated_categories(rows), 0.2)


def mushroom(file: Path, size: int) -> Table:
    """The first rows of the mushroom data."""
    ordered = f"select items from '{file}' order by transaction limit {size}"
    lists = [sorted(items) for (items,) in duckdb.execute(ordered).fetchall()]
    rows = np.repeat(np.arange(len(lists)), [len(items) for items in lists])
    return table([rows, np.concatenate(lists)], 0.1)


def run(bench: Bench) -> None:
    many, some, few = (100_000, 300_000, 1_000_000), 100_000, 8_124
    closed(bench, "baskets", lambda rows: table(baskets(rows), 0.01), many, "1 %")
    closed(bench, "baskets", lambda rows: table(baskets(rows), 0.001), many, "0.1 %")
    sanitized(bench, "baskets", lambda rows: table(baskets(rows), 0.001), some, "0.1 %")
    dense = "a dense table"
    closed(bench, dense, dense_table, (few,), "20 %")
    sanitized(bench, dense, dense_table, few, "20 %")
    merging(bench)
    if file := bench.data("basket_mushroom.parquet"):
        own = partial(mushroom, file)
        closed(bench, "mushroom", own, (few,), "10 %")
        sanitized(bench, "mushroom", own, few, "10 %")
