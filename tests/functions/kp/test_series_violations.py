"""The check of a release sees only what is published."""

import numpy as np
import pytest
import series_tables

from oracles.example_tables import normal_walk


@pytest.fixture
def released(con):
    series_tables.load_series(con, normal_walk(120)[:, :4])
    con.execute(
        "create table r as from tanon.publish_series('t', series_id := 'who', series := 's', k "
        ":= 10, "
        "p := 3, sensitive := 'secret', allow_identifying := 'secret', algorithm := 'shared')"
    )
    return con


def problems(con, k=10, p=3, sensitive="'secret'"):
    return con.execute(
        f"select problem, rows, word from tanon.series_violations('r', k := {k}, p := {p}, "
        f"sensitive := {sensitive}) order by all"
    ).fetchall()


def test_a_release_passes_and_a_stricter_promise_fails(released):
    assert problems(released) == []
    small = "select count(*) from (select count(*) as n from r group by {}) where n < {}"
    words = released.execute(small.format("low, high, word, level", 5)).fetchall()[0][0]
    boxes = released.execute(small.format("low, high", 20)).fetchall()[0][0]
    assert len(problems(released, 20, 5)) == words + boxes
    assert words > 0 < boxes


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (
            "delete from r where p_group = 1 and secret <> (select max(secret) from r "
            "where p_group = 1)",
            "fewer than P rows with these ranges have this word",
        ),
        (
            "update r set low = list_transform(low, lambda x: x - 1) where secret = 990",
            "fewer than k rows have these ranges",
        ),
        ("update r set level = 1 where p_group = 2", "ranges and letters do not fit together"),
        (
            "update r set word = word || 'a' where p_group = 2",
            "ranges and letters do not fit together",
        ),
        (
            "update r set word = upper(word) where p_group = 2",
            "ranges and letters do not fit together",
        ),
        (
            "update r set low = high, high = low where k_group = 2",
            "ranges and letters do not fit together",
        ),
        ("update r set low = low[2:] where k_group = 2", "ranges and letters do not fit together"),
    ],
)
def test_what_was_spoilt_is_found(released, spoil, expected):
    released.execute(spoil)
    assert expected in {problem for problem, _, _ in problems(released)}


def test_numbers_of_groups_are_not_believed(released):
    released.execute("update r set k_group = 1, p_group = 1")
    assert problems(released) == []
    released.execute(
        "delete from r where (low, high) = (select (low, high) from r limit 1) "
        "and secret not in (select min(secret) from r group by low, high)"
    )
    assert [(problem, rows) for problem, rows, word in problems(released) if word is None] == [
        ("fewer than k rows have these ranges", 1)
    ]


def test_groups_of_equal_content_are_one(con):
    con.execute(
        "create table r as select n as k_group, n as p_group, [1.0, 2.0] as low, "
        "[3.0, 4.0] as high, 'ab' as word, 2 as level from range(6) as t(n)"
    )
    plain = "['k_group', 'p_group']"
    assert problems(con, 6, 6, plain) == []
    assert [rows for _, rows, _ in problems(con, 7, 7, plain)] == [6, 6]
    assert [rows for _, rows, _ in problems(con, 6, 6, "[]")] == [1] * 12


def test_an_empty_release_passes_and_a_wrong_table_is_refused(con):
    con.execute("create table r (low double[], high double[], word varchar, level integer)")
    assert problems(con, sensitive="[]") == []
    con.execute("alter table r drop column word")
    with pytest.raises(Exception, match=r"release must be .* got one without word"):
        problems(con, sensitive="[]")


@pytest.mark.parametrize("column", ["own_pattern", "who"])
def test_what_was_left_in_shows_and_is_named(con, column):
    walks = normal_walk(120)[:, :4]
    walks[11:] = np.arange(4) * 10 + walks[11:] / 1000  # some of the other 11 keep their pattern
    series_tables.load_series(con, walks)
    con.execute(
        f"create table r as select low, high, word, level, secret, {column} from "
        "tanon.publish_series('t', series_id := 'who', series := 's', k := 10, p := 3, for_owner "
        ":= true, "
        "sensitive := 'secret', allow_identifying := 'secret', algorithm := 'shared')"
    )
    assert any(problem.endswith(f"and the same {column}") for problem, *_ in problems(con))
    assert problems(con, sensitive=f"['secret', '{column}']") == []
