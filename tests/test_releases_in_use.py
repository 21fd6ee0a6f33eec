"""From series to a release and all that is done with it, through SQL, for every algorithm."""

import pytest

ALGORITHMS = ["naive", "kapra", "kapra_refined", "shared"]
WALKS = """
create table walks as
select n as id, list_transform(range(1, 9), lambda p: list_sum(steps[:p])) as readings,
    list_sum(steps) as secret
from (
    select n, list_transform(range(1, 10), lambda p: hash(n, p) % 2001 / 1000.0 - 1) as steps
    from range(240) as numbers(n)
)
"""


@pytest.fixture(params=ALGORITHMS)
def released(request, con):
    con.execute(WALKS)
    con.execute(
        "create table kept as from tanon.publish_series('walks', series_id := 'id', series := "
        "'readings', "
        f"k := 9, p := 3, algorithm := '{request.param}', sensitive := 'secret', "
        "allow_identifying := 'secret', for_owner := true)"
    )
    con.execute(
        "create table released as select columns(lambda c: c not in ('id', 'own_pattern')) "
        "from kept"
    )
    return request.param


def test_an_adversary_stays_within_the_promise(con, released):
    found = con.execute(
        "select max(by_both), max(by_values), min(possible_by_both) from tanon.series_breach("
        "'released', 'walks', 'id', 'readings', 'secret')"
    ).fetchall()[0]
    assert found[0] <= 1 / 3 + 1e-12
    assert found[1] <= 1 / 9 + 1e-12
    if released.startswith("kapra"):
        suppressed = con.execute("select 240 - count(*) from kept").fetchall()[0][0]
        assert (found[2] >= 3) or suppressed


def test_estimated_ranges_hold_the_true_value_where_words_are_own(con, released):
    rows = con.execute(
        "select readings, low, high, consistent from tanon.estimate_withheld_ranges("
        "'(from tanon.publish_series_parts(''kept'', [1, 2, 4, 5, 8], [1, 2, 3, 4, 6, 7, 8], "
        "keep := ''id'', allow_identifying := ''id''))') "
        "join walks using (id)"
    ).fetchall()
    inside = [
        all(a is None or a <= x <= b for a, x, b in zip(low, own, high, strict=True))
        for own, low, high, _ in rows
    ]
    assert len(rows) > 230
    if released != "shared":
        assert all(inside)
        assert all(row[3] for row in rows)


def test_perturbed_releases_stay_anonymous_and_are_diverse(con, released):
    con.execute(
        "create table diverse as from tanon.publish_perturbed_series("
        "'(select * replace (round(secret) as secret) from released)', 'secret', "
        "l := 3, epsilon := 0.5, for_owner := true)"
    )
    assert (
        con.execute(
            "from tanon.series_violations('diverse', 9, 3, ['secret', 'perturbed'])"
        ).fetchall()
        == []
    )
    assert (
        con.execute("from tanon.series_diversity_violations('diverse', 'secret', 3)").fetchall()
        == []
    )
    assert con.execute("select count(*) from diverse where perturbed").fetchall()[0][0] > 0


def test_queries_and_scores(con, released):
    estimate, error = con.execute(
        "select estimate, standard_error from tanon.count_series_in_ranges('released', "
        "[{'position': 5, 'low': -1, 'high': 1}])"
    ).fetchall()[0]
    truth = con.execute("select count(*) from walks where readings[5] between -1 and 1").fetchall()[
        0
    ][0]
    assert abs(estimate - truth) < 5 * error + 10
    scores = con.execute(
        "select query, recall from tanon.evaluate_series('kept', 'walks', 'id', 'readings', "
        "queries := 100)"
    ).fetchall()
    assert len(scores) == 4
    least = 0.05 if released == "naive" else 0.4
    assert least < dict(scores)["pattern similarity"] <= 1


def test_tune_agrees_with_the_release_it_tries(con, released):
    tried = con.execute(
        "select suppressed, value_loss, pattern_loss from tanon.tune_series('walks', 'id', "
        "'readings', "
        f"k := [9], p := [3], algorithms := ['{released}'], queries := 10)"
    ).fetchall()[0]
    made = con.execute(
        "select suppressed, value_loss, pattern_loss from tanon.series_loss('kept', 'walks', 'id', "
        "'readings')"
    ).fetchall()[0]
    assert tried == pytest.approx(made, rel=1e-6)
