"""The adapter of Harlequin and hsql: ``harlequin -a tanon FILE``, DuckDB with every function."""

from harlequin import HarlequinCompletion
from harlequin.catalog import Catalog
from harlequin_duckdb.adapter import DuckDbAdapter, DuckDbConnection

from tanon_duck.interfaces.connection import install

_OURS = "select function, summary from tanon.help(lines := false)"


class TanonConnection(DuckDbConnection):
    """A connection whose lists show the functions with their summaries, and no other part."""

    def get_catalog(self) -> Catalog:
        """Everything but the database that holds the functions, which has no tables."""
        items = super().get_catalog().items
        return Catalog(items=[item for item in items if item.label != "tanon"])

    def get_completions(self) -> list[HarlequinCompletion]:
        """What DuckDB completes, and each function after ``tanon.``."""
        found = self.conn.cursor().execute(_OURS).fetchall()
        names = {name for name, _ in found}
        plain = [
            each
            for each in super().get_completions()
            if each.label not in names and not each.label.startswith(("tanon", "_"))
        ]
        return plain + [HarlequinCompletion(n, s, n, 900, "tanon") for n, s in found]


class TanonAdapter(DuckDbAdapter):
    """DuckDB as Harlequin opens it, with the functions."""

    ADAPTER_DETAILS = "DuckDB with the tanon functions."

    def connect(self) -> DuckDbConnection:
        """Files, init script and extensions are Harlequin's matter; the functions come after."""
        made = super().connect()
        install(made.conn)
        return TanonConnection(made.conn, init_message=made.init_message)
