"""Each warning appears where its cause is, and only there."""

import numpy as np
import pytest

HIGH = [9.0, 9.0]


def release(con, rows):
    """Create a release of (low, word, level, secret) rows with one highest envelope."""
    con.execute(
        "create or replace table r (who varchar, low double[], high double[], word varchar, "
        "level integer, secret integer, kind varchar)"
    )
    for i, (low, word, level, secret) in enumerate(rows):
        con.execute(
            "insert into r values (?, ?, ?, ?, ?, ?, ?)",
            [f"w{i}", low, [h + low[0] for h in HIGH], word, level, secret, f"kind {secret}"],
        )


def quiet():
    """Return a release of which nothing is to be said: groups of 4, far values, no relation."""
    rng = np.random.default_rng(2)
    return [
        ([float(group), 1.0], "ac", 3, int(secret))
        for group in range(6)
        for secret in (group * 7 % 13 + rng.permutation(4) * 100)
    ]


def warnings(con, options="", sensitive="['secret', 'kind']", more=""):
    """What is said of the columns that are named, and of more."""
    named = [c for c in ("who", "secret", "kind") if f"'{c}" in sensitive + options]
    published = f"(select low, high, word, level, {', '.join(named)}{more} from r)"
    found = con.execute(
        f"select * from tanon.series_warnings('{published}', sensitive := {sensitive}{options})"
    ).fetchall()
    return {(warning, affects): (rows, share) for warning, affects, rows, share, _ in found}


def test_nothing_is_said_of_a_release_without_faults(con):
    release(con, quiet())
    assert warnings(con) == {}


def test_repeated_values(con):
    rows = quiet()
    rows[1] = (*rows[1][:3], rows[0][3])
    release(con, rows)
    assert warnings(con) == {
        ("repeated value", "secret"): (2, pytest.approx(2 / 24)),
        ("repeated value", "kind"): (2, pytest.approx(2 / 24)),
    }


def test_narrow_values_of_numbers_only(con):
    rows = quiet()
    rows[:4] = [(*row[:3], 150 + i) for i, row in enumerate(rows[:4])]
    release(con, rows)
    assert warnings(con) == {("narrow values", "secret"): (4, pytest.approx(4 / 24))}


def test_values_that_follow_the_series(con):
    rows = [([v, v], "ac", 3, int(v * 10) + i * 40) for v in range(0, 90, 9) for i in range(3)]
    release(con, [([float(a), float(b)], word, level, s) for (a, b), word, level, s in rows])
    found = warnings(con, sensitive="'secret'")
    assert set(found) == {("follows series", "secret")}
    assert found["follows series", "secret"][1] > 0.5


def test_the_nearest_value_attack_is_counted(con):
    rows = [([0.0, 0.0], "ac", 3, secret) for secret in (10, 500, 990)]
    rows += [([1.0, 0.0], "ac", 3, secret) for secret in (20, 480, 1000)]
    release(con, rows)
    con.execute("create table t (who varchar, s double[])")
    last = [12, 400, 800, 700, 470, 30]
    for i, reading in enumerate(last):
        con.execute("insert into t values (?, ?)", [f"w{i}", [0.0, float(reading)]])
    options = ", source := 't', series_id := 'who', series := 's'"
    found = warnings(con, options, "'secret'")
    assert found["nearest value attack", "secret"] == (6, pytest.approx(4 / 6))
    con.execute("update t set s = [0, 0]")
    assert ("nearest value attack", "secret") not in warnings(con, options, "'secret'")


def test_groups_of_two_exact_readings_and_poor_words(con):
    rows = quiet()
    rows[0:2] = [(low, "ab", 2, secret) for low, _, _, secret in rows[0:2]]
    rows[2:4] = [(low, "cc", 3, secret) for low, _, _, secret in rows[2:4]]
    release(con, rows)
    con.execute("update r set high = [high[1], low[2]] where low[1] = 1")
    assert warnings(con) == {
        ("P is 2", None): (4, pytest.approx(4 / 24)),
        ("k beyond P", None): (4, pytest.approx(4 / 24)),
        ("exact readings", None): (4, pytest.approx(4 / 24)),
        ("poor words", None): (2, pytest.approx(2 / 24)),
    }


def test_columns_that_nobody_named(con):
    release(con, quiet())
    more = ', 1 as k_group, who, true as "Own_Pattern", [0.0] as domain_low'
    assert warnings(con, more=more) == {
        ("unnamed column", "who"): (24, 1),
        ("own pattern", "Own_Pattern"): (24, 1),
    }


def test_an_empty_release_and_wrong_arguments(con):
    release(con, [])
    assert warnings(con) == {}
    with pytest.raises(Exception, match="sensitive must be columns of release"):
        warnings(con, sensitive="'secrets'")
    with pytest.raises(Exception, match="source must be given together with series_id and series"):
        warnings(con, ", source := 'r'")
