"""Names and values as SQL writes them, read back by DuckDB."""

import duckdb
import pytest

from tanon_duck.quoting import Quoted, as_sql, identifier

pytestmark = pytest.mark.quick

VALUES = [
    None, True, False, 0, -3, 1.5, 1e-9, "", "o'x", 'a"b', "'; drop table t; --", "\u00dcn\nl",
    [1, 2], ["a", "o'x", None], ("x",), {"a b": [1.5, None], "o'x": {"c": True}},
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_comes_back(value):
    with duckdb.connect() as con:
        (found,) = con.execute(f"select {as_sql(value)}").fetchone()
    wanted = list(value) if isinstance(value, tuple) else value
    if isinstance(value, float):
        assert float(found) == value
    else:
        assert found == wanted
        assert isinstance(found, bool) == isinstance(value, bool)


def test_what_is_quoted_stays_as_it_is():
    assert as_sql(Quoted("date '2024-01-01'")) == "date '2024-01-01'"
    assert as_sql([identifier("a'b"), "a'b"]) == """["a'b", 'a''b']"""
