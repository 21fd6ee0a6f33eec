"""Deliveries: the two tables for others of what was released since the last one, in a folder each.

A delivery is planned in the publication before anything is written, and noted as done after its
folder is in its place, whole. A process killed in between leaves a plan, and the next call carries
that out first: the same rows again, under the same name.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from tanon_duck import secret
from tanon_duck.accounting import manifest
from tanon_duck.accounting.call import columns_of, plain_name
from tanon_duck.errors import TanonError
from tanon_duck.interfaces.files.outputs import write_table
from tanon_duck.interfaces.files.release_folder import bytes_of
from tanon_duck.interfaces.temporary_folders import workshop
from tanon_duck.publishing.names import tables_of
from tanon_duck.publishing.parameters import FUNCTION, Parameters, refuse
from tanon_duck.publishing.tables import Tables
from tanon_duck.quoting import Quoted, identifier

PARTS = ("individuals", "values")
ENDINGS = (".parquet", ".csv")
_NOTE = "manifest.json"
_TOLD = (
    "l", "w", "granularity", "move_cost", "suppress_cost", "method", "start", "lateness", "repeats",
)  # fmt: skip


class Stream(Protocol):
    """What a delivery asks of a publication."""

    name: str
    parameters: Parameters
    tables: Tables

    def step(self, keep: bool = True) -> AbstractContextManager[None]:
        """One transaction, kept or taken back."""

    def pair(self, part: str) -> str:
        """SQL for one of the two tables for others."""

    def check_of(self, individuals: str, values: str) -> tuple[str, dict[str, Any]]:
        """The call of a check of the two tables, and its arguments."""


@dataclass(frozen=True)
class Delivery:
    """What went into a folder: the snapshots after one and up to another, or from the first."""

    number: int
    after: Any
    upto: Any
    folder: Path
    individuals: int
    values: int


@dataclass(frozen=True)
class _Plan:
    number: int
    after: Any
    upto: Any
    ending: str


def deliver(stream: Stream, folder: Path, whole: bool, ending: str) -> list[Delivery]:
    """Carry out what was planned and not done, then deliver what is new, or everything."""
    _refuse(folder, ending)
    _keep_table(stream)
    done = [_carry_out(stream, folder, plan) for plan in _open_plans(stream)]
    if plan := _next(stream, whole, ending):
        done.append(_carry_out(stream, folder, plan, is_new=True))
    return done


def rehearse(stream: Stream, folder: Path, whole: bool, ending: str) -> list[Delivery]:
    """What `deliver` would write, checked as it would be; nothing is written or noted."""
    _refuse(folder, ending)
    with stream.step(keep=False):
        stream.tables.run("deliveries")
        plans = _open_plans(stream)
        if plan := _next(stream, whole, ending):
            plans.append(plan)
    return [_would_be(stream, folder, plan) for plan in plans]


def _would_be(stream: Stream, folder: Path, plan: _Plan) -> Delivery:
    with _made(stream, plan) as tables:
        check, values = stream.check_of(*(str(tables[part]) for part in PARTS))
        manifest.checked(stream.tables.connection, FUNCTION, check, values)
        rows = {
            part: manifest.described(stream.tables.connection, tables[part])["rows"]
            for part in PARTS
        }
    return Delivery(plan.number, plan.after, plan.upto, _target(stream, folder, plan), **rows)


def deliveries(stream: Stream) -> list[manifest.Manifest]:
    """The manifests of what was delivered, with the digests of both tables."""
    there = tables_of(stream.tables.connection, stream.name) or set()
    if "deliveries" not in there:
        return []
    asked = (
        "select manifest from {{ schema }}.deliveries where delivered is not null "
        'order by "number" asc nulls last'
    )
    return [json.loads(told) for (told,) in stream.tables.rows(asked)]


def _refuse(folder: Path, ending: str) -> None:
    if not folder.is_dir():
        raise refuse("folder", "a folder that is there", str(folder))
    if ending not in ENDINGS:
        raise refuse("ending", f"one of {', '.join(ENDINGS)}", ending)


def _keep_table(stream: Stream) -> None:
    with stream.step():
        stream.tables.run("deliveries")


def _open_plans(stream: Stream) -> list[_Plan]:
    asked = (
        'select "number", "after", upto, ending from {{ schema }}.deliveries '
        'where delivered is null order by "number" asc nulls last'
    )
    return [_Plan(*row) for row in stream.tables.rows(asked)]


def _next(stream: Stream, whole: bool, ending: str) -> _Plan | None:
    """What would be the next delivery; None where nothing is new."""
    released = stream.tables.record("manifest")["released_upto"]
    ((last, number),) = stream.tables.rows(
        'select max(upto), coalesce(max("number"), 0) + 1 from {{ schema }}.deliveries'
    )
    if released is None or (last is not None and released <= last and not whole):
        return None
    return _Plan(number, None if whole else last, released, ending)


def _write_down(stream: Stream, plan: _Plan) -> None:
    with stream.step():
        stream.tables.rows(
            'insert into {{ schema }}.deliveries ("number", "after", upto, ending) '
            "values ($number, $after, $upto, $ending)",
            **asdict(plan),
        )


def _carry_out(stream: Stream, folder: Path, plan: _Plan, is_new: bool = False) -> Delivery:
    target = _target(stream, folder, plan)
    with _made(stream, plan) as tables:
        told = _account(stream, tables, plan)
        if is_new:
            _write_down(stream, plan)
        if target.exists():
            told = _adopted(target, told)
        else:
            told = _write(stream, target, tables, told, plan.ending)
    with stream.step():
        stream.tables.rows(
            "update {{ schema }}.deliveries set delivered = current_localtimestamp(), "
            'manifest = $told where "number" = $number',
            told=manifest.written(told),
            number=plan.number,
        )
    rows = {part: told["release"][part]["rows"] for part in PARTS}
    return Delivery(plan.number, plan.after, plan.upto, target, **rows)


def _target(stream: Stream, folder: Path, plan: _Plan) -> Path:
    return folder.resolve() / f"{_as_file_name(stream.name)}-{plan.number:06d}"


@contextmanager
def _made(stream: Stream, plan: _Plan) -> Iterator[dict[str, Quoted]]:
    """The two tables, of the snapshots of the plan; groups are numbered as in the whole pair."""
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


def _account(stream: Stream, tables: dict[str, Quoted], plan: _Plan) -> manifest.Manifest:
    """The manifest of a delivery: it may go where the two tables go."""
    kept, connection = stream.parameters, stream.tables.connection
    record, state = (stream.tables.record(name) for name in ("manifest", "state"))
    seen = stream.tables.sql("(from {{ schema }}.state_seen)")
    asked = "from tanon.row_digest($seen, keyed := true, secret := $key)"
    (source,) = manifest.records(connection, asked, {"seen": str(seen), "key": state["secret"]})
    columns = columns_of(connection, stream.tables.sql("{{ schema }}.released"))
    return {
        "manifest": manifest.VERSION,
        "function": f"tanon.{FUNCTION}",
        "publication": stream.name,
        "delivery": plan.number,
        "snapshots": {"after": plan.after, "upto": plan.upto},
        "released": manifest.now(),
        "versions": manifest.versions() | {"begun_with": record["tanon_duck_version"]},
        "release": {part: manifest.described(connection, tables[part]) for part in PARTS},
        "source": {
            "relation": plain_name(connection, kept.source),
            "columns": columns,
            # Those that are decided: how many wait would tell how many each day brought.
            "rows": record["published"] + record["suppressed"],
            "digest": source["digest"],
        },
        "roles": {
            "respondent": [] if kept.respondent is None else [kept.respondent],
            "ts": [kept.ts],
            "qi": list(kept.qi),
            "sensitive": [kept.sensitive],
            "allow_identifying": [*kept.allow_identifying],
        },
        "parameters": {n: plain_name(connection, v) for n, v in asdict(kept).items() if n in _TOLD},
        "secret": {"from": "the publication", "fingerprint": secret.fingerprint(state["secret"])},
        "chosen": None,
        "suppressed": record["suppressed"],
        "checks": [],
    }


def _write(
    stream: Stream,
    target: Path,
    tables: dict[str, Quoted],
    told: manifest.Manifest,
    ending: str,
) -> manifest.Manifest:
    """All files of a delivery in a hidden folder, read again and checked, then in its place."""
    connection = stream.tables.connection
    with workshop(target.parent) as hidden:
        inside = hidden / target.name
        inside.mkdir(mode=0o700)
        files = {part: inside / f"{part}{ending}" for part in PARTS}
        for part, path in files.items():
            write_table(connection, tables[part], path, path)
        check, values = stream.check_of(*(str(files[part]) for part in PARTS))
        told = {
            **told,
            "checks": manifest.checked(connection, FUNCTION, check, values),
            "files": [bytes_of(path) for path in files.values()],
        }
        note = inside / _NOTE
        note.write_text(manifest.written(told), encoding="utf-8")
        for path in (*files.values(), note):
            path.chmod(0o600)
            _keep(path)
        _keep(inside)
        inside.rename(target)
        _keep(target.parent)
    return told


def _keep(path: Path) -> None:
    """Past the memory of the machine: what is noted as delivered must be there after a crash."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _adopted(target: Path, told: manifest.Manifest) -> manifest.Manifest:
    """A folder that is there already, if it is this delivery: its process was killed afterwards."""
    try:
        there: manifest.Manifest = json.loads((target / _NOTE).read_text(encoding="utf-8"))
        is_this = there["release"] == told["release"]
    except (OSError, ValueError, KeyError):
        is_this = False
    if not is_this:
        raise TanonError(f"tanon.{FUNCTION}: {target} is there already, and is another delivery")
    return there


def _as_file_name(name: str) -> str:
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in name)
