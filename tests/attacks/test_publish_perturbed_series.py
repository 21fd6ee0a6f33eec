"""Attacks on tanon.publish_perturbed_series: revert changes by flag, seed or unused columns."""

import hashlib
from collections import Counter

import numpy as np
import pytest
from attacks import series_walks
from attacks.judging import assert_breaks, assert_holds

from tanon_duck.algorithms.class_counts import Request
from tanon_duck.algorithms.diversify import diversify
from tanon_duck.algorithms.hashing import hashes
from tanon_duck.interfaces.files.outputs import write_arrow

CALL = (
    "from tanon.publish_perturbed_series('(select * replace (charity // 500 * 500 as charity) "
    "from published_incomes)', sensitive := 'charity', l := 2, epsilon := 50{})"
)
REACH = 50


def public_keys(seed, rows):
    """The keys of rows as a small seed and a public generator would give them."""
    return [b"%016x" % key for key in hashes(seed, np.arange(rows)).tolist()]


def first_draw(key):
    """By how much the code moves a row with this key, if nothing is in the way."""
    drawn = int.from_bytes(hashlib.sha256(b"0 " + key).digest()[:16])
    return drawn % (2 * REACH + 1) - REACH


def most_explained(shifts):
    """The best of 10,000 small seeds, and how many changes its draws explain.

    The adversary knows that true values are round, and so by how much each row moved.
    """
    moved = np.flatnonzero(shifts).tolist()
    fits = []
    for seed in range(10_000):
        keys = [b"%016x" % key for key in hashes(seed, np.array(moved)).tolist()]
        fits.append(sum(first_draw(k) == shifts[i] for k, i in zip(keys, moved, strict=True)))
    best = int(np.argmax(fits))
    return best, fits[best], len(moved)


def shifts_of(values):
    return (np.array(values) + 250) % 500 - 250


def test_no_small_seed_explains_the_draws(demo_con):
    columns = [c[0] for c in demo_con.execute(CALL.format("")).description]
    assert columns == ["low", "high", "word", "level", "charity"]
    values = [row[4] for row in demo_con.execute(CALL.format("")).fetchall()]
    _, explained, moved = most_explained(shifts_of(values))
    assert moved == 24
    assert explained < moved / 3


def test_control_a_small_seed_explains_the_draws(demo_con):
    rows = demo_con.execute(
        "select dense_rank() over (order by low, high, word, level), charity // 500 * 500 "
        "from published_incomes order by all"
    ).fetchall()
    classes, values = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    keys = np.array(public_keys(7251, len(rows)))
    broken, _ = diversify(Request(classes, values, keys, 2, REACH))
    best, explained, moved = most_explained(shifts_of(broken))
    assert best == 7251
    assert explained > moved / 2


def test_control_the_flag_undoes_every_change(demo_con):
    rows = demo_con.execute(CALL.format(", for_owner := true")).fetchall()
    unchanged = {row[4] for row in rows if not row[5]}
    changed = [row[4] for row in rows if row[5]]
    assert len(changed) == 24
    assert all(sum(abs(v - u) <= REACH for u in unchanged) == 1 for v in changed)


def notes_in(con, more, path):
    """Which share of a column that nobody declared is found in the bytes of the release."""
    con.execute("create table told as select *, 'no. ' || charity || ';' as note from cut")
    write_arrow(
        con.sql(
            f"from tanon.publish_perturbed_series('told', 'charity', l := 2, epsilon := 50{more})"
        ),
        path,
    )
    content = path.read_bytes()
    notes = con.execute("select distinct note from told").fetchall()
    return sum(note.encode() in content for (note,) in notes) / len(notes)


def in_source_order(con, sql):
    """How many rows are at the place where a source in an order of persons has them."""
    cut(con)
    con.execute(
        "create table told as select *, row_number() over () as place "
        "from (from cut order by sha256(charity::varchar), low, high)"
    )
    return series_walks.hits_by_place(con, sql)


@pytest.mark.quick
def test_rows_do_not_stand_where_the_source_has_them(demo_con):
    kept = (
        "from tanon.publish_perturbed_series('told', 'charity', 2, epsilon := 50, keep := "
        "'place', {})"
    )
    assert_holds(*in_source_order(demo_con, kept.format("allow_identifying := 'place'")))


@pytest.mark.quick
def test_control_rows_in_the_order_of_the_source_are_all_found(demo_con):
    assert_breaks(*in_source_order(demo_con, "from told"))


def release(con, secret, more=""):
    """The rows that leave under a secret, by class, and what only the owner sees."""
    return con.execute(
        CALL.format(f", secret := '{hashlib.sha256(secret).hexdigest()}'{more}")
    ).fetchall()


def said_to_be_changed(con, first, second):
    """The adversary takes what only one of two releases holds for a changed value."""
    held = {(*map(str, row[:4]), row[4]) for row in release(con, second)}
    rows = release(con, first, ", for_owner := true")
    wrong = [row[5] for row in rows if (*map(str, row[:4]), row[4]) not in held]
    return sum(wrong), len(wrong), sum(row[5] for row in rows)


def test_a_second_release_under_the_same_secret_tells_nothing_more(demo_con):
    assert release(demo_con, b"one") == release(demo_con, b"one")
    assert said_to_be_changed(demo_con, b"one", b"one") == (0, 0, 24)


def test_control_a_second_release_perturbed_anew_shows_which_values_are_true(demo_con):
    """Not promised, and said so."""
    right, said, changed = said_to_be_changed(demo_con, b"one", b"two")
    assert changed == 24
    assert right == said > changed / 2


def rows_guessed(con, near):
    """The adversary takes rows whose value is near one that fills all it may for changed ones.

    No value may fill more than half of a class, and as few records are changed as will do.
    """
    classes = {}
    for row in release(con, b"one", ", for_owner := true"):
        classes.setdefault(str(row[:4]), []).append(row[4:6])
    hits = tries = chance = 0
    for rows in classes.values():
        counts = Counter(value for value, _ in rows)
        full = [v for v, n in counts.items() if n == len(rows) // 2]
        said = [c for v, c in rows if v not in full and any(abs(v - f) <= near for f in full)]
        hits, tries = hits + sum(said), tries + len(said)
        chance += sum(changed for _, changed in rows)
    return hits, tries, chance


def test_documented_values_near_one_that_fills_its_share_were_that_value(demo_con):
    """Not promised: who knows the class knows a perturbed value to within epsilon."""
    hits, tries, changed = rows_guessed(demo_con, REACH)
    assert hits == tries == changed == 24


def test_control_values_far_from_it_were_not(demo_con):
    hits, tries, _ = rows_guessed(demo_con, 10 * REACH)
    assert hits < tries


def test_what_nobody_declared_stays_home(demo_con, tmp_path):
    cut(demo_con)
    assert notes_in(demo_con, "", tmp_path / "o.arrow") == 0


def test_control_a_column_that_is_accepted_leaves(demo_con, tmp_path):
    cut(demo_con)
    assert (
        notes_in(demo_con, ", keep := 'note', allow_identifying := 'note'", tmp_path / "o.arrow")
        == 1
    )


def cut(con):
    con.execute(
        "create table cut as select * replace (charity // 500 * 500 as charity) "
        "from published_incomes"
    )
