"""One row about a stream, counted again from the rows of tanon.publish_stream."""

import pytest

ARGUMENTS = "'cases', respondent := 'person', ts := 'day', sensitive := 'disease', l := 2, w := 4"


def relative_errors(before, after, days, length):
    errors = []
    for value in {value for _, value in before}:
        for opens in range(days - length + 1):
            window = range(opens, opens + length)
            was = sum(before.get((day, value), 0) for day in window)
            now = sum(after.get((day, value), 0) for day in window)
            if was:
                errors.append(abs(now - was) / was)
    return sum(errors) / len(errors) if errors else None


def posteriors(rows):
    """Worst and mean right guesses of somebody who knows each record's way; and by the day alone.

    rows are (day, value, way), way None where a record stayed.
    """
    late = [row for row in rows if row[2] is not None]
    right, by_day, worst = 0, 0, 0
    for day, _, way in late:
        gone = [value for d, value, g in late if (d, g) == (day, way)]
        there = [value for d, value, _ in rows if d == day]
        share = max(map(gone.count, gone)) / len(gone)
        worst = max(worst, share)
        right += share
        by_day += max(map(there.count, there)) / len(there)
    return [worst, right / len(late), by_day / len(late)] if late else [None] * 3


@pytest.mark.parametrize(
    "more",
    [
        "",
        ", move_cost := 'd^2', suppress_cost := 3",
        ", lateness := 'covered'",
        ", lateness := 'covered', method := 'window'",
        ", l := 1.5",
        ", method := 'paper'",
    ],
)
def test_posteriors_are_those_counted_on_the_rows(demo_con, more):
    if "window" in more:
        pytest.importorskip("highspy")
    arguments = ARGUMENTS.replace(", l := 2", "") if "l :=" in more else ARGUMENTS
    rows = demo_con.execute(
        "select day, disease, case when published_ts is null then 'lost' when distance > 0 "
        f"then distance::varchar end from tanon.publish_stream({arguments}{more}, for_owner := "
        f"true)"
    ).fetchall()
    found = demo_con.execute(
        "select worst_posterior, mean_posterior, day_posterior "
        f"from tanon.publish_stream({arguments}{more}, result := 'summary')"
    ).fetchall()[0]
    assert list(found) == pytest.approx(posteriors(rows))
    if "covered" in more and "window" not in more:
        assert found[1] == found[2]


@pytest.mark.parametrize(
    "more", ["", ", move_cost := '2.5*d', suppress_cost := 8", ", lateness := 'covered'"]
)
def test_the_summary_says_what_the_rows_say(demo_con, more):
    rows = demo_con.execute(
        "select day - date '2024-03-01', disease, published_ts - date '2024-03-01', distance, loss"
        f" from tanon.publish_stream({ARGUMENTS}, for_owner := true{more})"
    ).fetchall()
    cursor = demo_con.execute(f"from tanon.publish_stream({ARGUMENTS}{more}, result := 'summary')")
    names = [column[0] for column in cursor.description]
    summary = dict(zip(names, cursor.fetchone(), strict=True))
    before, after, distances = {}, {}, {}
    for day, value, published, distance, _ in rows:
        before[day, value] = before.get((day, value), 0) + 1
        if published is not None:
            after[published, value] = after.get((published, value), 0) + 1
            distances[distance] = distances.get(distance, 0) + 1
    assert summary["records"] == len(rows)
    assert summary["moved"] == sum(n for d, n in distances.items() if d)
    assert summary["suppressed"] == len(rows) - sum(distances.values())
    assert summary["mean_distance"] == sum(d * n for d, n in distances.items()) / sum(
        distances.values()
    )
    assert summary["max_distance"] == max(distances)
    assert summary["information_loss"] == sum(row[4] for row in rows)
    assert summary["distances"] == dict(sorted(distances.items()))
    assert summary["snapshots"] == 42
    skewed = [
        d
        for d in range(42)
        if 2 * max(n for (at, _), n in before.items() if at == d)
        > sum(n for (at, _), n in before.items() if at == d)
    ]
    assert summary["eligible_before"] == 42 - len(skewed) < 42
    assert summary["eligible_after"] == 42
    for length in (1, 7, 30):
        wanted = relative_errors(before, after, 42, length)
        assert summary[f"window_error_{length}"] == pytest.approx(wanted, abs=1e-9)


def test_short_and_empty_streams(con):
    con.execute("create table t (tm int, s int)")
    call = (
        "from tanon.publish_stream('t', 'tm', 's', 2, 3, rows_are_persons := true, result := "
        "'summary')"
    )
    assert con.execute(call).fetchall() == [
        (0, 0, 0, 0, None, None, None, 0.0, 0, 0, 0, {}, *[None] * 6)
    ]
    con.execute("insert into t values (0, 1), (9, 1), (9, 2)")
    third = pytest.approx(1 / 3)
    assert con.execute(call).fetchall() == [
        (3, 0, 1, 0, None, 0.0, 0, 3.0, 10, 9, 10, {0: 2}, third, third, None, 1.0, 1.0, 1.0)
    ]


def test_what_stopping_early_costs(demo_con):
    call = (
        f"select information_loss from tanon.publish_stream({ARGUMENTS}, method := '{{}}', "
        "result := 'summary')"
    )
    losses = [demo_con.execute(call.format(m)).fetchall()[0][0] for m in ("step", "paper")]
    assert losses == [197, 256]
