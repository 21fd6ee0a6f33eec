"""One row per setting, with the figures of the releases it stands for."""

import pytest
import series_tables

CALL = (
    "from tanon.tune_series('original', 'id', 'series', k := {}, p := {}{}) order by "
    "algorithm, k, p"
)


@pytest.fixture
def series(con):
    walks = series_tables.walks(200, 6, 3)
    series_tables.load(con, walks, [i % 9 for i in range(200)])
    return walks


def rows(con, k="[6, 12]", p="[2, 8]", more=""):
    found = con.execute(CALL.format(k, p, more)).fetchall()
    names = [column[0] for column in con.description]
    return [dict(zip(names, row, strict=True)) for row in found]


def test_every_setting_has_a_row_and_impossible_ones_a_reason(con, series):
    found = rows(con, "[12, 6, 500]", "[8, 2, 1]", ", algorithms := ['naive', 'kapra']")
    settings = [(a, k, p) for a in ("kapra", "naive") for k in (6, 12, 500) for p in (1, 2, 8)]
    assert [(row["algorithm"], row["k"], row["p"]) for row in found] == settings
    reasons = {(row["k"], row["p"]): row["reason"] for row in found}
    assert reasons[6, 2] == reasons[12, 8] == ""
    assert reasons[6, 8] == "P must be at most k"
    assert reasons[500, 2] == "there are fewer than k series (200)"
    assert reasons[12, 1] == "P must be at least 2"
    for row in found:
        assert (row["value_loss"] is None) == (row["reason"] != "")


def test_privacy_costs_utility(con, series):
    found = {(row["k"], row["p"]): row for row in rows(con)}
    assert found[12, 2]["value_loss"] > found[6, 2]["value_loss"]
    assert found[12, 8]["pattern_loss"] > found[12, 2]["pattern_loss"]
    assert found[12, 8]["worst_breach"] <= 1 / 8 < found[12, 2]["worst_breach"] <= 1 / 2
    assert all(
        row["records"] + row["suppressed"] == 200 for row in found.values() if row["records"]
    )


def test_a_setting_is_tried_in_the_scale_asked_for(con, series):
    con.execute("update original set series = list_transform(series, lambda v: v * 10 ** (id % 4))")
    for scale in ("none", "series"):
        more = f", scale := '{scale}'"
        (tried,) = rows(con, "[6]", "[2]", more)
        (made,) = con.execute(
            "select avg(tanon.series_value_loss(low, high)) "
            f"from tanon.publish_series('original', 'id', 'series', 6, 2{more})"
        ).fetchone()
        assert tried["value_loss"] == pytest.approx(made)
        (found,) = rows(con, "[6]", "[2]", f"{more}, algorithms := ['naive']")
        assert found["value_loss"] != pytest.approx(made)


def test_repeated_sensitive_values_show_in_the_worst_breach(con, series):
    plain, sensitive = (
        rows(con, "[12]", "[4]", more)[0] for more in ("", ", sensitive := 'secret'")
    )
    assert sensitive["worst_breach"] > plain["worst_breach"]
    same = ("value_loss", "pattern_loss", "recall", "range_error")
    assert all(plain[name] == sensitive[name] for name in same)


def test_row_order_and_threads_do_not_matter(con, series):
    def figures():
        return [{**row, "seconds": 0} for row in rows(con, more=", sensitive := ['secret']")]

    wanted = figures()
    con.execute("create or replace table original as from original order by hash(id) desc")
    con.execute("set threads = 1")
    assert figures() == wanted


def test_empty_table(con, series):
    con.execute("delete from original")
    assert [row["reason"] for row in rows(con, "[6]", "[2]")] == [
        "there are fewer than k series (0)"
    ]


BAD = [
    ("[0]", "[2]", "", "k must be a list of whole numbers above 0, none twice"),
    ("[5]", "[]", "", "p must be a list of whole numbers above 0, none twice"),
    ("[5, 5]", "[2]", "", "k must be a list of whole numbers"),
    ("[5]", "[2]", ", algorithms := ['kapra', 'best']", "algorithms must be of naive, kapra"),
    ("[5]", "[2]", ", scale := 'size'", "scale must be one of"),
    ("[5]", "[2]", ", queries := 0", "queries must be an integer in"),
]


@pytest.mark.parametrize(("k", "p", "more", "message"), BAD)
def test_wrong_arguments(con, series, k, p, more, message):
    with pytest.raises(Exception, match=f"tanon.tune_series: {message}"):
        rows(con, k, p, more)


def test_wrong_series(con, series):
    con.execute("update original set series = series[2:] where id < 3")
    with pytest.raises(Exception, match=r"series must be finite values of one length.* got 3"):
        rows(con)
    con.execute("delete from original where id < 3; update original set id = 5 where id = 6")
    with pytest.raises(Exception, match="series_id must be unique, got 1 that repeat"):
        rows(con)


def test_a_column_of_numbers_is_a_series_of_one_reading(con, series):
    con.execute("alter table original alter series type integer using 7")
    with pytest.raises(Exception, match=r"series must be finite values of one length \(1\)"):
        rows(con)


@pytest.mark.parametrize("series", ["[[1], [2]]", "['a']", "[{'a': 1}]"])
def test_lists_of_no_numbers_are_told(con, series):
    con.execute(f"create table no_numbers as select i as id, {series} as s from range(9) t(i)")
    with pytest.raises(Exception, match=r"series must be .* lists of numbers .*got 's' of"):
        con.execute("from tanon.tune_series('no_numbers', 'id', 's', [3], [2])")
