"""CPU, shuffled bytes and memory of the same calls on one machine, in buckets and on Spark.

``python -m bench._shards --rows 5000000 20000000`` measures each runner in a process of its own,
CPU over all of its tree (the JVM and its Python workers too), and prints a table in Markdown, of
each call the best run behind the first one. ``--partitions 2 4 8 16 32 64`` shows how calls grow
with shards; ``--executors 1 2`` the time of a cluster of one task at a time on each executor, all
of it held to as many cores as there are executors, and how much two win.
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
from bench import _spark
from tanon_duck import scaling as over_shards

CALL: dict[str, Any] = {
    "respondent": "who",
    "qi": ["zip", "sex"],
    "ts": "day",
    "granularities": ["day", "week", "month", "quarter"],
    "k": 5,
    "max_suppression": 0.1,
}
_A_SHARD = 2_000_000  # rows, where no partitions are asked for


def visits(rows: int, file: Path) -> None:
    """Visits of a year: ten a person, in a thousand places of different sizes."""
    with duckdb.connect() as con:
        con.execute(
            f"""copy (select (hash(i, 1) % {max(rows // 10, 1)})::integer as who,
            (1000 * pow(hash(i, 2) % 1000000 / 1e6, 2))::integer as zip, hash(i, 3) % 2 = 0 as sex,
            date '2024-01-01' + (hash(i, 4) % 366)::integer as day
            from range({rows}) as t(i)) to '{file}' (format parquet, row_group_size 250000)"""
        )


Call = Callable[[Path], object]
Calls = Iterator[tuple[str, Call]]


def one_machine(file: Path, master: str, partitions: int, events: Path) -> Calls:
    """One DuckDB that reads Parquet and writes Parquet."""
    con = tanon_duck.connect(config={"threads": 2, "memory_limit": "4GB"})
    given = ", ".join(f"{name} := ${name}" for name in CALL)
    source = f"'(from ''{file}'')'"
    metrics = f"from tanon.granularity_metrics({source}, {given})"
    publish = f"copy (from tanon.publish_events({source}, {given})) to '{{}}.parquet'"
    yield "metrics", lambda into: con.execute(metrics, CALL).fetchall()
    yield "publish", lambda into: con.execute(publish.format(into), CALL)


def in_buckets(file: Path, master: str, partitions: int, events: Path) -> Calls:
    """Hash buckets of the same Parquet, one after another."""
    con = tanon_duck.connect(config={"threads": 2, "memory_limit": "1GB"})
    buckets = over_shards.buckets(con, partitions=partitions)
    source = f"(from '{file}')"
    yield "metrics", lambda into: buckets.granularity_metrics(source, **CALL)
    yield "publish", lambda into: buckets.publish_events(source, into=into, **CALL)


def on_spark(file: Path, master: str, partitions: int, events: Path) -> Calls:
    """A DataFrame of the Parquet."""
    session = _spark.session(master, partitions, events)
    yield from _of_spark(session.read.parquet(str(file)), partitions)
    session.stop()


def on_files(file: Path, master: str, partitions: int, events: Path) -> Calls:
    """The Parquet itself, which tasks read."""
    from tanon_duck.scaling import spark

    session = _spark.session(master, partitions, events)
    yield from _of_spark(spark.parquet(session, file), partitions)
    session.stop()


def _of_spark(source: Any, partitions: int) -> Calls:
    from tanon_duck.scaling import spark

    given = {**CALL, "partitions": partitions}
    yield "metrics", lambda into: spark.granularity_metrics(source, **given)
    yield "publish", lambda into: spark.publish_events(source, into=into, **given)


RUNNERS = {
    "one machine": one_machine,
    "buckets": in_buckets,
    "spark": on_spark,
    "spark, files": on_files,
}


def measured(
    runner: str, file: Path, master: str, partitions: int, repeats: int
) -> list[dict[str, Any]]:
    """The figures of one runner, of each call the first time and again."""
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events"
        for name, call in RUNNERS[runner](file, master, partitions, events):
            for attempt in range(repeats + 1):
                begin, cpu = time.time(), _spark.cpu()
                call(Path(folder) / f"{name}-{attempt}")
                end, after = time.time(), _spark.cpu()
                taken: dict[str, Any] = {part: after[part] - cpu.get(part, 0) for part in after}
                taken |= {"begin": begin, "end": end, "peak": _spark.peak()}
                found.append({"call": name, "warm": attempt > 0, **taken})
        tasks = list(_spark.shuffled(events))
    for each in found:
        each["cpu"] = sum(each.get(p, 0) for p in ("driver", "ended", "jvm", "workers"))
        each["wall"] = each["end"] - each["begin"]
        each["shuffled"] = sum(n for at, n in tasks if each["begin"] <= at <= each["end"])
    return found


def in_own_process(runner: str, file: Path, given: argparse.Namespace, **own: Any) -> Any:
    """The same, of a runner in a process of its own."""
    command = [sys.executable, "-m", "bench._shards", "--repeats", str(given.repeats)]
    each = json.dumps({"runner": runner, "file": str(file), **own})
    done = subprocess.run([*command, "--one", each], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def least(figures: list[dict[str, Any]], what: str) -> list[dict[str, Any]]:
    """Of each call, cold or warm, the run with the least of something."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for each in figures:
        key = each["rows"], each["partitions"], each["call"], each["runner"], each["warm"]
        if key not in found or each[what] < found[key][what]:
            found[key] = each
    return [found[key] for key in sorted(found, key=lambda key: (key[0], key[2], key[1]))]


def table(figures: list[dict[str, Any]]) -> str:
    """The figures as Markdown, warm ones the least of their repeats."""
    shown = least(figures, "cpu")
    alone = {(f["rows"], f["call"]): f["cpu"] for f in shown if f["runner"] == "one machine"}
    lines = [
        "| rows | call | runner | shards | CPU s (driver + JVM + workers) | to one machine "
        "| shuffled MB | MB of a task |",
        "| ---: | --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for each in shown:
        is_spark = each["runner"].startswith("spark")
        if not each["warm"]:
            continue
        parts = " + ".join(f"{each.get(p, 0):.1f}" for p in ("driver", "jvm", "workers"))
        one = alone.get((each["rows"], each["call"]))
        ratio = f"{each['cpu'] / one:.1f} x" if one else ""
        lines.append(
            f"| {each['rows']:,} | {each['call']} | {each['runner']} | {each['partitions']} "
            f"| {each['cpu']:.1f}{f' ({parts})' if is_spark else ''} "
            f"| {ratio} | {each['shuffled'] / 1e6:.0f} | {each['peak']} |"
        )
    return "\n".join(lines)


def scaling(figures: list[dict[str, Any]]) -> str:
    """The least time of each call on so many executors, as Markdown."""
    first: dict[str, float] = {}
    lines = [
        "| rows | call | executors | seconds | times one |",
        "| ---: | --- " + "| ---: " * 3 + "|",
    ]
    for each in least(figures, "wall"):
        if each["warm"]:
            alone = first.setdefault(each["call"], each["wall"])
            lines.append(
                f"| {each['rows']:,} | {each['call']} | {each['partitions']} "
                f"| {each['wall']:.1f} | {alone / each['wall']:.2f} |"
            )
    return "\n".join(lines)


def _one(given: dict[str, Any], repeats: int) -> None:
    """What runs in a process of its own."""
    if cores := given.get("cores"):  # the JVMs and workers below have no others either
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    found = measured(
        given["runner"], Path(given["file"]), given["master"], given["partitions"], repeats
    )
    print(json.dumps(found))


def main() -> None:
    """Measure every runner at every size."""
    parser = argparse.ArgumentParser(prog="python -m bench._shards", description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 5_000_000])
    parser.add_argument("--runners", nargs="+", choices=RUNNERS, default=list(RUNNERS))
    parser.add_argument("--partitions", type=int, nargs="+")
    parser.add_argument("--executors", type=int, nargs="+")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--one", type=json.loads, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        _one(given.one, given.repeats)
        return
    figures = []
    for rows in given.rows:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "visits.parquet"
            visits(rows, file)
            for runner, own in _runs(given, rows):
                found = in_own_process(runner, file, given, **own)
                many = own.get("cores", own["partitions"])
                figures += [
                    {**f, "rows": rows, "runner": runner, "partitions": many} for f in found
                ]
    print(scaling(figures) if given.executors else table(figures))


def _runs(given: argparse.Namespace, rows: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The runners, and into how many shards each parts the rows."""
    shards = given.partitions or [max(2, rows // _A_SHARD)]
    for cores in given.executors or []:
        master = f"local-cluster[{cores},1,1024]"
        yield "spark, files", {"master": master, "partitions": max(8, shards[0]), "cores": cores}
    for runner in [] if given.executors else given.runners:
        for partitions in shards if runner != "one machine" else shards[:1]:
            yield runner, {"master": "local[2]", "partitions": partitions}


if __name__ == "__main__":
    main()
