"""The summary of tanon.publish_events: the choice, and the counts of the release."""

from collections import Counter

import duckdb
import pytest
from functions.k_anonymity.test_minimal_generalizations import bits, create, people
from functions.k_anonymity.test_publish_events_levels import CALL, QI, preferred, view

from oracles.dated_rows import up
from oracles.generalization import discernibility, respondents


@pytest.mark.parametrize(("seed", "share"), [(6, "0"), (7, "0.2"), (10, "0.2")])
def test_chosen_and_counted(con, seed, share):
    rows, k = people(seed), 2 + seed % 2
    create(con, rows)
    heights, granularity = node = preferred(rows, k, share, "entropy")
    shown = view(rows, heights)
    sets = respondents(shown, "who", QI, "seen", up(granularity))
    large = [people for people in sets.values() if len(people) >= k]
    call = CALL.format("publish_events", k, share, ", result := 'summary'")
    found = con.execute(call)
    ((*told, entropy),) = found.fetchall()
    kept = len(con.execute(CALL.format("publish_events", k, share, "")).fetchall())
    assert told == [
        granularity,
        dict(zip(QI, heights, strict=True)),
        kept,
        len(rows) - kept,
        0,
        len(set().union(*large)),
        len(large),
        min(map(len, large)),
        sum(map(len, large)),
        discernibility(shown, "who", QI, "seen", up(granularity), k),
    ]
    assert entropy == pytest.approx(bits(rows, node, 1 - kept / len(rows)), abs=1e-6)


def test_granularities_alone(demo_con):
    arguments = (
        "'visits', 'patient', ['sex', 'age'], 'admitted', ['month', 'year'], 5, 0.6, keep := 'zip'"
    )
    rows = demo_con.execute(f"from tanon.publish_events({arguments})").fetchall()
    groups = Counter(row[:3] for row in rows)
    arguments += ", result := 'summary'"
    told = demo_con.execute(f"from tanon.publish_events({arguments})").fetchall()[0]
    left_out = 450 - len(rows)
    wanted = sum(n * n for n in groups.values()) + 450 * left_out
    assert told[:4] == ("year", {"sex": 0, "age": 0}, len(rows), left_out)
    assert (told[6], told[9], told[10]) == (len(groups), wanted, None)


def test_an_empty_table(con):
    con.execute("create table r (who integer, q integer)")
    call = "from tanon.publish_events('r', 'who', 'q', k := 4, result := 'summary')"
    assert con.execute(call).fetchall() == [(None, {"q": 0}, 0, 0, 0, 0, 0, None, 0, 0, 0.0)]


def test_what_cannot_be_published_has_no_summary(demo_con):
    for options, message in (
        ("k := 300", "max_suppression must be a share that leaves room"),
        ("k := 3, keep := ['admitted']", "keep must be columns that do not tell who"),
    ):
        options += ", result := 'summary'"
        call = f"from tanon.publish_events('visits', 'patient', 'sex', {options})"
        with pytest.raises(duckdb.Error, match=f"tanon.publish_events: {message}"):
            demo_con.execute(call).fetchall()
