"""Against tanon.diversify: the changes undone by the flag, and by trying small seeds."""

import numpy as np

from tanon_duck.algorithms.hashing import hashes

CALL = (
    "from tanon.diversify('(select * replace (charity // 500 * 500 as charity) "
    "from published_incomes)', sensitive := 'charity', l := 2, epsilon := 50{})"
)


def seeds_that_fit(shifts):
    """Small seeds under which a public generator draws these shifts."""
    rows = np.arange(shifts.size)
    drawn = [(hashes(s, rows) % np.uint64(101)).astype(np.int64) - 50 for s in range(10_000)]
    return [seed for seed, own in enumerate(drawn) if (own == shifts).all()]


def shifts_of(con):
    rows = con.execute(CALL.format(", for_owner := true")).fetchall()
    return np.array([(v + 250) % 500 - 250 for *_, v, changed in rows if changed])


def test_no_small_seed_gives_the_draws_and_no_flag_leaves(demo_con):
    columns = [c[0] for c in demo_con.execute(CALL.format("")).description]
    assert columns == ["low", "high", "pr", "level", "charity"]
    shifts = shifts_of(demo_con)
    assert shifts.size == 24
    assert seeds_that_fit(shifts) == []


def test_control_a_small_seed_is_found(demo_con):
    broken = (hashes(7251, np.arange(24)) % np.uint64(101)).astype(np.int64) - 50
    assert seeds_that_fit(broken) == [7251]


def test_control_the_flag_undoes_every_change(demo_con):
    rows = demo_con.execute(CALL.format(", for_owner := true")).fetchall()
    unchanged = {row[4] for row in rows if not row[5]}
    changed = [row[4] for row in rows if row[5]]
    assert len(changed) == 24
    assert all(sum(abs(v - u) <= 50 for u in unchanged) == 1 for v in changed)
