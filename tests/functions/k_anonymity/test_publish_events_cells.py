"""tanon.publish_events with suppressed cells and a remainder, against trying everything."""

import random
from collections import Counter, defaultdict
from datetime import date, timedelta

import duckdb
import pytest

from oracles.cells import cost, fewest, holds, shown

START = date(2024, 1, 1)
CALL = (
    "from tanon.{}('r', respondent := 'who', qi := {}, ts := 'day', granularities := {}, k := {}, "
    "max_suppression := 0.99, keep := ['note'], allow_identifying := ['note']{})"
)


def days(seed, width, count, largest):
    """Each day is a problem of its own: a few groups of a few respondents, some in several."""
    draw = random.Random(seed)
    rows = []
    for day in range(count):
        for _ in range(draw.randint(1, largest)):
            values = [draw.choice([None, "a", "b"]) for _ in range(width)]
            rows += [
                (draw.randrange(9), *values, START + timedelta(days=day), f"n{len(rows) + n}")
                for n in range(draw.randint(1, 3))
            ]
    return rows


def with_strangers(rows):
    """Half of the respondents have a row each, which somebody else had."""
    return [(who if who < 4 else 100 + i, *row) for i, (who, *row) in enumerate(rows)]


def create(con, rows, width):
    names = [f"q{i}" for i in range(width)]
    columns = ", ".join(f"{name} varchar" for name in names)
    con.execute(f"create or replace table r (who integer, {columns}, day date, note varchar)")
    places = ", ".join("?" * (width + 3))
    con.executemany(f"insert into r values ({places})", rows)
    return names


def by_day(rows):
    """The groups of each day: values, respondents, number of rows."""
    found = defaultdict(lambda: defaultdict(list))
    for who, *values, day, _ in rows:
        found[day][tuple(values)].append(who)
    return {
        day: [(values, set(people), len(people)) for values, people in groups.items()]
        for day, groups in found.items()
    }


def masks_of(rows, released, groups, day):
    """What was hidden in each group of a day; None where its rows are not there."""
    note_of = {note: tuple(values) for _, *values, _, note in rows}
    hidden = defaultdict(set)
    for *values, label, note in released:
        if label == str(day):
            own = note_of[note]
            mask = frozenset(i for i, v in enumerate(values) if v == "*")
            assert tuple(values) == shown(own, mask)
            hidden[own].add(mask)
    assert all(len(masks) == 1 for masks in hidden.values()), "a group is treated as one"
    return [set(next(iter(hidden[values]))) if values in hidden else None for values, *_ in groups]


@pytest.mark.parametrize("strangers", [False, True])
@pytest.mark.parametrize(
    ("width", "count", "largest", "at_most"), [(1, 40, 5, 1.0), (2, 40, 6, 1.05), (3, 15, 4, 1.05)]
)
def test_cells_against_trying_everything(con, width, count, largest, at_most, strangers):
    k, rows = 3, days(width, width, count, largest)
    rows = with_strangers(rows) if strangers else rows
    names = create(con, rows, width)
    options = ", suppression := 'cells'"
    call = CALL.format("publish_events", names, "['day']", k, options)
    released = con.execute(call).fetchall()
    found = least = cells = left_out = 0
    for day, groups in by_day(rows).items():
        masks = masks_of(rows, released, groups, day)
        assert holds(groups, masks, k)
        assert all(mask == set() for (_, people, _), mask in zip(groups, masks, strict=True)
                   if len(people) >= k)  # fmt: skip
        found += cost(groups, masks)
        least += fewest(groups, k)
        cells += sum(n * len(m) for (*_, n), m in zip(groups, masks, strict=True) if m)
        left_out += sum(n for (*_, n), m in zip(groups, masks, strict=True) if m is None)
    assert 0 < least <= found <= at_most * least
    options += ", result := 'summary'"
    summary = CALL.format("publish_events", names, "['day']", k, options)
    told = con.execute(f"select records, suppressed, cells {summary}").fetchall()
    assert told == [(len(rows) - left_out, left_out, cells)]


@pytest.mark.parametrize("searched", ["", ", choose_by := 'least'"])
@pytest.mark.parametrize("strangers", [False, True])
def test_groups_left_out_and_attributes_hidden_are_listed(con, searched, strangers):
    rows = with_strangers(days(5, 2, 12, 5)) if strangers else days(5, 2, 12, 5)
    names = create(con, rows, 2)
    options = ", suppression := 'cells'" + searched
    released = con.execute(CALL.format("publish_events", names, "['day']", 3, options))
    released = released.fetchall()
    options += ", result := 'suppressed'"
    listed = con.execute(CALL.format("publish_events", names, "['day']", 3, options))
    wanted = set()
    for day, groups in by_day(rows).items():
        for (values, people, n), mask in zip(
            groups, masks_of(rows, released, groups, day), strict=True
        ):
            if len(people) < 3:
                hidden = None if mask is None else tuple(names[i] for i in sorted(mask))
                why = "fewer than 3 respondents"
                wanted.add((*values, str(day), len(people), n, why, hidden))
    found = [(*row[:6], row[6] if row[6] is None else tuple(row[6])) for row in listed.fetchall()]
    assert len(found) == len(wanted) and set(found) == wanted
    assert {row[6] for row in found} > {None}


@pytest.mark.parametrize("seed", range(4))
def test_the_remainder_stands_for_what_is_left_out(con, seed):
    k, rows = 3, days(seed, 2, 8 if seed else 1, 5)
    names = create(con, rows, 2)
    ask = CALL.format("publish_events", names, "['day']", k, "")
    with_rest = CALL.format("publish_events", names, "['day']", k, ", remainder := true")
    plain = Counter(con.execute(ask).fetchall())
    found = con.execute(with_rest).fetchall()
    rest = [row for row in found if row[3] is None]
    assert Counter(row[:-1] for row in found if row[3] is not None) == plain
    assert {row[-1] for row in found if row[3] is not None} <= {1}
    out = defaultdict(list)
    for day, groups in by_day(rows).items():
        small = {values for values, people, _ in groups if len(people) < k}
        out[str(day)] = [who for who, *vs, d, _ in rows if tuple(vs) in small and d == day]
    small = {day: people for day, people in out.items() if 0 < len(set(people)) < k}
    large = {day: people for day, people in out.items() if len(set(people)) >= k}
    pooled = [who for people in small.values() for who in people]
    if pooled and len(set(pooled)) < k and large:
        least = min(large, key=lambda day: (len(set(large[day])), day))
        pooled += large.pop(least)
    wanted = {(day, len(people)) for day, people in large.items()}
    if len(set(pooled)) >= k:
        wanted.add(("*", len(pooled)))
    assert {(row[2], row[4]) for row in rest} == wanted and len(rest) == len(wanted)
    assert all(row[:2] == ("*", "*") for row in rest)


def test_a_remainder_without_time(con):
    con.execute(
        "create table r as select i as who, case when i < 9 then 'a' else 'b' || i end as q "
        "from range(14) as _(i)"
    )
    call = (
        "from tanon.publish_events('r', 'who', 'q', k := {}, max_suppression := 0.5, "
        "remainder := true)"
    )
    assert Counter(con.execute(call.format(5)).fetchall()) == {("a", 1): 9, ("*", 5): 1}
    assert Counter(con.execute(call.format(6)).fetchall()) == {("a", 1): 9}


def test_the_remainder_stands_for_groups_outside_limits(con):
    con.execute(
        "create table r as select i as who, case when i < 20 then 'a' else 'b' end as q, "
        "date '2024-01-01' + (i % 2)::integer as day, "
        "case when i < 20 then i % 4 else i % 2 end as dx from range(30) as _(i)"
    )
    ask = (
        "from tanon.publish_events('r', respondent := 'who', qi := ['q'], ts := 'day', k := 3, "
        "granularities := ['day'], max_suppression := 0.5, sensitive := 'dx', "
        "limits := {{'distinct_l': 2}}, remainder := true, for_owner := {})"
    )
    wanted = {("a", "2024-01-01", 1): 10, ("a", "2024-01-02", 1): 10}
    rest = {("*", "2024-01-01", 5): 1, ("*", "2024-01-02", 5): 1}
    assert Counter(con.execute(ask.format("false")).fetchall()) == wanted | rest
    rest = {("*", "2024-01-01", 1): 5, ("*", "2024-01-02", 1): 5}
    owners = con.sql(ask.format("true"))
    assert str(owners.types[-1]) == "BIGINT"
    assert Counter(row[1:] for row in owners.fetchall()) == wanted | rest


def test_too_many_attributes_for_cells(con):
    con.execute(f"create table r as select 1 as who, {', '.join(f'1 as q{i}' for i in range(11))}")
    names = [f"q{i}" for i in range(11)]
    with pytest.raises(duckdb.Error, match="suppression must be 'rows' for more than 10 qi"):
        con.execute(
            f"from tanon.publish_events('r', 'who', {names}, k := 2, suppression := 'cells')"
        )
