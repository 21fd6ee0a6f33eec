"""tanon.k_anonymity_attack against adversaries who look at every row, and its controls."""

import pytest

from oracles.dated_rows import create_rows, dated_rows, up
from oracles.known_columns import alone, groups_of, linked, people, released, told

CALL = (
    "from tanon.k_anonymity_attack('events', uid := 'the one', qi := ['q1'], ts := 'when', "
    "granularities := ['month'], k := 2, max_suppression := 0.99, keep := ['note'])"
)


def share(part, whole):
    return float(part / whole) if whole else None


def close(found, wanted):
    return found == (None if wanted is None else pytest.approx(wanted, abs=1e-8))


def test_as_adversaries_who_look_at_every_row(con):
    for seed in range(12):
        rows = dated_rows(seed, largest=40)
        create_rows(con, rows)
        found = {row[0]: row for row in con.execute(CALL).fetchall()}
        groups = released(rows, "the one", ["q1"], "when", up("month"), 2)
        out = [row for own in groups.values() for row in own]
        raw = groups_of(rows, "the one", ["q1"], "when", lambda t: t)
        row = found["singling out"]
        assert row[3:5] == (len(people(out, "the one")), len(alone(groups, "the one", ["note"])))
        everybody = people(rows, "the one")
        assert close(row[9], share(len(alone(raw, "the one", [])), len(everybody)))
        row = found["linkability"]
        targets, hits, lucky = linked(out, "the one", lambda r: (r["q1"], r["note"]))
        assert row[3] == targets and close(row[4], float(hits))
        assert close(row[8], share(lucky, targets))
        of_source = linked(rows, "the one", lambda r: (r["q1"], r["q 2"], r["note"]))
        assert close(row[9], share(of_source[1], of_source[0]))
        row = found["inference"]
        _, _, guessed, usual, _ = told(groups, "the one", "note")
        assert row[1] == "note" and row[3:5] == (len(out), guessed)
        assert close(row[5], share(guessed, len(out))) and close(row[8], share(usual, len(out)))
        read_off = sum(len(own) == 1 for own in raw.values())
        assert close(row[9], share(read_off, len(rows)))
        assert out == [] or row[6] <= row[5] <= row[7]


def test_the_attacks_work_where_nothing_is_protected(demo_con):
    rows = demo_con.execute(
        "select hit_rate, control from tanon.k_anonymity_attack('visits', uid := 'patient', "
        "qi := ['sex'], ts := 'admitted', granularities := ['month'], k := 5)"
    ).fetchall()
    (alone_here, alone_in_source), (linked_here, linked_in_source) = rows
    assert (alone_here, alone_in_source) == (0, 1)
    assert linked_here < 0.01 < 0.1 < linked_in_source
