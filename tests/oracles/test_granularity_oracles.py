"""The oracles themselves, held against the paper's printed values and against each other."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.generalization import (
    cost,
    exhaustive_least,
    least_by_the_paper,
    metrics,
    procedure_2,
)
from oracles.granules import BUILT_IN, clock_never_set_back, granule, instant, moment

TABLE_3 = [
    {"respondent": "u1", "q": "q1", "t": datetime(2006, 1, 3), "d": "d0"},
    {"respondent": "u2", "q": "q1", "t": datetime(2006, 1, 3), "d": "d1"},
    {"respondent": "u1", "q": "q1", "t": datetime(2006, 1, 11), "d": "d2"},
    {"respondent": "u4", "q": "q1", "t": datetime(2006, 1, 12), "d": "d3"},
    {"respondent": "u5", "q": "q2", "t": datetime(2006, 2, 7), "d": "d4"},
    {"respondent": "u6", "q": "q2", "t": datetime(2006, 2, 10), "d": "d5"},
]
FINER = {("day", "week"), ("day", "month"), ("day", "year"), ("month", "year")}


def finer(g, h):
    return g == h or (g, h) in FINER


def up(granularity):
    def index(ts):
        found = granule(granularity, instant(ts))
        return None if found is None else found.index

    return index


UPS = {name: up(name) for name in ("day", "week", "month", "year")}


def all_metrics(rows, k, max_suppression=0.0):
    return {
        name: metrics(rows, "respondent", ["q"], "t", function, k, max_suppression)
        for name, function in UPS.items()
    }


def test_the_printed_values_of_table_3():
    found = all_metrics(TABLE_3, 2)
    assert not found["day"].acceptable
    assert found["day"].gen_m == 1
    assert (found["week"].gen_m, found["week"].gen_s) == (2, 6)
    assert (found["month"].gen_m, found["month"].gen_s) == (2, 5)
    assert exhaustive_least(found, finer) == {"week"}
    assert least_by_the_paper(TABLE_3, "respondent", ["q"], "t", UPS, finer, 2)[0] == "week"


@pytest.mark.parametrize("rows", [[], TABLE_3[:1]])
def test_empty_and_one_row_tables(rows):
    assert procedure_2(rows, "respondent", ["q"], "t", UPS["day"], 1) == (
        (1, 1) if rows else (None, 0)
    )
    assert all_metrics(rows, 2)["year"].acceptable is not bool(rows)


row = st.fixed_dictionaries(
    {
        "respondent": st.integers(1, 6),
        "q": st.sampled_from([None, 0, 1]),
        "t": st.integers(0, 800).map(lambda d: datetime(2023, 1, 1) + timedelta(days=d // 40 * 37)),
    }
)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.lists(row, max_size=30), st.integers(2, 4))
def test_the_literal_procedures_agree_with_the_definitions(rows, k):
    ordered = [r | {"q": -1 if r["q"] is None else r["q"]} for r in rows]
    found = all_metrics(ordered, k)
    for name, function in UPS.items():
        literal = procedure_2(ordered, "respondent", ["q"], "t", function, k)
        expected = (found[name].gen_m, found[name].gen_s) if found[name].acceptable else None
        assert literal == expected
    least, looked_at = least_by_the_paper(ordered, "respondent", ["q"], "t", UPS, finer, k)
    best = exhaustive_least(found, finer)
    assert (least in best) if best else (least is None)
    assert len(looked_at) == len(set(looked_at))
    if best:
        assert cost(found[least]) == min(cost(m) for m in found.values() if m.acceptable)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(
    st.datetimes(datetime.min, datetime.max),
    st.sampled_from([*BUILT_IN, "15 minutes", "3 days", "5 weeks", "7 months", "33 years"]),
)
def test_granules_follow_each_other(ts, granularity):
    here = granule(granularity, instant(ts))
    if here is None:
        assert ts.weekday() >= 5
        return
    assert here.start <= instant(ts) < here.end
    after = granule(granularity, here.end) or granule(granularity, here.end + 2 * 86_400_000_000)
    if after is not None:
        assert after.index == here.index + 1
        assert after.label > here.label
        assert after.start >= here.end


def test_a_granule_of_1970_has_index_nought():
    for name in (*BUILT_IN, "15 minutes", "3 days", "5 weeks", "7 months", "33 years"):
        assert granule(name, instant(datetime(1970, 1, 1))).index == 0, name


def test_the_clock_is_never_set_back():
    before_midnight = datetime(2009, 11, 1, 2, 0, tzinfo=UTC).replace(tzinfo=None)
    shown = [
        clock_never_set_back(before_midnight + timedelta(minutes=m), "America/St_Johns")
        for m in range(0, 150, 10)
    ]
    assert shown == sorted(shown)
    assert shown[0] == datetime(2009, 10, 31, 23, 30)
    assert shown[4] == datetime(2009, 11, 1, 0, 0, 59, 999_999)
    assert moment(instant(shown[-1])) == datetime(2009, 11, 1, 0, 50)
