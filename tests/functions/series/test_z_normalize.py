"""Normalized series."""

import pytest

from oracles import sax as slow
from oracles.example_tables import SERIES_KINDS, random_series


@pytest.mark.parametrize("kind", SERIES_KINDS)
def test_equals_plain_loops(con, kind):
    for row in random_series(kind, 12, 6, seed=2).tolist():
        found = con.execute("select tanon.z_normalize(?)", [row]).fetchall()[0][0]
        assert found == pytest.approx(slow.z_normalize(row), abs=1e-9)


def test_null_gives_null(con):
    assert con.execute("select tanon.z_normalize(null)").fetchall() == [(None,)]
