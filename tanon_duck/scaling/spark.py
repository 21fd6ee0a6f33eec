"""The functions over Spark DataFrames (docs/guides/spark.md).

Each has the name and the arguments of its SQL, its relation being a DataFrame, and besides
``partitions`` (how many shards), ``by`` ('respondent': whole respondents instead of whole groups
in a shard), ``task_memory`` (of each task, outside the JVM), ``into`` and ``overwrite`` (a folder
that appears as a whole). Rows come back as a DataFrame, counts as a small ``pyarrow.Table``.
A function of single values gives the DataFrame with one more column, by its own name or another:
``spark.sax(df, series="readings", level=4, column="word")``.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import pyarrow as pa

from tanon_duck.errors import TanonError, missing_argument, must_be, unknown_function
from tanon_duck.interfaces.connection import connect
from tanon_duck.macros import catalog
from tanon_duck.scaling import folders, levels, over_spark, plans, values
from tanon_duck.scaling import parquet as files
from tanon_duck.scaling.calls import Relation
from tanon_duck.scaling.over_spark import sentence as sentence
from tanon_duck.scaling.parquet import Parquet
from tanon_duck.scaling.shard import ROWS, types


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("_"):
        raise AttributeError(name)
    if name not in catalog.functions():
        raise TanonError(unknown_function(name, catalog.functions()))
    return partial(_column if catalog.function(name).is_scalar else _call, name)


def parquet(session: Any, paths: str | Path | Sequence[str | Path]) -> Parquet:
    """Parquet files, in place of a DataFrame of them: each task reads its part by a DuckDB.

    The driver and all executors must see the files under one name, and the files must stay as they
    are until what comes of them is read. Types are those that DuckDB reads.
    """
    if not over_spark.packs(session.range(0)):
        allowed = "read as a DataFrame before Spark 4.1"
        raise TanonError(must_be("spark", "paths", allowed, repr(paths)))
    return files.named(session, paths, ROWS)


def _call(
    function: str,
    df: Any = None,
    *,
    partitions: int | None = None,
    by: str | None = None,
    task_memory: str = "1GB",
    into: str | Path | None = None,
    overwrite: bool = False,
    **arguments: Any,
) -> Any:
    relation = plans.relation_of(catalog.function(function))
    df = arguments.pop(relation, df)
    if df is None:
        raise TanonError(missing_argument(function, relation, "a DataFrame of Spark"))
    if partitions is None and isinstance(df, Parquet):
        partitions = df.tasks
    elif partitions is None:
        partitions = int(df.sparkSession.conf.get("spark.sql.shuffle.partitions"))
    if not isinstance(partitions, int) or partitions < 1:
        raise TanonError(must_be(function, "partitions", "an integer > 0", repr(partitions)))
    relations = {k: _as_arrow(v) for k, v in arguments.items() if _is_rows(v)}
    own = {k: v for k, v in arguments.items() if k not in relations}
    settings = {"TimeZone": df.sparkSession.conf.get("spark.sql.session.timeZone")}
    runner = over_spark.SparkRunner(df, partitions, task_memory)
    try:
        with levels.call(runner, function, _relation(df), own, relations, settings, by) as call:
            runner.holds = call.reads_again()
            answer = call.answer()
        if into is None:
            return answer.left if answer.rows is None else answer.rows
        if answer.rows is not None:
            wanted = "left out where counts come back"
            raise TanonError(must_be(function, "into", wanted, repr(into)))
        return _written(answer.left, into, overwrite)
    finally:
        runner.free_stored_rows()


def _column(
    function: str,
    df: Any = None,
    *,
    column: str | None = None,
    task_memory: str = "1GB",
    **arguments: Any,
) -> Any:
    """Return the DataFrame with one more column, the result of a scalar function."""
    if df is None:
        raise TanonError(missing_argument(function, "df", "a DataFrame of Spark"))
    name = column or function
    call = values.expression(catalog.function(function), arguments, df.columns)
    found = values.described(_relation(df).create, call, name)
    settings = {"TimeZone": df.sparkSession.conf.get("spark.sql.session.timeZone")}
    made = values.task(call, over_spark.stored(found), name, task_memory, settings)
    return df.mapInArrow(made, over_spark.spark_schema(found))


def _relation(df: Any) -> Relation:
    """Describe the DataFrame's columns for DuckDB without reading a row."""
    if isinstance(df, Parquet):
        return Relation(df.create, tuple(df.columns))
    empty = df.limit(0).toArrow()
    with connect() as scratch:
        scratch.register("arriving", empty)
        scratch.execute(f"create temp table {ROWS} as from arriving")
        _, create = types(scratch, ROWS)
    return Relation(create, tuple(empty.column_names))


def _is_rows(value: Any) -> bool:
    """Return whether a value is a DataFrame or Parquet files."""
    return isinstance(value, pa.Table) or hasattr(value, "toArrow")


def _as_arrow(value: Any) -> pa.Table:
    """Return a small relation, such as a calendar, as an Arrow table."""
    return value if isinstance(value, pa.Table) else value.toArrow()


def _written(release: Any, into: str | Path, overwrite: bool) -> Path:
    """Write the release into a folder that all machines see under one name."""
    if "://" in str(into):
        allowed = "a folder that this machine and the executors see; elsewhere write the DataFrame"
        raise TanonError(must_be("spark", "into", allowed, repr(str(into))))
    with folders.whole(into, overwrite) as folder:
        try:
            release.write.mode("overwrite").parquet(folder.as_uri())
        except Exception as error:
            raise TanonError(sentence(error)) from None
        for file in list(folder.iterdir()):
            if file.name.startswith("part-") and file.suffix == ".parquet":
                file.rename(folder / f"part-{token_hex(8)}.parquet")
            else:
                file.unlink()
    return Path(into)
