"""Run as a program: releases on a cluster of two executors, of which one is killed at its work.

``python on_cluster.py FOLDER`` reads visits.parquet there, writes a folder for each release and
each death, and a file beside it that tells who died.
"""

import json
import os
import signal
import sys
from pathlib import Path

import pyspark

os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)  # starts the executors
os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession

from tanon_duck.scaling import over_spark, spark

DEATHS = ("worker", "executor")


def deadly(kind, marker):
    """Tasks of which the first that makes rows of a release kills somebody, once."""
    made = over_spark.task

    def task(work, memory):
        each, last = made(work, memory), bool(work.query)

        def once(batches):
            if last:
                die_once(kind, marker)
            return each(batches)

        return once

    return task


def die_once(kind, marker):
    """Only one task can make the file."""
    try:
        file = os.open(marker, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
    except FileExistsError:
        return
    victim = os.getpid()
    if kind == "executor":  # the JVM that started the daemon that started this worker
        daemon = Path(f"/proc/{os.getppid()}/stat").read_text()
        victim = int(daemon.rpartition(")")[2].split()[1])
    what = Path(f"/proc/{victim}/cmdline").read_text().replace("\0", " ")
    if kind == "executor" and "CoarseGrainedExecutorBackend" not in what:
        raise AssertionError(f"no executor: {what[:200]}")
    os.write(file, what.encode())
    os.close(file)
    os.kill(victim, signal.SIGKILL)


def main(folder):
    """Every release with every death."""
    calls = json.loads((folder / "calls.json").read_text())
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.executor.memory", "1024m")
        .config("spark.local.dir", str(folder / "local"))
        .getOrCreate()
    )
    frame = session.read.parquet(str(folder / "visits.parquet"))
    made = over_spark.task
    for function, arguments in calls.items():
        for kind in DEATHS:
            name = f"{function}-{kind}"
            over_spark.task = deadly(kind, str(folder / f"{name}.died"))
            getattr(spark, function)(frame, partitions=4, into=folder / name, **arguments)
            over_spark.task = made
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
