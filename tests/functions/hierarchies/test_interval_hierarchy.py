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


VALUES = {
    "decimal(18, 2)": ["99999999.95", "-99999999.95", "0.01", "-0.01", "100000000.00"],
    "decimal(12, 10)": ["4.9999999999", "-4.9999999999", "5.0000000000", "0.0000000001"],
    "decimal(20, 18)": ["0.999999999999999999", "-0.000000000000000001", "1.5"],
    "decimal(38, 30)": ["1.999999999999999999999999999999", "-1e-30", "2"],
    "double": [
        "4.999999999999999",
        "-1e-17",
        "5e-324",
        "-1.5e-7",
        "0.3",
        "0.1",
        "9007199254740991.0",
    ],
    "float": ["0.1", "0.3", "-0.7", "16777216", "1e-30"],
    "bigint": ["9007199254740992", "-9007199254740992", "9007199254740991", "0"],
    "uhugeint": ["0", "4", "9007199254740992"],
    "tinyint": ["-128", "-1", "127"],
}
WIDTHS = [[0.1, 0.3], [0.25], [1, 5], [3], [1e-10, 1e-5], [100000000, 200000000], [2**53]]


def bounds(label):
    """The ends of an interval, as it is written; what is behind a hyphen is the last one."""
    if label[0] == "[":
        low, _, high = label[1:-1].partition(", ")
        return Fraction(low), Fraction(high)
    low, _, last = label.partition(" to ") if " to " in label else label.partition("-")
    if label[0] == "-" and " to " not in label:
        low, last = label, ""
    return Fraction(low), Fraction(last or low) + 1


@pytest.mark.parametrize("widths", WIDTHS, ids=str)
@pytest.mark.parametrize("type", VALUES)
def test_each_value_lies_in_its_interval(con, type, widths):
    con.execute(f"create table t as select unnest($values)::varchar::{type} as x", {
        "values": VALUES[type]
    })  # fmt: skip
    for origin in (0, 0.05, -7):
        rows = con.execute(
            "from tanon.interval_hierarchy('t', 'x', $widths, origin := $origin, star := false)",
            {"widths": widths, "origin": origin},
        ).fetchall()
        assert len(rows) == len(VALUES[type]) * len(widths)
        for _, level, value, general in rows:
            low, high = bounds(general)
            assert low <= Fraction(value) < high, (value, general)
            width = Fraction(str(widths[level - 1]))
            # An interval of whole numbers is written by those that it holds.
            assert high - low == width or general[0] != "["
            assert ((low - Fraction(str(origin))) / width).denominator == 1 or general[0] != "["
        assert_nested(by_level(rows), {value for _, _, value, _ in rows})


@pytest.mark.parametrize("ends", ["bottom := 4.9999999999", "top := 4.9999999999"])
def test_ends_are_compared_exactly(con, ends):
    con.execute("create table t as select unnest([4.99999999989, 4.9999999999, 5]) as x")
    rows = con.execute(f"from tanon.interval_hierarchy('t', 'x', [10], {ends}, star := false)")
    inside = [general[0] == "[" for *_, general in sorted(rows.fetchall(), key=lambda r: r[2])]
    assert inside == ([False, True, True] if "bottom" in ends else [True, False, False])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("[1e-30]", "widths must be a list of numbers above 0, each a multiple of the one before"),
        ("[1e300]", "widths must be a list of numbers above 0, each a multiple of the one before"),
        ("[0.3333333333, 1]", "widths must be a list of numbers above 0, each a multiple of the o"),
        ("[1], origin := 1e-30", "origin must be a number of at most 9007199254740992, with at mo"),
        ("[1], bottom := -1e17", "bottom must be a number of at most 9007199254740992, with at mo"),
        ("[1], top := 1e17", "top must be a number of at most 9007199254740992, with at most 20"),
    ],
)
def test_what_has_too_many_digits_is_refused(con, given, message):
    con.execute("create table t as select 1 as x")
    with pytest.raises(duckdb.Error, match=f"tanon.interval_hierarchy: {message}"):
        con.execute(f"from tanon.interval_hierarchy('t', 'x', {given})").fetchall()
