"""One row about a stream, counted again from the rows of tanon.reposition."""

import pytest

ARGUMENTS = "'cases', ts := 'day', sa := 'disease', l := 2, w := 4"


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


@pytest.mark.parametrize("more", ["", ", mu := '2.5*d', beta := 8"])
def test_the_summary_says_what_the_rows_say(demo_con, more):
    rows = demo_con.execute(
        "select day - date '2024-03-01', disease, published_ts - date '2024-03-01', distance, loss"
        f" from tanon.reposition({ARGUMENTS}, for_owner := true{more})"
    ).fetchall()
    cursor = demo_con.execute(f"from tanon.reposition_summary({ARGUMENTS}{more})")
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
    call = "from tanon.reposition_summary('t', ts := 'tm', sa := 's', l := 2, w := 3)"
    assert con.execute(call).fetchall() == [
        (0, 0, 0, None, None, 0.0, 0, 0, 0, {}, None, None, None)
    ]
    con.execute("insert into t values (0, 1), (9, 1), (9, 2)")
    assert con.execute(call).fetchall() == [
        (3, 0, 1, 0.0, 0, 3.0, 10, 9, 10, {0: 2}, pytest.approx(1 / 3), pytest.approx(1 / 3), None)
    ]


def test_what_stopping_early_costs(demo_con):
    call = f"select information_loss from tanon.reposition_summary({ARGUMENTS}, method := '{{}}')"
    losses = [demo_con.execute(call.format(m)).fetchall()[0][0] for m in ("step", "paper")]
    assert losses == [197, 256]
