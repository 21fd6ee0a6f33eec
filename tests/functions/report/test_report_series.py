"""tanon.report_series says what the functions say by which anybody can ask the same."""

import duckdb
import pytest

PUBLISHED = "(select name, p.* from incomes join published_incomes as p using (charity))"
SOURCE = "(select name, incomes as yearly, charity from incomes)"
NAMES = "series_id := 'name', series := 'yearly'"


def facts(con, k=12, p=6):
    rows = con.execute(
        f"from tanon.report_series('{PUBLISHED}', '{SOURCE}', {NAMES}, k := {k}, p := {p}, "
        "sensitive := 'charity')"
    ).fetchall()
    return {(section, fact, about): rest for section, fact, about, *rest in rows}


def test_loss_breach_and_attacks_are_those_of_their_functions(demo_con):
    found = facts(demo_con)
    call = f"'{PUBLISHED}', '{SOURCE}', {NAMES}"
    loss = demo_con.execute(
        f"select suppressed, value_loss, pattern_loss from tanon.series_loss({call})"
    ).fetchall()[0]
    names = ("series left out", "value loss", "pattern loss")
    assert tuple(found["loss", name, None][0] for name in names) == pytest.approx(loss)
    worst = demo_con.execute(
        f"select max(by_both) from tanon.series_breach({call}, sensitive := 'charity')"
    ).fetchall()[0][0]
    assert found["breach", "worst by both", None][:3] == [worst, 1 / 6, True]
    for attack in ("unified", "values", "pattern"):
        rate = demo_con.execute(
            f"select hit_rate from tanon.series_attack({call}, sensitive := 'charity', "
            f"attack := '{attack}')"
        ).fetchall()[0][0]
        assert found["attacks", "inference", attack][0] == rate
    assert ("warnings", "poor words", None) in found


@pytest.mark.parametrize(
    ("k", "p", "ranges", "words"), [(14, 6, True, True), (15, 6, False, True), (12, 7, True, False)]
)
def test_the_promise_is_that_of_the_violations(demo_con, k, p, ranges, words):
    found = facts(demo_con, k, p)
    assert found["promise", "series that share their ranges", None][:3] == [14, k, ranges]
    assert found["promise", "of them, that share their word", None][:3] == [6, p, words]


def test_answers_are_those_of_evaluate_release(demo_con):
    rows = demo_con.execute(
        f"select about, value from tanon.report_series('{PUBLISHED}', '{SOURCE}', {NAMES}, k := "
        f"12, "
        "p := 6, sensitive := 'charity', queries := 50) where section = 'utility'"
    ).fetchall()
    evaluated = demo_con.execute(
        f"from tanon.evaluate_series('{PUBLISHED}', '{SOURCE}', {NAMES}, queries := 50)"
    ).fetchall()
    assert rows == [(query, value) for query, *found in evaluated for value in found]


def test_without_a_sensitive_column_nothing_is_told_of_one(demo_con):
    published = PUBLISHED.replace("p.*", "low, high, word, level")
    rows = demo_con.execute(
        f"from tanon.report_series('{published}', '{SOURCE}', {NAMES}, k := 12, p := 6)"
    ).fetchall()
    found = {row[0] for row in rows}
    assert found == {"release", "promise", "words", "loss"}
    assert all(row[5] for row in rows if row[0] == "promise")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"series_id": "nme"},
            "series_id must be a column of source, got 'nme'; did you mean name?",
        ),
        ({"series": "yealy"}, "series must be columns of source, .*; did you mean yearly?"),
        ({"series": "name"}, "series must be columns of source, .* of type VARCHAR"),
        ({"source": "(select name, [1] as yearly from incomes)"}, "series must be at least 2"),
    ],
)
def test_it_speaks_as_itself(demo_con, change, message):
    arguments = {"source": SOURCE, "series_id": "name", "series": "yearly"} | change
    call = (
        f"from tanon.report_series('{PUBLISHED}', $source, series_id := $series_id, "
        "series := $series, k := 12, p := 6, queries := {queries})"
    )
    for queries in (0, 20):
        with pytest.raises(duckdb.Error, match=rf"tanon\.report_series: {message}"):
            demo_con.execute(call.format(queries=queries), arguments).fetchall()


def test_series_in_several_columns(demo_con):
    demo_con.execute(
        "create table apart as select name, incomes[1] as a, incomes[2] as b, incomes[3] as c "
        "from incomes"
    )
    demo_con.execute(
        "create table of_columns as from tanon.publish_series("
        "'apart', 'name', ['a', 'b', 'c'], k := 6, p := 3, for_owner := true)"
    )
    facts = demo_con.execute(
        "from tanon.report_series('of_columns', 'apart', 'name', ['a', 'b', 'c'], k := 6, p := 3, "
        "queries := 5)"
    ).fetchall()
    assert {"value loss", "pattern loss"} <= {cell for row in facts for cell in row}
