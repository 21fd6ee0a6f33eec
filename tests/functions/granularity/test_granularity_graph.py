"""tanon.granularity_graph against the granules themselves."""

from functools import cache

import duckdb
import pytest

from oracles.dated_rows import CALENDARS, create_calendar
from oracles.finer import finer
from oracles.granules import HOUR
from tanon_duck.macros.granularities import GRANULARITIES

# All but those that part hours, which have too many granules, and one of two that are equal.
NAMES = [
    *(g.name for g in GRANULARITIES if g.length > HOUR and g.name != "day_part"),
    "3 days", "2 weeks", "5 weeks", "9 months", "4 years", "36 hours", *CALENDARS,
]  # fmt: skip

is_finer = cache(finer)


def test_directly_coarser_is_what_the_granules_say(con):
    create_calendar(con)
    found = con.execute(
        "from tanon.granularity_graph(?, calendar := 'calendar')", [NAMES]
    ).fetchall()
    pairs = {(a, b) for a in NAMES for b in NAMES if a != b and is_finer(a, b)}
    direct = {
        (a, b) for a, b in pairs if not any((a, c) in pairs and (c, b) in pairs for c in NAMES)
    }
    assert sorted(found) == sorted(direct)


def test_week_and_month_are_not_comparable(con):
    call = "from tanon.granularity_graph(['day', 'week', 'month', 'year']) order by all"
    assert con.execute(call).fetchall() == [("day", "month"), ("day", "week"), ("month", "year")]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["six_hours", "day_part"], "got day_part and six_hours with the same"),
        (["week", "7 days", "day"], "got 7 days and week with the same"),
        (["10 years", "decade"], "got 10 years and decade with the same"),
        (["month", "calendar month"], "got calendar month and month with the same"),
        (["day", "day"], r"none twice, got \[day, day\]"),
        ([], r"got \[\]"),
        (["day", "wek"], "got 'wek'"),
    ],
)
def test_bad_offers(con, names, message):
    create_calendar(con)
    con.execute(
        "insert into calendar select 'calendar month', m, 'm' || m, "
        "timestamp '2024-01-01' + to_months(m::int), timestamp '2024-02-01' + to_months(m::int) "
        "from range(9) as months(m)"
    )
    call = "from tanon.granularity_graph(?::varchar[], calendar := 'calendar')"
    with pytest.raises(duckdb.Error, match=f"tanon.granularity_graph: granularities .*{message}"):
        con.execute(call, [names]).fetchall()
