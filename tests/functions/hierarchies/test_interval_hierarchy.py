"""tanon.interval_hierarchy against intervals found by walking up from the origin."""

import random
from fractions import Fraction

import duckdb
import pytest

from oracles.hierarchies import assert_nested, by_level


def shown(number):
    return str(int(number)) if number == int(number) else str(float(number))


def label(value, width, origin, bottom, top, whole):
    """Walk from the origin to the interval of the value."""
    if bottom is not None and value < bottom:
        return f"<{shown(bottom)}"
    if top is not None and value >= top:
        return f"{shown(top)}+"
    low = origin
    while low > value:
        low -= width
    while low + width <= value:
        low += width
    high = low + width
    low = low if bottom is None else max(low, bottom)
    high = high if top is None else min(high, top)
    if not whole or any(n != int(n) for n in (low, high)):
        return f"[{shown(low)}, {shown(high)})"
    if high - low == 1:
        return shown(low)
    return f"{shown(low)}{' to ' if low < 0 else '-'}{shown(high - 1)}"


@pytest.mark.parametrize("seed", range(12))
def test_as_walking_finds(con, seed):
    draw = random.Random(seed)
    whole = seed % 2 == 0
    values = [draw.randrange(-30, 120) for _ in range(60)]
    if not whole:
        values = [Fraction(v, 4) for v in values]
    widths = draw.choice([[5], [5, 10], [1, 4, 20], [2, 6]])
    origin, bottom, top = draw.choice([0, 1, -3]), draw.choice([None, 18]), draw.choice([None, 67])
    kind = "integer" if whole else "decimal(9, 2)"
    con.execute(f"create table t (x {kind})")
    con.executemany("insert into t values (?)", [[float(v)] for v in values] + [[None]])
    rows = con.execute(
        "from tanon.interval_hierarchy('t', 'x', $widths, origin := $origin, bottom := $bottom, "
        "top := $top)",
        {"widths": widths, "origin": origin, "bottom": bottom, "top": top},
    ).fetchall()
    texts = dict(con.execute("select x, x::varchar from t where x is not null").fetchall())
    texts = {Fraction(x): text for x, text in texts.items()}
    levels = by_level(rows)
    assert_nested(levels, texts.values())
    for level, width in zip(levels, widths, strict=False):
        for value, text in texts.items():
            assert level[text] == label(value, width, origin, bottom, top, whole), (value, width)
    assert set(levels[-1].values()) == {"*"} and len(levels) == len(widths) + 1


def test_tenths_are_where_they_are_written(con):
    con.execute("create table t as select i / 10 as x from range(-50, 50) as r(i)")
    rows = con.execute("from tanon.interval_hierarchy('t', 'x', [0.1], star := false)").fetchall()
    assert len({general for *_, general in rows}) == 100
    assert ("x", 1, "0.3", "[0.3, 0.4)") in rows


def test_what_cannot_be_placed_is_refused(con):
    con.execute("create table t as select 'nan'::double as x")
    with pytest.raises(duckdb.Error, match=r"attribute must hold finite numbers .*, got nan"):
        con.execute("from tanon.interval_hierarchy('t', 'x', [5])").fetchall()
    with pytest.raises(duckdb.Error, match=r"top must be above bottom, got 5"):
        con.execute("from tanon.interval_hierarchy('t', 'x', [5], bottom := 9, top := 5)")
    with pytest.raises(duckdb.Error, match=r"each a multiple of the one before, got \[5, 12\]"):
        con.execute("from tanon.interval_hierarchy('t', 'x', [5, 12])")
    with pytest.raises(duckdb.Error, match="attribute must be a numeric column of source, got 'y'"):
        con.execute("from tanon.interval_hierarchy('t', 'y', [5])").fetchall()


def test_an_empty_table_has_no_rows(con):
    con.execute("create table t (x integer)")
    assert con.execute("from tanon.interval_hierarchy('t', 'x', [5])").fetchall() == []
