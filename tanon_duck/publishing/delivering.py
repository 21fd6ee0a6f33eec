"""Deliver the two tables for others: one folder for each delivery.

The publication stores a plan before any file is written. It marks the plan as delivered after the
complete folder has its final name. If the process is killed in between, the next call writes the
same rows under the same name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tanon_duck import secret
from tanon_duck.accounting import manifest
from tanon_duck.accounting.call import columns_of, plain_name
from tanon_duck.errors import TanonError
from tanon_duck.interfaces.files.outputs import write_table
from tanon_duck.interfaces.files.release_folder import bytes_of
from tanon_duck.interfaces.temporary_folders import workshop
from tanon_duck.publishing.delivered_stream import Stream
from tanon_duck.publishing.names import tables_of
from tanon_duck.publishing.parameters import FUNCTION, Parameters, refuse
from tanon_duck.quoting import Quoted, identifier

PARTS = ("individuals", "values")
ENDINGS = (".parquet", ".csv")
_MANIFEST_FILE = "manifest.json"
_MANIFEST_PARAMETERS = (
    "l", "w", "granularity", "move_cost", "suppress_cost", "method", "start", "lateness", "repeats",
)  # fmt: skip


@dataclass(frozen=True)
class Delivery:
    """One delivered folder: its snapshots and the row counts of both tables."""

    number: int
    after: Any
    upto: Any
    folder: Path
    individuals: int
    values: int


@dataclass(frozen=True)
class _Plan:
    """The snapshots of a delivery that is not written yet."""

    number: int
    after: Any
    upto: Any
    ending: str


def deliver(stream: Stream, folder: Path, whole: bool, ending: str) -> list[Delivery]:
    """Complete open plans, then deliver the new rows, or all rows if `whole`."""
    _refuse_arguments(folder, ending)
    with stream.step():
        stream.tables.run("deliveries")
    done = [_carry_out(stream, folder, plan) for plan in _open_plans(stream)]
    if plan := _next_plan(stream, whole, ending):
        done.append(_carry_out(stream, folder, plan, is_new=True))
    return done


def rehearse(stream: Stream, folder: Path, whole: bool, ending: str) -> list[Delivery]:
    """Return the deliveries that `deliver` would write; write and store nothing."""
    _refuse_arguments(folder, ending)
    with stream.step(commit=False):
        stream.tables.run("deliveries")
        plans = _open_plans(stream)
        if plan := _next_plan(stream, whole, ending):
            plans.append(plan)
    return [_planned_delivery(stream, folder, plan) for plan in plans]


def _planned_delivery(stream: Stream, folder: Path, plan: _Plan) -> Delivery:
    """Compute and check a planned delivery without writing files."""
    with _planned_tables(stream, plan) as tables:
        check, values = stream.check_of(*(str(tables[part]) for part in PARTS))
        manifest.checked(stream.tables.connection, FUNCTION, check, values)
        rows = {
            part: manifest.described(stream.tables.connection, tables[part])["rows"]
            for part in PARTS
        }
    return Delivery(plan.number, plan.after, plan.upto, _folder_of(stream, folder, plan), **rows)


def deliveries(stream: Stream) -> list[manifest.Manifest]:
    """Return the manifests of all completed deliveries, oldest first."""
    tables = tables_of(stream.tables.connection, stream.name) or set()
    if "deliveries" not in tables:
        return []
    query = (
        "select manifest from {{ schema }}.deliveries where delivered is not null "
        'order by "number" asc nulls last'
    )
    return [json.loads(record) for (record,) in stream.tables.rows(query)]


def _refuse_arguments(folder: Path, ending: str) -> None:
    """Raise if the folder does not exist or the file ending is unknown."""
    if not folder.is_dir():
        raise refuse("folder", "a folder that exists", str(folder))
    if ending not in ENDINGS:
        raise refuse("ending", f"one of {', '.join(ENDINGS)}", ending)


def _open_plans(stream: Stream) -> list[_Plan]:
    """Return the plans whose delivery was not completed, oldest first."""
    query = (
        'select "number", "after", upto, ending from {{ schema }}.deliveries '
        'where delivered is null order by "number" asc nulls last'
    )
    return [_Plan(*row) for row in stream.tables.rows(query)]


def _next_plan(stream: Stream, whole: bool, ending: str) -> _Plan | None:
    """Return the plan of the next delivery; None if nothing new was released."""
    released = stream.tables.record("manifest")["released_upto"]
    ((last, number),) = stream.tables.rows(
        'select max(upto), coalesce(max("number"), 0) + 1 from {{ schema }}.deliveries'
    )
    if released is None or (last is not None and released <= last and not whole):
        return None
    return _Plan(number, None if whole else last, released, ending)


def _store_plan(stream: Stream, plan: _Plan) -> None:
    """Store a plan before its files are written."""
    with stream.step():
        stream.tables.rows(
            'insert into {{ schema }}.deliveries ("number", "after", upto, ending) '
            "values ($number, $after, $upto, $ending)",
            **asdict(plan),
        )


def _carry_out(stream: Stream, folder: Path, plan: _Plan, is_new: bool = False) -> Delivery:
    """Write the folder of a plan, mark the plan as delivered, return the delivery."""
    target = _folder_of(stream, folder, plan)
    with _planned_tables(stream, plan) as tables:
        record = _manifest_of(stream, tables, plan)
        if is_new:
            _store_plan(stream, plan)
        if target.exists():
            record = _manifest_of_existing(target, record)
        else:
            record = _write_folder(stream, target, tables, record, plan.ending)
    with stream.step():
        stream.tables.rows(
            "update {{ schema }}.deliveries set delivered = current_localtimestamp(), "
            'manifest = $record where "number" = $number',
            record=manifest.written(record),
            number=plan.number,
        )
    rows = {part: record["release"][part]["rows"] for part in PARTS}
    return Delivery(plan.number, plan.after, plan.upto, target, **rows)


def _folder_of(stream: Stream, folder: Path, plan: _Plan) -> Path:
    """Return the folder of a delivery, for example /out/flu-000003."""
    return folder.resolve() / f"{_as_file_name(stream.name)}-{plan.number:06d}"


@contextmanager
def _planned_tables(stream: Stream, plan: _Plan) -> Iterator[dict[str, Quoted]]:
    """Create the two temporary tables of a plan, and drop them afterwards."""
    connection, ts = stream.tables.connection, stream.tables.names["ts"]
    made = {part: Quoted(f"temp.main.{identifier(f'{part} to deliver')}") for part in PARTS}
    since = f"and {ts} > $after" if plan.after is not None else ""
    values = {"upto": plan.upto} | ({"after": plan.after} if since else {})
    try:
        for part, table in made.items():
            connection.execute(
                f"create or replace temp table {table} as select * from ({stream.pair(part)}) "
                f"where {ts} <= $upto {since}",
                values,
            )
        yield made
    finally:
        for table in made.values():
            connection.execute(f"drop table if exists {table}")


def _manifest_of(stream: Stream, tables: dict[str, Quoted], plan: _Plan) -> manifest.Manifest:
    """Return the manifest of a delivery; it contains nothing that others may not see."""
    parameters, connection = stream.parameters, stream.tables.connection
    stored, state = (stream.tables.record(name) for name in ("manifest", "state"))
    seen = stream.tables.sql("(from {{ schema }}.state_seen)")
    query = "from tanon.row_digest($seen, keyed := true, secret := $key)"
    (source,) = manifest.records(connection, query, {"seen": str(seen), "key": state["secret"]})
    columns = columns_of(connection, stream.tables.sql("{{ schema }}.released"))
    return {
        "manifest": manifest.VERSION,
        "function": f"tanon.{FUNCTION}",
        "publication": stream.name,
        "delivery": plan.number,
        "snapshots": {"after": plan.after, "upto": plan.upto},
        "released": manifest.now(),
        "versions": manifest.versions() | {"begun_with": stored["tanon_duck_version"]},
        "release": {part: manifest.described(connection, tables[part]) for part in PARTS},
        "source": {
            "relation": plain_name(connection, parameters.source),
            "columns": columns,
            # Waiting records are not counted: their number would show how many arrived each day.
            "rows": stored["published"] + stored["suppressed"],
            "digest": source["digest"],
        },
        "roles": _roles(parameters),
        "parameters": {
            n: plain_name(connection, v)
            for n, v in asdict(parameters).items()
            if n in _MANIFEST_PARAMETERS
        },
        "secret": {"from": "the publication", "fingerprint": secret.fingerprint(state["secret"])},
        "chosen": None,
        "suppressed": stored["suppressed"],
        "checks": [],
    }


def _roles(parameters: Parameters) -> dict[str, list[str]]:
    """Return the columns of each role."""
    return {
        "respondent": [] if parameters.respondent is None else [parameters.respondent],
        "ts": [parameters.ts],
        "qi": list(parameters.qi),
        "sensitive": [parameters.sensitive],
        "allow_identifying": [*parameters.allow_identifying],
    }


def _write_folder(
    stream: Stream,
    target: Path,
    tables: dict[str, Quoted],
    record: manifest.Manifest,
    ending: str,
) -> manifest.Manifest:
    """Write all files to a hidden folder, check them, then rename the folder."""
    connection = stream.tables.connection
    with workshop(target.parent) as hidden:
        inside = hidden / target.name
        inside.mkdir(mode=0o700)
        files = {part: inside / f"{part}{ending}" for part in PARTS}
        for part, path in files.items():
            write_table(connection, tables[part], path, path)
        check, values = stream.check_of(*(str(files[part]) for part in PARTS))
        record = {
            **record,
            "checks": manifest.checked(connection, FUNCTION, check, values),
            "files": [bytes_of(path) for path in files.values()],
        }
        manifest_file = inside / _MANIFEST_FILE
        manifest_file.write_text(manifest.written(record), encoding="utf-8")
        for path in (*files.values(), manifest_file):
            path.chmod(0o600)
            _flush_to_disk(path)
        _flush_to_disk(inside)
        inside.rename(target)
        _flush_to_disk(target.parent)
    return record


def _flush_to_disk(path: Path) -> None:
    """Flush a file or folder to disk, so that it survives a crash."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _manifest_of_existing(target: Path, record: manifest.Manifest) -> manifest.Manifest:
    """Return the manifest in an existing folder; raise if it is of other rows."""
    try:
        found: manifest.Manifest = json.loads((target / _MANIFEST_FILE).read_text(encoding="utf-8"))
        is_same = found["release"] == record["release"]
    except (OSError, ValueError, KeyError):
        is_same = False
    if not is_same:
        raise TanonError(
            f"tanon.{FUNCTION}: {target} must be this delivery or not exist, got the folder of "
            "another delivery; move that folder away"
        )
    return found


def _as_file_name(name: str) -> str:
    """Return the name with every character replaced that is unsafe in file names."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name)
