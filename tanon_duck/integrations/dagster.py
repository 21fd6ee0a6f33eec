"""A check as an asset check of Dagster; a blocking one stops what is downstream.

``k_anonymous = asset_check(visits, connect, "k_anonymity_violations", source="visits", ...)``
"""

from collections.abc import Callable
from typing import Any

import duckdb
from dagster import AssetCheckResult, AssetChecksDefinition
from dagster import asset_check as dagster_check

from tanon_duck.checking import running
from tanon_duck.errors import TanonError
from tanon_duck.interfaces.connection import install


def asset_check(
    asset: Any,
    connect: Callable[[], duckdb.DuckDBPyConnection],
    function: str,
    *,
    name: str = "",
    blocking: bool = True,
    min_rows: int | None = None,
    allow_empty: bool = False,
    **arguments: Any,
) -> AssetChecksDefinition:
    """What a check promises of an asset; its figures are the metadata, never a value."""
    running.check_named(function, arguments)
    least = running.least_rows(min_rows, allow_empty)

    @dagster_check(asset=asset, name=name or function, blocking=blocking)
    def checked() -> AssetCheckResult:
        with connect() as connection:
            install(connection)
            result = running.run(connection, function, arguments, least=least)
        if result.holds is None:
            raise TanonError(result.message)
        told = {f.name: f.value for f in result.figures if f.value is not None}
        metadata = told | {"rows that break it": result.failing}
        return AssetCheckResult(
            passed=result.holds, description=result.explained(), metadata=metadata
        )

    return checked
