"""Somebody knows the true day: who is late, and what being late tells about the value."""

import pytest
from attacks.displaced import majority, missing, promised, release, right_by_way, ways
from attacks.judging import assert_breaks, assert_holds

COVERED = [", lateness := 'covered'", ", lateness := 'covered', method := 'window'"]


@pytest.mark.quick
@pytest.mark.parametrize("more", COVERED)
def test_where_the_late_are_covered_nobody_is_known_by_it(demo_con, more):
    if "window" in more:
        pytest.importorskip("highspy")
    release(demo_con, more)
    late = missing(demo_con)
    guess = majority(demo_con)
    hits = sum(value == guess for value, _ in late)
    assert_holds(hits, len(late), promised(demo_con, [day for _, day in late], 2))


@pytest.mark.quick
def test_control_single_late_records_have_the_commonest_value(demo_con):
    release(demo_con)
    late = missing(demo_con)
    guess = majority(demo_con)
    hits = sum(value == guess for value, _ in late)
    assert hits == len(late) > 70
    assert_breaks(hits, len(late), promised(demo_con, [day for _, day in late], 2))


@pytest.mark.parametrize(
    ("call", "hits", "absent"),
    [
        ("l := 2", 36, 36),
        ("l := 3", 114, 114),
        ("l := 2, lateness := 'covered'", 49, 72),
    ],
)
def test_who_is_nowhere_is_guessed_without_the_day(demo_con, call, hits, absent):
    """The help and the guide say these figures; the promise is about published snapshots only."""
    guess = demo_con.execute("select mode(disease) from cases").fetchall()
    found = demo_con.execute(
        f"select disease from tanon.publish_stream('cases', 'day', 'disease', {call}, w := 4, "
        "respondent := 'person', for_owner := true) where published_ts is null"
    ).fetchall()
    assert (sum(row in guess for row in found), len(found)) == (hits, absent)


@pytest.mark.parametrize("more", COVERED)
@pytest.mark.parametrize("l", [2, 3, 4])
def test_even_all_flows_tell_no_more_than_the_day(demo_con, l, more):  # noqa: E741
    if "window" in more:
        pytest.importorskip("highspy")
    late = ways(demo_con, more, call=f"l := {l}, w := 4")
    hits = right_by_way(late)
    allowed = promised(demo_con, [day for _, day, _ in late], l)
    assert_holds(hits, len(late), allowed)
    assert hits <= allowed * len(late) + 1e-9


@pytest.mark.parametrize("more", ["", ", method := 'paper'", ", method := 'window'"])
def test_control_ways_of_single_records_tell(demo_con, more):
    if "window" in more:
        pytest.importorskip("highspy")
    late = ways(demo_con, more)
    assert_breaks(right_by_way(late), len(late), promised(demo_con, [day for _, day, _ in late], 2))


@pytest.mark.parametrize("width", ["2 days", "4 days", "9 days"])
def test_control_a_coarser_published_time_still_tells_who_left_its_granule(demo_con, width):
    late = ways(demo_con, width=width)
    hits = right_by_way(late)
    assert hits == len(late)
    assert_breaks(hits, len(late), promised(demo_con, [day for _, day, _ in late], 2))


def test_control_companions_that_go_another_way_cover_nobody(demo_con):
    """Taken together they look like their day; but who is found a day later is no companion."""
    late = ways(demo_con, call="l := 3, w := 4")
    assert {place for *_, place in late} == {None}
    days = {day for _, day, _ in late}
    others = demo_con.execute("select disease, day from cases where disease <> 'flu'").fetchall()
    moved = [(value, day, "next day") for value, day in others if day in days]
    lost = right_by_way(late)
    assert lost == len(late)
    together = right_by_way([(value, day, None) for value, day, _ in late + moved])
    assert right_by_way(late + moved) - right_by_way(moved) == lost
    assert together < 0.7 * (len(late) + len(moved))
