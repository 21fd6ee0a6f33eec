"""Run the command ``tanon-duck check``: check a policy and write the report."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from tanon_duck.checking import formats, ratchet, schema
from tanon_duck.checking.policy import Policy
from tanon_duck.checking.results import Report
from tanon_duck.errors import NotToldError, TanonError, nearest, one_line
from tanon_duck.interfaces import policy_check
from tanon_duck.interfaces.connection import connect
from tanon_duck.interfaces.files.outputs import half_written
from tanon_duck.interfaces.progress_bar import run_with_bar


def run(options: argparse.Namespace) -> int:
    """Check the policy, write the report, and return its exit status."""
    if options.schema:
        print(json.dumps(schema.schema(), indent=2, ensure_ascii=False))
        return 0
    try:
        _refuse_wrong(options)
        policy = policy_check.read_policy(Path(options.policy))
        if options.sql:
            with _connection(policy) as connection:
                print("\n".join(policy_check.queries(connection, policy)), end="")
            return 0
        report = _report(policy, options)
        _write(report, options)
    except (TanonError, duckdb.Error, OSError, ValueError) as error:
        raise NotToldError(one_line(error)) from None
    return report.status


def _refuse_wrong(options: argparse.Namespace) -> None:
    if options.policy is None:
        raise TanonError("POLICY is missing: the TOML file that says what is promised")
    if options.format not in formats.FORMATS:
        known = ", ".join(formats.FORMATS)
        hint = nearest(options.format, formats.FORMATS)
        raise TanonError(f"--format must be one of {known}, got {options.format}{hint}")
    if options.force and not options.record:
        raise TanonError("--force must come with --record")


def _report(policy: Policy, options: argparse.Namespace) -> Report:
    assert policy.path is not None, "read from a file"
    state = ratchet.state_path(policy.path)
    with _connection(policy) as connection:
        return run_with_bar(
            connection,
            lambda: policy_check.run(
                connection,
                policy,
                values=options.show_values,
                state=state,
                record=options.record,
                force=options.force,
            ),
            options.quiet,
        )


@contextmanager
def _connection(policy: Policy) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the database of the policy read-only, or an empty database for its files."""
    database = str(policy.folder / policy.database) if policy.database else ":memory:"
    if policy.database and not Path(database).is_file():
        raise TanonError(f"{policy.path}: there is no database {database}")
    with connect(database, read_only=bool(policy.database)) as connection:
        connection.execute("set python_enable_replacements = false")
        yield connection


def _write(report: Report, options: argparse.Namespace) -> None:
    text = formats.written(report, options.format)
    if options.output:
        with half_written(Path(options.output)) as path:
            path.write_text(text, encoding="utf-8")
    elif not options.quiet:
        sys.stdout.write(text)
        sys.stdout.flush()
