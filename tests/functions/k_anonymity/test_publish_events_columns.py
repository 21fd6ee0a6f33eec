"""The columns of tanon.publish_events against a release looked at row by row."""

import pytest

from oracles.dated_rows import create_rows, dated_rows, up
from oracles.known_columns import people, released, told

CALL = (
    "from tanon.publish_events('events', respondent := 'the one', qi := ['q1'], ts := 'when', "
    "granularities := ['month'], k := ?, max_suppression := 0.99, keep := ['note'], "
    "result := 'columns')"
)


def test_as_counted_row_by_row(con):
    looked_at = 0
    for seed in range(12):
        rows = dated_rows(seed)
        create_rows(con, rows)
        k = 2 + seed % 2
        found = con.execute(CALL, [k]).fetchall()
        assert [row[:2] for row in found] == [("note", True), ("q 2", False)]
        groups = released(rows, "the one", ["q1"], "when", up("month"), k)
        everybody = set().union(*(people(own, "the one") for own in groups.values()))
        count = sum(len(own) for own in groups.values())
        for name, _, values, alone, alone_share, alike, alike_share, guess, usual in found:
            wanted = told(groups, "the one", name)
            assert (alone, alike, values) == (wanted[0], wanted[1], wanted[4])
            assert alone_share == (alone / len(everybody) if everybody else 0)
            assert alike_share == (alike / len(everybody) if everybody else 0)
            assert guess == (pytest.approx(wanted[2] / count) if count else None)
            assert usual == (pytest.approx(wanted[3] / count) if count else None)
            looked_at += count > 0
    assert looked_at > 8


def test_who_also_knows_zip_singles_out_most_patients(demo_con):
    rows = demo_con.execute(
        "select column_name, kept, round(singled_out_share, 3) from tanon.publish_events("
        "'visits', respondent := 'patient', qi := ['sex'], ts := 'admitted', k := 5, "
        "granularities := ['week', '2 weeks', '3 weeks', 'month'], max_suppression := 0.05, "
        "keep := ['diagnosis'], result := 'columns')"
    ).fetchall()
    assert rows == [("age", False, 0.764), ("diagnosis", True, 0.243), ("zip", False, 0.824)]


def test_a_table_of_nothing_else_has_no_rows(con):
    con.execute("create table t as select range % 9 as u, 1 as q, now()::date as t from range(50)")
    call = "from tanon.publish_events('t', respondent := 'u', qi := 'q', ts := 't', k := 5, "
    assert con.execute(call + "granularities := ['day'], result := 'columns')").fetchall() == []
