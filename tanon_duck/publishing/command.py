"""``tanon-duck stream``: a publication moved on from the command line, for cron and the like."""

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
_FOR_THE_OWNER = (
    "the released rows hold quasi-identifiers beside values and are for the owner alone; "
    "--individuals and --values write the two tables for others"
)


def run(options: argparse.Namespace) -> int:
    """Begin or go on, rebase, verify, advance, finish, write: what was asked for, in this order."""
    if options.source is None and not Path(options.database).exists():
        raise TanonError(no_such_file(options.database))
    output, pair = _output(options), _pair(options)
    given = {argument.name: _given(options, argument) for argument in _typed()}
    if options.dry_run or options.sql:
        return _rehearse(options, given)
    if options.whole and options.deliver is None:
        raise TanonError(f"tanon.{FUNCTION}: --whole must be given with --deliver, got it alone")
    with connect(options.database) as connection:
        refuse_files_of_data(connection, options.database)
        work = partial(_steps, connection, options, given, output, pair)
        return _interruptible(connection, options, work)


def _steps(
    connection: duckdb.DuckDBPyConnection,
    options: argparse.Namespace,
    given: dict[str, Any],
    output: Output | None,
    pair: OutputPair | None,
) -> int:
    """Run the steps that the options name, in their order; return the exit status."""
    stream = publication(connection, options.name, **given)
    if options.rebase is not None:
        stream.rebase(options.rebase)
    if options.verify:
        stream.verify()
    if options.upto is not None:
        _say(options, stream.advance(options.upto, force=options.beyond_source))
    if options.finish:
        _say(options, stream.finish())
    if output:
        print(f"tanon-duck: {_FOR_THE_OWNER}", file=sys.stderr)
        output.write(connection, stream.all_released())
    if pair:
        pair.write(connection, [stream.pair(part) for part in _PAIR])
    if options.deliver is not None:
        _deliver(stream, options)
    steps = (options.rebase, options.upto, options.deliver, output, pair)
    if all(step is None for step in steps) and not (options.verify or options.finish):
        _tell(stream)
    return 0


def _interruptible(
    connection: duckdb.DuckDBPyConnection, options: argparse.Namespace, work: Callable[[], int]
) -> int:
    """Return the exit status of the work; raise one sentence if Ctrl-C stops the work."""

    def stoppable() -> int:
        with checkpoint.stoppable():
            return work()

    runner = InterruptibleRunner(connection)
    try:
        return runner.run(stoppable)
    except duckdb.InterruptException:
        raise TanonError(
            f"interrupted; {options.name} has every step that was complete, and no part of another"
        ) from None
    finally:
        runner.close()


def _tell(stream: Publication) -> None:
    """The state of a publication and what can be done next, where nothing was asked for."""
    kept = stream.manifest()
    name, seen, released = stream.name, kept["seen_upto"], kept["released_upto"]
    print(
        f"{name}: seen up to {'nothing yet' if seen is None else seen}, "
        f"released up to {'nothing yet' if released is None else released}"
        f"{', finished' if kept['finished'] else ''}; {kept['records']} records in, "
        f"{kept['published']} published, {kept['suppressed']} suppressed; "
        f"{len(kept['deliveries'])} deliveries"
    )
    steps = []
    if not kept["finished"]:
        steps.append("--upto SNAPSHOT takes in what is complete up to it")
    if not kept["finished"] and seen is not None:
        steps.append("--finish releases what waits and ends the stream")
    if released is not None:
        steps.append("--deliver DIR writes what was released since the last delivery")
    print("\n".join(f"  next: {step}" for step in steps))


def _rehearse(options: argparse.Namespace, given: dict[str, Any]) -> int:
    """Say what would be; a database that is not there stays so."""
    written = (options.output, options.individuals, options.values)
    steps = (options.upto is not None, options.finish, options.deliver is not None)
    with_more = options.sql or any(value is not None for value in given.values())
    if sum(steps) != 1 or any(written) or (steps[2] and with_more):
        raise TanonError(
            f"tanon.{FUNCTION}: --dry-run and --sql must be given with one of --upto and --finish, "
            "or --dry-run with --deliver alone, and without files to write, got other options"
        )
    there = Path(options.database).exists()
    with connect(options.database if there else ":memory:") as connection:
        if there:
            refuse_files_of_data(connection, options.database)
        return _interruptible(
            connection, options, partial(_rehearsed_steps, connection, options, given)
        )


def _rehearsed_steps(
    connection: duckdb.DuckDBPyConnection, options: argparse.Namespace, given: dict[str, Any]
) -> int:
    """Run a step, take it back, and print its progress or its SQL; return the exit status."""
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
        print("\n\n".join(_transaction(connection)))
    else:
        _say(options, progress, "would be ")
    return 0


def _transaction(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The statements of what was rehearsed, the looking at arguments in front of it aside."""
    logged = "select trim(message) from duckdb_logs() where type = 'QueryLog'"
    ran = [statement.removesuffix(";") for (statement,) in connection.execute(logged).fetchall()]
    first = next((at for at, statement in enumerate(ran) if statement.startswith("begin")), 0)
    return [f"{statement};" for statement in ran[first:] if statement.strip()]


def _deliver(stream: Publication, options: argparse.Namespace) -> None:
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


def _typed() -> list[Argument]:
    """All but the secret, which everybody on the machine would see."""
    return [a for a in header().arguments if a.kind.name != "secret"]


def _given(options: argparse.Namespace, argument: Argument) -> Any:
    """What was typed for an argument; SQL judges it."""
    typed = getattr(options, argument.name)
    if argument.kind.is_switch:
        return typed
    if typed is None or argument.kind.is_listed:
        return None if typed is None else split_list(typed)
    if len(typed) > 1:
        raise TanonError(f"tanon.{FUNCTION}: {argument.name} takes one value, got {len(typed)}")
    return typed[0]


def _output(options: argparse.Namespace) -> Output | None:
    """Where the released rows go, checked before any work."""
    if options.output is None:
        return None
    output = Output(None if options.output == "-" else Path(options.output), options.force)
    _check(output.check)
    return output


def _pair(options: argparse.Namespace) -> OutputPair | None:
    """Where the two tables for others go, checked before any work."""
    paths = [getattr(options, name) for name in _PAIR]
    if paths == [None, None]:
        return None
    if None in paths:
        raise TanonError(
            f"tanon.{FUNCTION}: --individuals and --values must be given together, "
            "as one without the other says nothing, got one of them"
        )
    pair = OutputPair([Path(path) for path in paths], options.force)
    _check(pair.check)
    return pair


def _check(check: Callable[[], None]) -> None:
    try:
        check()
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None


def _say(options: argparse.Namespace, progress: Progress, would: str = "") -> None:
    upto = progress.released_upto
    print(
        f"{options.name}: {would}seen up to {progress.seen_upto}, "
        f"released up to {'nothing yet' if upto is None else upto}; {progress.records} records in, "
        f"{progress.published} published, {progress.suppressed} suppressed",
        file=sys.stderr if options.output == "-" else sys.stdout,
    )
