"""The pytest plugin: a fixture ``tanon`` with an assertion for each check.

Every test run with the package installed loads this file, so that it imports nothing but pytest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tanon_duck.testing import Assertions


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--tanon-values``: without it, failures show no values, as build logs are shared."""
    parser.getgroup("tanon_duck").addoption(
        "--tanon-values",
        action="store_true",
        help="show the rows that break a promise, which may be values of people",
    )


@pytest.fixture
def tanon(request: pytest.FixtureRequest) -> Assertions:
    """Return the assertions: ``tanon.assert_k_anonymous(con, "release", "patient", "zip", 5)``."""
    from tanon_duck.testing import Assertions

    return Assertions(show_values=bool(request.config.getoption("--tanon-values")))
