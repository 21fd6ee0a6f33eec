"""Against tanon.kp_anonymize: own words and the order of rows."""

from attacks import series_walks
from attacks.judging import assert_breaks, assert_holds

CALL = (
    "tanon.kp_anonymize('t', id := 'who', series := 's', k := 4, p := 4, algorithm := 'shared', "
    "sensitive := 'secret', accept := 'secret'{})"
)


def test_the_own_word_finds_nobody_below_p(con):
    series = series_walks.load(con)
    released = series_walks.fetch(con, "from " + CALL.format(""))
    assert "own_pattern" not in released[0] and "who" not in released[0]
    assert series_walks.below(released, series, 4) == 0


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
