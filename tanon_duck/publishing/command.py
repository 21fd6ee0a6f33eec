"""Run ``tanon-duck stream``: begin, advance, finish or deliver a publication."""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck.algorithms import checkpoint
from tanon_duck.errors import TanonError, no_such_file
from tanon_duck.interfaces.connection import connect
from tanon_duck.interfaces.files.outputs import Output
from tanon_duck.interfaces.interruptible_query import InterruptibleRunner
from tanon_duck.interfaces.stock_shell import refuse_files_of_data
from tanon_duck.macros.header import Argument
from tanon_duck.macros.kinds.typed import split_list
from tanon_duck.publishing.beginning import publication, rehearsed
from tanon_duck.publishing.pair import OutputPair
from tanon_duck.publishing.parameters import FUNCTION, header
from tanon_duck.publishing.stream import Progress, Publication

_PAIR = ("individuals", "values")
_OWNER_ONLY = (
    "the released rows contain quasi-identifiers and sensitive values, and only the owner may "
    "read them; pass --individuals and --values to write the two tables for others"
)


def run(options: argparse.Namespace) -> int:
    """Run ``tanon-duck stream`` with parsed options; return the exit status.

    The order is fixed: begin or continue, rebase, verify, advance, finish, write files, deliver.
    """
    if options.source is None and not Path(options.database).exists():
        raise TanonError(no_such_file(options.database))
    output, pair = _output(options), _output_pair(options)
    given = {argument.name: _typed_value(options, argument) for argument in _arguments_of_command()}
    if options.dry_run or options.sql:
        return _run_dry(options, given)
    if options.whole and options.deliver is None:
        raise TanonError(
            f"tanon.{FUNCTION}: --whole must be given with --deliver, got no --deliver"
        )
    with connect(options.database) as connection:
        refuse_files_of_data(connection, options.database)
        task = partial(_run_steps, connection, options, given, output, pair)
        return _run_interruptible(connection, options, task)


def _run_steps(
    connection: duckdb.DuckDBPyConnection,
    options: argparse.Namespace,
    given: dict[str, Any],
    output: Output | None,
    pair: OutputPair | None,
) -> int:
    """Run the steps that the options name; return the exit status.

    If the options name no step, print the state of the publication.
    """
    stream = publication(connection, options.name, **given)
    if options.rebase is not None:
        stream.rebase(options.rebase)
    if options.verify:
        stream.verify()
    if options.upto is not None:
        _print_progress(options, stream.advance(options.upto, force=options.beyond_source))
    if options.finish:
        _print_progress(options, stream.finish())
    if output:
        print(f"tanon-duck: {_OWNER_ONLY}", file=sys.stderr)
        output.write(connection, stream.all_released())
    if pair:
        pair.write(connection, [stream.pair(part) for part in _PAIR])
    if options.deliver is not None:
        _deliver(stream, options)
    steps = (options.rebase, options.upto, options.deliver, output, pair)
    if all(step is None for step in steps) and not (options.verify or options.finish):
        _print_state(stream)
    return 0


def _run_interruptible(
    connection: duckdb.DuckDBPyConnection, options: argparse.Namespace, task: Callable[[], int]
) -> int:
    """Call `task` so that Ctrl-C can stop it; return its exit status.

    An interrupt raises one sentence instead of a traceback. Each step is a transaction, so that the
    database never contains half a step.
    """

    def stoppable() -> int:
        with checkpoint.stoppable():
            return task()

    runner = InterruptibleRunner(connection)
    try:
        return runner.run(stoppable)
    except duckdb.InterruptException:
        raise TanonError(
            f"interrupted; {options.name} contains every step that was complete, and no part of "
            "another"
        ) from None
    finally:
        runner.close()


def _print_state(stream: Publication) -> None:
    """Print the counts of a publication and the options that can follow."""
    manifest = stream.manifest()
    name, seen, released = stream.name, manifest["seen_upto"], manifest["released_upto"]
    print(
        f"{name}: seen up to {'nothing yet' if seen is None else seen}, "
        f"released up to {'nothing yet' if released is None else released}"
        f"{', finished' if manifest['finished'] else ''}; {manifest['records']} records in, "
        f"{manifest['published']} published, {manifest['suppressed']} suppressed; "
        f"{len(manifest['deliveries'])} deliveries"
    )
    steps = []
    if not manifest["finished"]:
        steps.append("--upto SNAPSHOT reads the complete snapshots up to it")
    if not manifest["finished"] and seen is not None:
        steps.append("--finish releases the waiting records and ends the stream")
    if released is not None:
        steps.append("--deliver DIR writes the rows that were released since the last delivery")
    print("\n".join(f"  next: {step}" for step in steps))


def _run_dry(options: argparse.Namespace, given: dict[str, Any]) -> int:
    """Run one step without storing its result; print its counts or its SQL.

    If the database file does not exist, a database in memory replaces it and no file is created.
    """
    written = (options.output, options.individuals, options.values)
    steps = (options.upto is not None, options.finish, options.deliver is not None)
    with_more = options.sql or any(value is not None for value in given.values())
    if sum(steps) != 1 or any(written) or (steps[2] and with_more):
        raise TanonError(
            f"tanon.{FUNCTION}: --dry-run and --sql must be given with one of --upto and --finish, "
            "or --dry-run with --deliver and no other step, and without files to write, "
            "got other options"
        )
    exists = Path(options.database).exists()
    with connect(options.database if exists else ":memory:") as connection:
        if exists:
            refuse_files_of_data(connection, options.database)
        return _run_interruptible(
            connection, options, partial(_print_dry_run, connection, options, given)
        )


def _print_dry_run(
    connection: duckdb.DuckDBPyConnection, options: argparse.Namespace, given: dict[str, Any]
) -> int:
    """Run one step, roll it back and print its progress or its SQL; return 0."""
    if options.sql:
        connection.execute("call enable_logging('QueryLog')")
    if options.deliver is not None:
        _deliver(publication(connection, options.name), options)
        return 0
    if options.finish:
        progress = publication(connection, options.name, **given).finish(dry_run=True)
    else:
        force = options.beyond_source
        progress = rehearsed(connection, options.name, options.upto, force, given)
    if options.sql:
        print("\n\n".join(_logged_transaction(connection)))
    else:
        _print_progress(options, progress, "would be ")
    return 0


def _logged_transaction(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the SQL statements from the first BEGIN in DuckDB's query log.

    The log also contains the queries that check arguments before the transaction; they are skipped.
    """
    logged = "select trim(message) from duckdb_logs() where type = 'QueryLog'"
    ran = [statement.removesuffix(";") for (statement,) in connection.execute(logged).fetchall()]
    first = next((at for at, statement in enumerate(ran) if statement.startswith("begin")), 0)
    return [f"{statement};" for statement in ran[first:] if statement.strip()]


def _deliver(stream: Publication, options: argparse.Namespace) -> None:
    """Write the deliveries and print one line for each of them."""
    done = stream.deliver(options.deliver, options.whole, dry_run=options.dry_run)
    would = "would be " if options.dry_run else ""
    for delivery in done:
        after = "" if delivery.after is None else f"after {delivery.after} "
        print(
            f"{delivery.folder.name}: {would}{delivery.individuals} rows {after}"
            f"up to {delivery.upto}",
            file=sys.stderr if options.output == "-" else sys.stdout,
        )
    if not done:
        print(f"{options.name}: nothing new to deliver", file=sys.stderr)


def _arguments_of_command() -> list[Argument]:
    """Return the arguments that the command line offers.

    The secret is excluded, because every user of the machine can read command lines.
    """
    return [a for a in header().arguments if a.kind.name != "secret"]


def _typed_value(options: argparse.Namespace, argument: Argument) -> Any:
    """Return the value that was typed for an argument, None without one.

    SQL checks the value later. This function only splits lists and refuses a second value.
    """
    typed = getattr(options, argument.name)
    if argument.kind.is_switch:
        return typed
    if typed is None or argument.kind.is_listed:
        return None if typed is None else split_list(typed)
    if len(typed) > 1:
        raise TanonError(f"tanon.{FUNCTION}: {argument.name} takes one value, got {len(typed)}")
    return typed[0]


def _output(options: argparse.Namespace) -> Output | None:
    """Return the file for the released rows, checked before any step runs."""
    if options.output is None:
        return None
    output = Output(None if options.output == "-" else Path(options.output), options.force)
    _raise_tanon_error(output.check)
    return output


def _output_pair(options: argparse.Namespace) -> OutputPair | None:
    """Return the files for the two tables, checked before any step runs."""
    paths = [getattr(options, name) for name in _PAIR]
    if paths == [None, None]:
        return None
    if None in paths:
        raise TanonError(
            f"tanon.{FUNCTION}: --individuals and --values must be given together, "
            "because one table is useless without the other, got one of them"
        )
    pair = OutputPair([Path(path) for path in paths], options.force)
    _raise_tanon_error(pair.check)
    return pair


def _raise_tanon_error(check: Callable[[], None]) -> None:
    """Call `check` and raise its ValueError as a TanonError."""
    try:
        check()
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None


def _print_progress(options: argparse.Namespace, progress: Progress, would: str = "") -> None:
    """Print what a step did, for example 'flu: seen up to 2024-03-02, ...'."""
    upto = progress.released_upto
    print(
        f"{options.name}: {would}seen up to {progress.seen_upto}, "
        f"released up to {'nothing yet' if upto is None else upto}; {progress.records} records in, "
        f"{progress.published} published, {progress.suppressed} suppressed",
        file=sys.stderr if options.output == "-" else sys.stdout,
    )
