"""``tanon-duck publish``: a publication moved on from the command line, for cron and the like."""

import argparse
import sys
from pathlib import Path

from tanon_duck.connection import connect
from tanon_duck.errors import TanonError, no_such_file
from tanon_duck.files.outputs import Output
from tanon_duck.persisted import refuse_files_of_data
from tanon_duck.publication.parameters import FUNCTION
from tanon_duck.publication.stream import Progress, publication
from tanon_duck.publication.tables import schema_of

HELP = "publish a stream day by day: begin it, advance it, finish it"
_ARGUMENTS = {
    "source": "the table, view, file or query in parentheses that grows",
    "ts": "the column of the time",
    "sa": "the column of the sensitive value",
    "l": "how many values must balance in a snapshot: 3, 2.5 or 5/2",
    "w": "the window: a record moves less than w snapshots",
    "granularity": "how time is cut into snapshots",
    "mu": "what moving costs: 'd', 'd^2', '2.5*d' or a table (distance, cost)",
    "beta": "what suppressing costs: a number or a table (value, cost)",
    "method": "step, window or paper",
    "start": "stream or ilp",
    "seed": "decides which of equal records moves",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("database", metavar="FILE", help="the database that holds the publication")
    parser.add_argument("name", metavar="NAME", help="the name of the publication: a schema")
    for name, meaning in _ARGUMENTS.items():
        kind = int if name in ("w", "seed") else str
        parser.add_argument(f"--{name}", help=meaning, type=kind)
    parser.add_argument("--qi", nargs="+", metavar="COLUMN", help="the quasi-identifiers")
    parser.add_argument("--upto", help="the last snapshot that is complete")
    parser.add_argument("--finish", action="store_true", help="the stream has ended: release all")
    parser.add_argument("--verify", action="store_true", help="compare all that was seen first")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the released rows, for publish_anatomy, here, - for CSV on standard output",
    )
    parser.add_argument("--force", action="store_true", help="replace the output if it exists")


def run(options: argparse.Namespace) -> int:
    """Begin or go on, advance, finish, write: what was asked for, in this order."""
    if options.source is None and not Path(options.database).exists():
        raise TanonError(no_such_file(options.database))
    output = _output(options)
    given = {name: getattr(options, name) for name in (*_ARGUMENTS, "qi")}
    with connect(options.database) as connection:
        refuse_files_of_data(connection, options.database)
        stream = publication(connection, options.name, **given)
        if options.verify:
            stream.verify()
        if options.upto is not None:
            _say(options, stream.advance(options.upto))
        if options.finish:
            _say(options, stream.finish())
        if output:
            output.write(connection, f"from {schema_of(connection, options.name)}.released")
    return 0


def _output(options: argparse.Namespace) -> Output | None:
    """Where the released rows go, checked before any work."""
    if options.output is None:
        return None
    output = Output(None if options.output == "-" else Path(options.output), options.force)
    try:
        output.check()
    except ValueError as error:
        raise TanonError(f"tanon.{FUNCTION}: {error}") from None
    return output


def _say(options: argparse.Namespace, progress: Progress) -> None:
    upto = progress.released_upto
    print(
        f"{options.name}: seen up to {progress.seen_upto}, "
        f"released up to {'nothing yet' if upto is None else upto}; {progress.records} records in, "
        f"{progress.published} published, {progress.suppressed} suppressed",
        file=sys.stderr if options.output == "-" else sys.stdout,
    )
