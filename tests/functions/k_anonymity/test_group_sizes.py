"""tanon.group_sizes against groups counted one by one."""

from collections import Counter

import duckdb
import pytest

from oracles.dated_rows import create_calendar, create_rows, dated_rows, up
from oracles.generalization import metrics
from oracles.known_columns import groups_of, people

OFFER = ["hour", "day", "month", "fiscal year", "shift", "business_day"]


def expected(rows, granularity):
    function = up(granularity)
    if not metrics(rows, "the one", ["q1", "q 2"], "when", function, 2).feasible:
        return []
    groups, tuples = Counter(), Counter()
    for own in groups_of(rows, "the one", ["q1", "q 2"], "when", function).values():
        size = len(people(own, "the one"))
        groups[size] += 1
        tuples[size] += len(own)
    return [(granularity, size, groups[size], tuples[size]) for size in sorted(groups)]


def test_as_counted_one_by_one(con):
    create_calendar(con)
    for seed in range(10):
        rows = dated_rows(seed)
        create_rows(con, rows)
        found = con.execute(
            "from tanon.group_sizes('events', respondent := 'the one', qi := ['q1', 'q 2'], "
            "ts := 'when', granularities := ?, calendar := 'calendar')",
            [OFFER],
        ).fetchall()
        assert found == [row for name in OFFER for row in expected(rows, name)]


def test_all_metrics_can_be_read_off_them(demo_con):
    call = (
        "'visits', respondent := 'patient', qi := ['sex'], ts := 'admitted', granularities := "
        "['week']"
    )
    ((found,),) = demo_con.execute(
        f"select sum(tuples) filter (frequency < 5) from tanon.group_sizes({call})"
    ).fetchall()
    ((wanted,),) = demo_con.execute(
        f"select suppressed_tuples from tanon.granularity_metrics({call}, k := 5)"
    ).fetchall()
    assert found == wanted == 142


def test_a_wrong_argument_is_named(demo_con):
    with pytest.raises(
        duckdb.Error, match=r"tanon\.group_sizes: respondent must be a column apart from"
    ):
        demo_con.execute(
            "from tanon.group_sizes('visits', respondent := 'sex', qi := ['sex'], ts := "
            "'admitted', "
            "granularities := ['week'])"
        )
