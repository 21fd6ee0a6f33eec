"""Tables larger than memory through buckets on one machine: peak memory, CPU and time.

``python -m bench._beyond_memory kapra shared --size 0.1`` makes a tenth of each table as Parquet,
runs each call in a process of its own, and prints a table in Markdown. Resident memory is that of
the process and all below it, looked at ten times a second. ``--size 1``: 20 million random walks of
10 readings, 50 million transactions, 200 million visits; the folder wants some 40 GB then.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import duckdb

import tanon_duck
from bench._shards import CALL, visits
from bench._spark import fields_of_tree
from tanon_duck import scaling

_PAGE = os.sysconf("SC_PAGE_SIZE")
_WALKS: dict[str, Any] = {"series_id": "who", "series": "walk", "k": 10, "p": 5}
_BASKETS: dict[str, Any] = {"transaction": "basket", "item": "article", "min_support": 0.001}
_CLOSED = _BASKETS | {"result": "closed"}
# Of each run: how many rows are all of them, what makes them, the function and its arguments.
RUNS: dict[str, tuple[int, str, str, dict[str, Any]]] = {
    "kapra": (20_000_000, "walks", "publish_series", _WALKS),
    "shared": (20_000_000, "walks", "publish_series", _WALKS | {"algorithm": "shared"}),
    "closed itemsets": (50_000_000, "baskets", "frequent_itemsets", _CLOSED),
    "publish": (200_000_000, "visits", "publish_events", CALL),
}


def walks(rows: int, file: Path) -> None:
    """Random walks of ten readings that start anywhere from 0 to 10, with steps N(0, 1)."""
    length = "sqrt(-2 * ln((hash(i, j) % 1000003 + 1) / 1000004))"
    normal = f"{length} * cos(2 * pi() * (hash(j, i) % 1000033) / 1000033)"
    with duckdb.connect() as con:
        con.execute(
            f"""copy (select i::integer as who, list_transform(range(1, 11), lambda j:
                round(start + list_sum(steps[:j]), 3)) as walk
            from (select i, hash(i) % 10000 / 1000 as start,
                    list_transform(range(10), lambda j: {normal}) as steps
                from range({rows}) as t(i))) to '{file}' (format parquet, row_group_size 100000)"""
        )


def baskets(rows: int, file: Path) -> None:
    """Baskets of one to nine of two thousand articles, few of which are in very many."""
    with duckdb.connect() as con:
        con.execute(
            f"""copy (select i::integer as basket, unnest(list_distinct(list_transform(
                range(1 + (hash(i) % 9)::bigint),
                lambda j: (2000 * pow(hash(i, j) % 1000003 / 1000003, 3))::integer))) as article
            from range({rows}) as t(i)) to '{file}' (format parquet, row_group_size 250000)"""
        )


_MADE_BY = {"walks": walks, "baskets": baskets, "visits": visits}


def run(name: str, file: Path, into: Path, partitions: int, memory: str, threads: int) -> None:
    """One call over the file, its rows into a folder."""
    _, _, function, arguments = RUNS[name]
    con = tanon_duck.connect(config={"memory_limit": memory, "threads": threads})
    buckets = scaling.buckets(con, partitions=partitions, task_memory=memory, folder=into.parent)
    getattr(buckets, function)(f"(from '{file}')", into=into, **arguments)


def resident(root: int) -> int:
    """Bytes of memory of a process and of all below it."""
    return sum(int(fields[21]) for fields in fields_of_tree(root)) * _PAGE


def measured(command: list[str]) -> dict[str, float]:
    """What a command took: its peak of resident memory, CPU and wall."""
    before, began, peak = os.times(), time.perf_counter(), 0
    process = subprocess.Popen(command)
    while process.poll() is None:
        peak = max(peak, resident(process.pid))
        time.sleep(0.1)
    if process.returncode:
        raise SystemExit(process.returncode)
    after = os.times()
    cpu = sum(after[2:4]) - sum(before[2:4])
    return {"GB": peak / 1e9, "cpu": cpu, "wall": time.perf_counter() - began}


def main() -> None:
    """Make the tables, run the calls, print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench._beyond_memory", description=__doc__)
    parser.add_argument("runs", nargs="*", metavar="run", help=f"of {', '.join(RUNS)}")
    parser.add_argument("--size", type=float, default=0.1, help="share of the whole tables")
    parser.add_argument("--partitions", type=int, default=64)
    parser.add_argument("--memory", default="1500MB", help="memory_limit of each database")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where tables and buckets lie")
    parser.add_argument("--one", nargs=3, metavar=("RUN", "FILE", "INTO"), help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    given = parsed.partitions, parsed.memory, parsed.threads
    if parsed.one:
        name, file, into = parsed.one
        run(name, Path(file), Path(into), *given)
        return
    print("| run | rows | peak GB | CPU s | wall s |\n| --- | ---: | ---: | ---: | ---: |")
    for name in parsed.runs or RUNS:
        rows = int(RUNS[name][0] * parsed.size)
        with tempfile.TemporaryDirectory(dir=parsed.folder) as folder:
            file, into = Path(folder) / "table.parquet", Path(folder) / "release"
            _MADE_BY[RUNS[name][1]](rows, file)
            options = [
                *zip(("--partitions", "--memory", "--threads"), map(str, given), strict=True)
            ]
            command = [
                sys.executable,
                "-m",
                "bench._beyond_memory",
                *(o for two in options for o in two),
            ]
            found = measured([*command, "--one", name, str(file), str(into)])
        print(
            f"| {name} | {rows:,} | {found['GB']:.2f} | {found['cpu']:.0f} | {found['wall']:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
