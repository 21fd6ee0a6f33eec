"""The dbt-duckdb plugin: every function on the connections of dbt.

In ``profiles.yml``: ``plugins: [{module: tanon_duck.integrations.dbt}]``. The package of macros and
tests that goes with it is in ``integrations/dbt`` of the repository.
"""

from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb import DuckDBPyConnection

from tanon_duck.interfaces.connection import install


class Plugin(BasePlugin):
    """What dbt-duckdb looks for in the module."""

    def configure_connection(self, conn: DuckDBPyConnection) -> None:
        """Make the functions ready; cursors of this connection share them."""
        install(conn)
