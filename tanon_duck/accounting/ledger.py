"""Record the releases of a database in the table ``tanon_releases``.

The table is for the owner. The digest of the source uses no key, so that the owner can compute it
again without a secret.
"""

from __future__ import annotations

from datetime import UTC, datetime

from tanon_duck.accounting.call import Call
from tanon_duck.accounting.manifest import Manifest, written
from tanon_duck.macros.jinja_statements import of_text

TABLE = "tanon_releases"
_CREATE = """
create table if not exists tanon_releases (
    released timestamp, "table" varchar, "function" varchar, "source" varchar, "columns" varchar[],
    source_rows bigint, source_digest varchar, "rows" bigint, digest varchar, manifest varchar
)
"""
_ENTER = """
insert into tanon_releases by name
select
    $released as released, $table as "table", $function as "function", $source as "source",
    $used as "columns", d."rows" as source_rows, d.digest as source_digest, $rows as "rows",
    $digest as digest, $manifest as manifest
from tanon.row_digest($relation, only_columns := $used) as d
"""


def enter(call: Call, table: str, manifest: Manifest) -> None:
    """Add a row for a release to ``tanon_releases``; create the table if needed."""
    call.connection.execute(of_text(_CREATE))
    call.connection.execute(
        of_text(_ENTER),
        {
            "released": datetime.now(UTC).replace(tzinfo=None),
            "table": table,
            "function": manifest["function"],
            "source": manifest["source"]["relation"],
            "used": call.used(),
            "relation": call.source_name(),
            "rows": manifest["release"]["rows"],
            "digest": manifest["release"]["digest"],
            "manifest": written(manifest),
        },
    )
