"""The suppressed groups of tanon.publish_events, and the granularity that keeps each."""

from fractions import Fraction

from functions.k_anonymity.test_publish_events import LENGTH, OFFER, call, chosen

from oracles.dated_rows import create_calendar, create_rows, dated_rows, label, up
from oracles.generalization import metrics, respondents, suppressed_groups

QI = ["q1", "q 2"]


def keeper(rows, members):
    """The shortest granularity on offer that holds every one of these rows with two people."""
    for name in sorted(OFFER, key=LENGTH.get):
        sets = respondents(rows, "the one", QI, "when", up(name))
        feasible = metrics(rows, "the one", QI, "when", up(name), 2, Fraction(1)).feasible
        if feasible and all(
            len(sets[(r["q1"], r["q 2"], up(name)(r["when"]))]) >= 2 for r in members
        ):
            return name
    return None


def test_groups_and_what_would_have_kept_them(con):
    create_calendar(con)
    seen = set()
    for seed in range(16):
        rows = dated_rows(seed)
        create_rows(con, rows)
        best = chosen(rows, 2, "0.6")
        if best is None:
            continue
        groups = suppressed_groups(rows, "the one", QI, "when", up(best), 2)
        wanted = set()
        for value, frequency in groups.items():
            members = [r for r in rows if (r["q1"], r["q 2"], up(best)(r["when"])) == value]
            shown = label(best, members[0]["when"])
            why = "fewer than 2 respondents"
            wanted.add((*value[:2], shown, frequency, len(members), why, keeper(rows, members)))
        text = call(2, "0.6", result="suppressed")
        found = con.execute(text).fetchall()
        assert set(found) == wanted
        assert len(found) == len(wanted)
        seen |= {row[-1] for row in found}
    assert None in seen
    assert len(seen) > 1


def test_nothing_suppressed_gives_no_row(demo_con):
    assert (
        demo_con.execute(
            "from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], "
            "ts := 'admitted', granularities := ['year'], k := 5, result := 'suppressed')"
        ).fetchall()
        == []
    )
