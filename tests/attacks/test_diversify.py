"""Against tanon.diversify: changes undone by the flag, by small seeds, and what nobody declared."""

import hashlib

import numpy as np

from tanon_duck.algorithms.diversify import Request, diversify
from tanon_duck.algorithms.hashing import hashes
from tanon_duck.doors.files.outputs import write_arrow

CALL = (
    "from tanon.diversify('(select * replace (charity // 500 * 500 as charity) "
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
    assert columns == ["low", "high", "pr", "level", "charity"]
    values = [row[4] for row in demo_con.execute(CALL.format("")).fetchall()]
    _, explained, moved = most_explained(shifts_of(values))
    assert moved == 24
    assert explained < moved / 3


def test_control_a_small_seed_explains_the_draws(demo_con):
    rows = demo_con.execute(
        "select dense_rank() over (order by low, high, pr, level), charity // 500 * 500 "
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
        con.sql(f"from tanon.diversify('told', 'charity', l := 2, epsilon := 50{more})"), path
    )
    content = path.read_bytes()
    notes = con.execute("select distinct note from told").fetchall()
    return sum(note.encode() in content for (note,) in notes) / len(notes)


def test_what_nobody_declared_stays_home(demo_con, tmp_path):
    cut(demo_con)
    assert notes_in(demo_con, "", tmp_path / "o.arrow") == 0


def test_control_a_column_that_is_accepted_leaves(demo_con, tmp_path):
    cut(demo_con)
    assert notes_in(demo_con, ", keep := 'note', accept := 'note'", tmp_path / "o.arrow") == 1


def cut(con):
    con.execute(
        "create table cut as select * replace (charity // 500 * 500 as charity) "
        "from published_incomes"
    )
