"""Against tanon.publish_series_ranges: the readings, ties, the order of rows, and an id left in."""

import numpy as np
import pytest
import series_tables
from attacks import series_walks, ties
from attacks.judging import assert_breaks, assert_holds

from tanon_duck.algorithms.kp.release import k_groups
from tanon_duck.interfaces.files.outputs import write_arrow

CALL = (
    "from tanon.publish_series_ranges('t', series_id := 'who', series := 's', k := 5, "
    "sensitive := 'secret', allow_identifying := 'secret'{})"
)


@pytest.mark.quick
def test_readings_find_k_rows(con):
    series = series_walks.load(con)
    released = series_walks.fetch(con, CALL.format(""))
    assert "who" not in released[0]
    assert series_walks.below(released, series, 5) == 0
    assert [r["k_group"] for r in released] == sorted(r["k_group"] for r in released)


@pytest.mark.quick
def test_control_an_id_left_in_names_every_row(con):
    series_walks.load(con)
    owned = series_walks.fetch(con, CALL.format(", for_owner := true"))
    assert len({row["who"] for row in owned}) == len(owned) == 300


def phones_in(con, more, path):
    """How many values of a column that nobody declared are found in the bytes of the release."""
    series_walks.load(con)
    con.execute("alter table t add column phone varchar")
    con.execute("update t set phone = 'call ' || rowid || ';'")
    call = CALL.format("").replace("'secret'", f"['secret'{more}]")
    write_arrow(con.sql(call), path)
    content = path.read_bytes()
    return sum(f"call {row};".encode() in content for row in range(300))


def test_what_nobody_declared_stays_home(con, tmp_path):
    assert phones_in(con, "", tmp_path / "o.arrow") == 0


def test_control_a_column_that_is_accepted_leaves(con, tmp_path):
    assert phones_in(con, ", 'phone'", tmp_path / "o.arrow") == 300


def torn(con):
    """Equal series, of which the groups tear some, and what a public order makes of them."""
    series_tables.load_series(con, np.round(series_tables.walks(400, 3, 3)))
    released = ties.published(con, CALL.format(", for_owner := true"))
    return *released, ties.supposed(con, lambda series: k_groups(series, 5, "exchange")[0])


def test_who_of_equal_series_goes_where_is_not_told(con):
    assert_holds(*ties.right_classes(*torn(con)))


def test_control_ties_in_a_public_order_are_told(con):
    series, _, public = torn(con)
    assert_breaks(*ties.right_classes(series, public, public))


def hits_by_order(con, order):
    """The adversary takes the rows of a group to stand in the order of a public hash of names."""
    con.execute(
        "create or replace table released as select * "
        f"{CALL.format(', for_owner := true')} order by k_group, {order}"
    )
    return con.execute(
        "select count(*) filter (who = guess), count(*), avg(1 / n) from (select who, "
        "count(*) over (partition by k_group) as n, "
        "nth_value(who, place) over w as guess from (select *, row_number() over ("
        "partition by k_group order by rowid) as place from released) "
        "window w as (partition by k_group order by sha256(who) "
        "rows between unbounded preceding and unbounded following))"
    ).fetchall()[0]


def test_no_row_of_a_group_stands_where_its_person_does(con):
    series_walks.load(con)
    con.execute("update t set secret = hash(who || 'value') % 100000")
    assert_holds(*hits_by_order(con, "secret"))


def test_control_groups_in_a_public_order(con):
    series_walks.load(con)
    assert_breaks(*hits_by_order(con, "sha256(who)"))


def hits_at_the_bounds(con, order):
    series_walks.load(con)
    con.execute("update t set secret = hash(who || 'value') % 100000")
    return series_walks.hits_at_the_bounds(
        con, CALL.format(", for_owner := true"), "k_group", order
    )


def test_who_reaches_a_bound_may_be_anybody_of_the_class(con):
    """A range is as narrow as its class allows: somebody has each of its ends, nobody says who."""
    assert_holds(*hits_at_the_bounds(con, "secret"))


def test_control_rows_in_the_order_of_their_readings_say_who_reaches_it(con):
    assert_breaks(*hits_at_the_bounds(con, "own desc"))


def test_control_two_releases_of_one_table_add_up(con):
    """Not promised, and said so: a rare sensitive value joins the rows of both."""
    series = series_walks.load(con)
    con.execute("update t set secret = rowid")
    calls = [CALL.format(""), CALL.format("").replace("k := 5", "k := 6")]
    found = [series_walks.fetch(con, call) for call in calls]
    for released, least in zip(found, (5, 6), strict=True):
        assert series_walks.below(released, series, least) == 0
    both = [
        len(
            set.intersection(
                *(
                    {row["secret"] for row in series_walks.rows_that_fit(released, own, False)}
                    for released in found
                )
            )
        )
        for own in series
    ]
    assert sum(0 < n < 5 for n in both) > 30
