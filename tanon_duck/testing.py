"""Assertions for tests, one for each check.

``assert_k_anonymous(con, "release", respondent="patient", qi=["zip"], k=5)``. A check of violations
is ``assert_no_<check>``, any other ``assert_<check>``. ``dir(tanon_duck.testing)`` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb

from tanon_duck.checking import running
from tanon_duck.checking.results import Result
from tanon_duck.errors import TanonError, nearest
from tanon_duck.interfaces import policy_check
from tanon_duck.interfaces.connection import install
from tanon_duck.macros import catalog

# Shorter names of common checks.
_SHORT_NAMES = {
    "assert_k_anonymous": "k_anonymity",
    "assert_l_diverse": "l_diversity_violations",
    "assert_kp_anonymous": "series_violations",
}
_ENDING = "_violations"


class Assertions:
    """All assertions; ``show_values`` decides whether failures show values of rows."""

    def __init__(self, show_values: bool = False) -> None:
        self.show_values = show_values

    def assert_holds(
        self,
        connection: duckdb.DuckDBPyConnection,
        function: str,
        relation: str | None = None,
        /,
        *,
        min_rows: int | None = None,
        allow_empty: bool = False,
        **arguments: Any,
    ) -> Result:
        """Run a check and return its result; raise AssertionError if it does not hold.

        A table with fewer rows than ``min_rows``, or without any, raises a TanonError.
        """
        __tracebackhide__ = True
        main = catalog.function(function).header.relations()[:1]
        if relation is not None and main:
            arguments = {main[0].name: relation} | arguments
        least = running.least_rows(min_rows, allow_empty)
        install(connection)
        result = running.run(connection, function, arguments, values=self.show_values, least=least)
        if result.holds is None:
            raise TanonError(result.message)
        if not result.holds:
            raise AssertionError(self._failure_message(result))
        return result

    def assert_policy(self, connection: duckdb.DuckDBPyConnection, policy: Any) -> None:
        """Check a policy, a path or a mapping; raise AssertionError if a promise does not hold."""
        __tracebackhide__ = True
        install(connection)
        report = policy_check.check(connection, policy, values=self.show_values)
        if not report.holds:
            raise AssertionError(str(report))

    def __getattr__(self, name: str) -> Callable[..., Result]:
        function = function_of(name)

        def assertion(
            connection: duckdb.DuckDBPyConnection, relation: str | None = None, /, **arguments: Any
        ) -> Result:
            __tracebackhide__ = True
            return self.assert_holds(connection, function, relation, **arguments)

        assertion.__name__ = name
        assertion.__doc__ = catalog.function(function).header.summary
        return assertion

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *names()})

    def _failure_message(self, result: Result) -> str:
        lines = [f"tanon.{result.function} does not hold: {result.explained()}"]
        given = (f"{name}={value!r}" for name, value in result.arguments.items())
        lines.append(f"  of {', '.join(given)}")
        for row in result.rows:
            pairs = zip(result.columns, row, strict=True)
            lines.append("  " + ", ".join(f"{name} = {value}" for name, value in pairs))
        if left := result.failing - len(result.rows):
            more = "more rows" if result.rows else "rows, not shown: they may be values of people"
            lines.append(f"  {left} {more}")
        return "\n".join(lines)


def names() -> dict[str, str]:
    """Return each assertion name with the name of its check."""
    plain = {
        f"assert_no_{name}" if name.endswith(_ENDING) else f"assert_{name}": name
        for name in running.checks()
    }
    return plain | _SHORT_NAMES


def function_of(name: str) -> str:
    """Return the check of an assertion; raise AttributeError for an unknown name."""
    if not name.startswith("assert_"):
        raise AttributeError(name)
    known = names()
    if name not in known:
        raise AttributeError(f"there is no {name}{nearest(name, known)}")
    return known[name]


def __getattr__(name: str) -> Any:
    function_of(name)
    return getattr(Assertions(show_values=False), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *names()})
