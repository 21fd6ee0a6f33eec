"""Run as a program: the functions over Spark Connect, whose server is started beside it.

``python on_connect.py FOLDER`` reads visits.parquet and calls.json there, writes what each call
gives as Parquet, and what is said of a wrong argument and of a wrong row.
"""

import json
import os
import sys
from pathlib import Path

import pyarrow.parquet as pq

os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession
from pyspark.sql.connect.dataframe import DataFrame

from tanon_duck.scaling import spark


def said(call):
    """What a call that goes wrong says, one sentence."""
    try:
        call()
    except Exception as error:
        return type(error).__name__, spark.sentence(error)
    return "nothing", ""


def main(folder):
    """Every call, and what goes wrong."""
    session = (
        SparkSession.builder.remote("local[2]")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    frame = session.read.parquet(str(folder / "visits.parquet"))
    assert isinstance(frame, DataFrame)
    for name, (function, arguments) in json.loads((folder / "calls.json").read_text()).items():
        found = getattr(spark, function)(frame, **arguments)
        rows = found.toArrow() if hasattr(found, "toArrow") else found
        pq.write_table(rows, folder / f"{name}.parquet")
    nobody = frame.selectExpr("cast(null as int) as who", "zip")
    wrong = [
        said(lambda: spark.k_anonymity(frame, respondent="who", qi=["zpi"])),
        said(lambda: spark.k_anonymity(nobody, respondent="who", qi=["zip"])),
        said(lambda: spark.generalize(frame, ts="at", granularity="business_day").toArrow()),
    ]
    (folder / "said.json").write_text(json.dumps(wrong))
    session.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
