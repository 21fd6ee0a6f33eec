"""Against tanon.publish_series: own words, the order of rows, ties, and what nobody declared."""

import numpy as np
import pytest
import series_tables
from attacks import series_walks, ties
from attacks.judging import assert_breaks, assert_holds

from tanon_duck.algorithms.kp.release import kp_release
from tanon_duck.interfaces.files.outputs import write_arrow

CALL = (
    "tanon.publish_series('t', series_id := 'who', series := 's', k := 4, p := 4, algorithm := "
    "'shared', "
    "sensitive := 'secret', allow_identifying := 'secret'{})"
)


@pytest.mark.quick
def test_the_own_word_finds_nobody_below_p(con):
    series = series_walks.load(con)
    released = series_walks.fetch(con, "from " + CALL.format(""))
    assert "own_pattern" not in released[0] and "who" not in released[0]
    assert series_walks.below(released, series, 4) == 0


@pytest.mark.quick
def test_control_own_pattern_left_in(con):
    series = series_walks.load(con)
    owned = series_walks.fetch(con, "from " + CALL.format(", for_owner := true"))
    assert series_walks.below(owned, series, 4, reads_own_pattern=True) > 30


def hits_by_order(con, order):
    """Within each class, the adversary takes rows to stand in the order of a list of persons."""
    con.execute(
        f"create or replace table released as select * from "
        f"{CALL.format(', for_owner := true')} order by k_group, p_group, {order}"
    )
    return con.execute(
        "select count(*) filter (who = guess), count(*), 1 / avg(n) from (select who, "
        "count(*) over (partition by p_group) as n, nth_value(who, 1) over w as guess, "
        "row_number() over (partition by p_group order by rowid) as place from released "
        "window w as (partition by p_group order by sha256(who) "
        "rows between unbounded preceding and unbounded following)) where place = 1"
    ).fetchall()[0]


def test_the_first_row_of_a_class_is_not_the_first_person(con):
    series_walks.load(con)
    con.execute("update t set secret = hash(who || 'value') % 100000")
    assert_holds(*hits_by_order(con, "secret"))


def test_control_order_by_a_public_hash_of_the_id(con):
    series_walks.load(con)
    assert_breaks(*hits_by_order(con, "sha256(who)"))


def torn(con, algorithm, most):
    """Equal series, of which the groups tear some, and what a public order makes of them."""
    series_tables.load_series(con, np.round(series_tables.walks(400, 3, 3)))
    released = ties.published(
        con,
        "from tanon.publish_series('t', series_id := 'who', series := 's', k := 6, p := 3, "
        f"algorithm := '{algorithm}', for_owner := true)",
    )
    return *released, ties.supposed(con, lambda s: kp_release(s, 6, 3, algorithm, most).k_group)


@pytest.mark.parametrize(("algorithm", "most"), [("naive", 10), ("shared", 26)])
def test_who_of_equal_series_goes_where_is_not_told(con, algorithm, most):
    assert_holds(*ties.right_classes(*torn(con, algorithm, most)))


@pytest.mark.parametrize(("algorithm", "most"), [("naive", 10), ("shared", 26)])
def test_control_ties_in_a_public_order_are_told(con, algorithm, most):
    series, _, public = torn(con, algorithm, most)
    assert_breaks(*ties.right_classes(series, public, public))


def phones_in(con, more, path):
    """How many numbers that nobody declared are found in the bytes of the release."""
    series_walks.load(con)
    con.execute("create table told as select *, 'phone ' || hash(who) as phone from t")
    call = CALL.replace("'t'", "'told'").replace("'secret'", f"['secret'{more}]").format("")
    write_arrow(con.sql(f"from {call}"), path)
    content = path.read_bytes()
    phones = con.execute("select phone from told").fetchall()
    return sum(phone.encode() in content for (phone,) in phones)


def test_what_nobody_declared_stays_home(con, tmp_path):
    assert phones_in(con, "", tmp_path / "o.arrow") == 0


def test_control_a_column_that_is_accepted_leaves(con, tmp_path):
    assert phones_in(con, ", 'phone'", tmp_path / "o.arrow") == 300


def hits_at_the_bounds(con, order):
    series_walks.load(con)
    con.execute("update t set secret = hash(who || 'value') % 100000")
    return series_walks.hits_at_the_bounds(
        con, "from " + CALL.format(", for_owner := true"), "p_group", order
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
    calls = [CALL.format(""), CALL.format("").replace("k := 4, p := 4", "k := 6, p := 5")]
    found = [series_walks.fetch(con, "from " + call) for call in calls]
    for released, least in zip(found, (4, 5), strict=True):
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
    assert sum(0 < n < 4 for n in both) > 30
