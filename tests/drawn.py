"""Choose how many random cases a test draws, and which tests form the quick tier.

An everyday run draws few cases. `TANON_TEST_LONG=1` draws all of them, and `TANON_TEST_LONG=3/10`
draws all of them for the third tenth of the tests. `.ci/run` takes another tenth for each commit.
"""

import json
import os
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

CHOSEN = os.environ.get("TANON_TEST_LONG", "")
# Mean CPU seconds of one item of each test function, as `pytest --renew-durations` measured them.
DURATIONS = Path(__file__).with_name("durations.json")
BUDGET = 1.0  # CPU seconds that the seeds of one test function may take in an everyday run
QUICK = 0.15  # CPU seconds that one seed may take in the quick tier

_running = ""  # the test that runs now


def is_long(name: str = "") -> bool:
    """Return whether the test with this name draws all its cases; by default the running test."""
    if "/" not in CHOSEN:
        return bool(CHOSEN)
    part, parts = map(int, CHOSEN.split("/"))
    return zlib.crc32((name or _running).encode()) % parts == part % parts


def start(name: str) -> None:
    """Note the test that runs now."""
    global _running
    _running = name


def examples(count: int) -> Callable[[Any], Any]:
    """Return the Hypothesis settings of a test: a third of the examples in an everyday run."""

    def decorate(test: Any) -> Any:
        chosen = count if is_long(test.__qualname__) else -(-count // 3)
        return settings(derandomize=True, deadline=None, max_examples=chosen)(test)

    return decorate


def function_of(item: pytest.Item) -> str:
    """Return the name of a test function: the node id without the parameters."""
    return item.nodeid.partition("[")[0]


def is_seed(item: pytest.Item) -> bool:
    """Return whether a test is one of many random cases: it has a parameter named seed."""
    return "seed" in getattr(getattr(item, "callspec", None), "params", {})


def choose(items: Iterable[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Split tests into those that run and those that only a long run takes.

    A test function keeps the first seeds that fit in the budget, and at least one. The first seed
    becomes part of the quick tier if it is short. A sweep, which asks all functions the same,
    keeps every third of its questions.
    """
    seconds: dict[str, float] = json.loads(DURATIONS.read_text())
    seen: Counter[str] = Counter()
    run: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        function = function_of(item)
        if is_seed(item):
            each = seconds.get(function, 0.0)
            if not seen[function] and each <= QUICK:
                item.add_marker(pytest.mark.quick)
            seen[function] += 1
            if seen[function] > 1 and seen[function] * each > BUDGET and not is_long(item.nodeid):
                left.append(item)
                continue
        elif _is_left_out(item):
            left.append(item)
            continue
        run.append(item)
    return run, left


def _is_left_out(item: pytest.Item) -> bool:
    """Return whether an everyday run leaves out this question of a sweep."""
    is_of_others = zlib.crc32(item.nodeid.encode()) % 3 != 0
    return bool(item.get_closest_marker("sweep")) and is_of_others and not is_long(item.nodeid)


class Durations:
    """Measure the CPU seconds of tests, and write the mean of each test function to a file."""

    def __init__(self) -> None:
        self._measured: dict[str, list[float]] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        begun = _cpu_seconds()
        result = yield
        self._measured.setdefault(function_of(item), []).append(_cpu_seconds() - begun)
        return result

    def pytest_sessionfinish(self) -> None:
        found = json.loads(DURATIONS.read_text())
        found |= {name: sum(all_) / len(all_) for name, all_ in self._measured.items()}
        written = {name: round(each, 3) for name, each in sorted(found.items()) if each >= 0.005}
        DURATIONS.write_text(json.dumps(written, indent=0) + "\n")


def _cpu_seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system
