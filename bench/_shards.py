"""CPU and wall of the same calls on one machine, in buckets and on Spark.

``python -m bench._shards --rows 1000000 5000000`` measures each runner in processes of its own, CPU
over all of them (the JVM and its Python workers too), and prints a table in Markdown. The first
call of Spark is cold, the best of those behind it is warm. Larger sizes only take longer.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb

import tanon_duck

RUNNERS = ("one machine", "buckets", "spark")
CALL: dict[str, Any] = {
    "uid": "who",
    "qi": ["zip", "sex"],
    "ts": "day",
    "granularities": ["day", "week", "month", "quarter"],
    "k": 5,
    "max_suppression": 0.1,
}
_TICKS = os.sysconf("SC_CLK_TCK")


def visits(rows: int, file: Path) -> None:
    """Visits of a year: ten a person, in a thousand places of different sizes."""
    with duckdb.connect() as con:
        con.execute(
            f"""copy (select (hash(i, 1) % {max(rows // 10, 1)})::integer as who,
            (1000 * pow(hash(i, 2) % 1000000 / 1e6, 2))::integer as zip, hash(i, 3) % 2 = 0 as sex,
            date '2024-01-01' + (hash(i, 4) % 366)::integer as day
            from range({rows}) as t(i)) to '{file}' (format parquet, row_group_size 250000)"""
        )


def fields_of_tree(root: int) -> list[list[str]]:
    """What /proc tells of a process and of each below it, behind its name: state, parent, ..."""
    stats = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stats[int(entry.name)] = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
    wanted, found = {root}, 0
    while found != len(wanted):
        found = len(wanted)
        wanted |= {process for process, fields in stats.items() if int(fields[1]) in wanted}
    return [stats[process] for process in wanted if process in stats]


def cpu_of_all() -> float:
    """Seconds of this process, of all below it and of those of them that have ended."""
    trees = fields_of_tree(os.getpid())
    return sum(sum(map(int, fields[11:15])) for fields in trees) / _TICKS


Call = Callable[[Path], object]


def one_machine(file: Path, threads: int, partitions: int) -> Iterator[tuple[str, Call]]:
    """One DuckDB that reads Parquet and writes Parquet."""
    con = tanon_duck.connect(config={"threads": threads})
    given = ", ".join(f"{name} := ${name}" for name in CALL)
    source = f"'(from ''{file}'')'"
    yield (
        "metrics",
        lambda into: con.execute(
            f"from tanon.granularity_metrics({source}, {given})", CALL
        ).fetchall(),
    )
    yield (
        "publish",
        lambda into: con.execute(
            f"copy (from tanon.publish_k_anonymous({source}, {given})) "
            f"to '{into}.parquet' (format parquet)",
            CALL,
        ),
    )


def in_buckets(file: Path, threads: int, partitions: int) -> Iterator[tuple[str, Call]]:
    """Hash buckets of the same Parquet, one after another."""
    con = tanon_duck.connect(config={"threads": threads})
    buckets = tanon_duck.buckets(con, partitions=partitions)
    source = f"(from '{file}')"
    yield "metrics", lambda into: buckets.granularity_metrics(source, **CALL)
    yield "publish", lambda into: buckets.publish_k_anonymous(source, into=into, **CALL)


def on_spark(file: Path, threads: int, partitions: int) -> Iterator[tuple[str, Call]]:
    """A local Spark with as many tasks at once as threads."""
    from pyspark.sql import SparkSession

    from tanon_duck import spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local[{threads}]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", str(partitions))
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "3g")
        .getOrCreate()
    )
    frame = session.read.parquet(str(file))

    def read(rows: Any) -> None:
        rows.write.format("noop").mode("append").save()

    yield "metrics", lambda into: spark.granularity_metrics(frame, **CALL)
    yield "publish", lambda into: spark.publish_k_anonymous(frame, into=into, **CALL)
    yield (
        "read and shuffled",
        lambda into: read(frame.repartition(partitions, "zip", "sex")),
    )


_OF_RUNNERS = dict(zip(RUNNERS, (one_machine, in_buckets, on_spark), strict=True))


def measured(
    runner: str, file: Path, threads: int, partitions: int, repeats: int
) -> list[dict[str, object]]:
    """The figures of one runner: of each call the first time, and the least CPU behind it."""
    found: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, call in _OF_RUNNERS[runner](file, threads, partitions):
            for attempt in range(repeats + 1):
                cpu, wall = cpu_of_all(), time.perf_counter()
                call(Path(folder) / f"{name}-{attempt}")
                taken = {"cpu": cpu_of_all() - cpu, "wall": time.perf_counter() - wall}
                found.append({"runner": runner, "call": name, "warm": attempt > 0, **taken})
    return found


def table(figures: list[dict[str, Any]]) -> str:
    """The figures as Markdown, warm ones the least of their repeats."""
    lines = ["| rows | call | runner | CPU s | wall s | CPU of one machine |", "| ---: " * 6 + "|"]
    least: dict[tuple[Any, ...], dict[str, Any]] = {}
    for each in figures:
        key = each["rows"], each["call"], each["runner"], each["warm"]
        if key not in least or each["cpu"] < least[key]["cpu"]:
            least[key] = each
    for (rows, call, runner, warm), each in sorted(least.items()):
        if not warm and runner != "spark":
            continue
        shown = runner if runner != "spark" else f"spark, {'warm' if warm else 'cold'}"
        alone = least.get((rows, call, "one machine", True))
        ratio = f"{each['cpu'] / alone['cpu']:.1f} x" if alone else ""
        lines.append(
            f"| {rows:,} | {call} | {shown} | {each['cpu']:.1f} | {each['wall']:.1f} | {ratio} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure every runner at every size."""
    parser = argparse.ArgumentParser(prog="python -m bench._shards", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 5_000_000])
    parser.add_argument("--runners", nargs="+", choices=RUNNERS, default=list(RUNNERS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--one", nargs=2, metavar=("RUNNER", "FILE"), help=argparse.SUPPRESS)
    parsed = parser.parse_args()
    if parsed.one:
        runner, file = parsed.one
        own = parsed.threads, parsed.partitions, parsed.repeats
        print(json.dumps(measured(runner, Path(file), *own)))
        return
    figures = []
    for rows in parsed.rows:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "visits.parquet"
            visits(rows, file)
            for runner in parsed.runners:
                names = ("threads", "partitions", "repeats")
                options = [f"--{name}={getattr(parsed, name)}" for name in names]
                command = [sys.executable, "-m", "bench._shards", *options]
                done = subprocess.run(
                    [*command, "--one", runner, str(file)], stdout=subprocess.PIPE, text=True
                )
                done.check_returncode()
                answers = json.loads(done.stdout.splitlines()[-1])
                figures += [{**each, "rows": rows} for each in answers]
    print(table(figures))


if __name__ == "__main__":
    main()
