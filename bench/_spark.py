"""What is measured of a Spark on this machine: CPU of each part, shuffles, memory of a task."""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")


def _stats() -> dict[int, tuple[str, list[str]]]:
    """The name of every process, and what /proc tells behind it: state, parent, ..."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                before, _, behind = (entry / "stat").read_text().rpartition(")")
            except OSError:
                continue
            found[int(entry.name)] = before.partition("(")[2], behind.split()
    return found


def tree(root: int) -> dict[int, tuple[str, list[str]]]:
    """A process and each below it."""
    stats = _stats()
    wanted, found = {root}, 0
    while found != len(wanted):
        found = len(wanted)
        wanted |= {process for process, (_, f) in stats.items() if int(f[1]) in wanted}
    return {process: stats[process] for process in wanted if process in stats}


def fields_of_tree(root: int) -> list[list[str]]:
    """What /proc tells of a process and of each below it, behind its name."""
    return [fields for _, fields in tree(root).values()]


def cpu() -> dict[str, float]:
    """Seconds of this process, of JVMs and of the processes below those, with what has ended."""
    found: dict[str, float] = defaultdict(float)
    for process, (name, fields) in tree(os.getpid()).items():
        own, ended = (sum(map(int, fields[a : a + 2])) / _TICKS for a in (11, 13))
        if process == os.getpid():
            found["driver"] += own
            found["ended"] += ended
        else:
            found["jvm" if name == "java" else "workers"] += own + ended * (name != "java")
    return found


def peak() -> int:
    """The most resident memory in MB of a Python worker so far; of this process without any."""
    peaks = {}
    for process, (name, _) in tree(os.getpid()).items():
        try:
            status = Path(f"/proc/{process}/status").read_text()
        except OSError:
            continue
        if name != "java" and "VmHWM:" in status:
            peaks[process] = int(status.partition("VmHWM:")[2].split()[0]) >> 10
    own = peaks.pop(os.getpid(), 0)
    return max(peaks.values(), default=own)


def session(master: str, partitions: int, events: Path) -> Any:
    """A Spark that writes down what its tasks did."""
    import pyspark
    from pyspark.sql import SparkSession

    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)  # starts executors of a cluster
    os.environ["PYSPARK_PYTHON"] = sys.executable
    events.mkdir(exist_ok=True)
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "3g",
        "spark.executor.memory": "1024m",
        # One core or two would choose different collectors.
        "spark.executor.extraJavaOptions": "-XX:+UseSerialGC",
        "spark.local.dir": str(events.parent),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": events.as_uri(),
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def shuffled(events: Path) -> Iterator[tuple[float, int]]:
    """When each task ended, in seconds, and how many bytes it wrote for another stage."""
    for file in events.rglob("*"):
        if not file.is_file() or file.name.startswith("."):
            continue
        for line in file.read_text().splitlines():
            if '"SparkListenerTaskEnd"' in line:
                event = json.loads(line)
                written = (event.get("Task Metrics") or {}).get("Shuffle Write Metrics", {})
                yield event["Task Info"]["Finish Time"] / 1000, written["Shuffle Bytes Written"]
