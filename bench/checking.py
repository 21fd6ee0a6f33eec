"""Promises in a pipeline: a policy against as many commands, from their start to their status."""

import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

import tanon_duck
from bench.harness import Bench, Contender

# Twelve visits of each person, whose postcode, age and sex stay.
_PEOPLE = """
copy (
    select
        concat('p', person) as patient, (hash(person, 1) % 90)::varchar as zip,
        (hash(person, 2) % 60)::integer as age, if(hash(person, 3) % 2 = 0, 'f', 'm') as sex,
        timestamp '2024-01-01' + to_minutes((hash(i, 4) % 500000)::bigint) as seen,
        concat('d', hash(i, 5) % 20) as diagnosis
    from (select i, hash(i) % ($rows // 12) as person from range($rows) as r(i))
) to '{path}' (format parquet)
"""
_WHOM = {"respondent": "patient"}
_PROMISES: list[tuple[str, dict[str, object]]] = [
    ("k_anonymity", {**_WHOM, "qi": ["zip"], "k": 5}),
    ("k_anonymity", {**_WHOM, "qi": ["zip", "sex"], "k": 5}),
    ("k_anonymity", {**_WHOM, "qi": ["zip", "sex"], "k": 11}),
    ("k_anonymity", {**_WHOM, "qi": ["zip", "age", "sex"], "k": 2}),
    ("k_anonymity", {**_WHOM, "qi": ["sex"], "ts": "seen", "granularity": "month", "k": 20}),
    ("k_anonymity", {**_WHOM, "qi": ["zip"], "ts": "seen", "granularity": "month", "k": 5}),
    ("k_anonymity", {**_WHOM, "qi": ["sex"], "ts": "seen", "granularity": "week", "k": 5}),
    ("l_diversity_violations", {"groups": ["zip"], "sensitive": "diagnosis", "l": 2}),
    ("l_diversity_violations", {"groups": ["zip", "sex"], "sensitive": "diagnosis", "l": 3}),
    ("l_diversity_violations", {"groups": ["age"], "sensitive": "diagnosis", "l": 3}),
]


def run(bench: Bench) -> None:
    bench.compare(
        "ten promises about one Parquet file",
        setup=_File,
        contenders=[
            Contender("tanon-duck check", _File.policy, "ours", runs=1, memory=False),
            Contender("the ten commands", _File.commands, "baseline", runs=1, memory=False),
        ],
        sizes=[1_000_000, 10_000_000],
        quick_sizes=[4_000],
    )


class _File:
    """A table of visits in a file, and the promises as a policy and as commands."""

    def __init__(self, rows: int) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._visits = Path(self._folder.name, "visits.parquet")
        self._policy = Path(self._folder.name, "policy.toml")
        tanon_duck.connect().close()  # the first of a version makes the file of functions
        with duckdb.connect() as con:
            con.execute(_PEOPLE.format(path=self._visits), {"rows": rows})
        self._policy.write_text("[relation.visits]\nfile = 'visits.parquet'\n" + _checks())

    def policy(self) -> None:
        _tanon_duck("check", str(self._policy))

    def commands(self) -> None:
        for function, arguments in _PROMISES:
            options = [
                word
                for name, value in arguments.items()
                for word in (f"--{name}", ",".join(value) if isinstance(value, list) else value)
            ]
            _tanon_duck(function, str(self._visits), *map(str, options))

    def close(self) -> None:
        self._folder.cleanup()


def _checks() -> str:
    parts = []
    for function, arguments in _PROMISES:
        lines = [f"{name} = {value!r}" for name, value in arguments.items()]
        parts += ["[[check]]", "relation = 'visits'", f"function = '{function}'", *lines]
    return "\n".join(parts)


def _tanon_duck(*arguments: str) -> None:
    """A command that tells: that a promise does not hold is an answer, 2 is none."""
    ran = subprocess.run(
        [sys.executable, "-m", "tanon_duck", *arguments], capture_output=True, text=True
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(ran.stderr)
