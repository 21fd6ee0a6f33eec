"""tanon.evaluate_events against counts and estimates row by row."""

import random
from datetime import datetime, timedelta

import duckdb
import pytest

from oracles.counted_queries import asked, count, of_time, of_values, summary, values_of
from tanon_duck import set_roles

PUBLISHED = (
    "respondent := 'who', qi := ['zip', 'age'], ts := 'seen', k := 3, "
    "granularities := ['month', 'quarter'], hierarchies := 'h', max_suppression := 0.3, "
    "keep := ['ill'], allow_identifying := ['ill']"
)
CALL = (
    "from tanon.evaluate_events({}, 'r', qi := ['zip', 'age'], ts := 'seen', "
    "granularity := '{}', keep := ['ill'], hierarchies := 'h', levels := {}, queries := 300{})"
)
LEVELS = {
    "zip": [str, lambda v: v[:2] + "*"],
    "age": [str, lambda v: str(v // 10 * 10)],
}


def create(con, seed, people=60):
    """Rows of some people, with NULLs in each attribute, and hierarchies for two of them."""
    draw = random.Random(seed)
    rows = [
        {
            "who": draw.randrange(people),
            "zip": draw.choice([None, "101", "102", "111", "112"]),
            "age": draw.choice([None, *range(20, 44)]),
            "seen": datetime(2024, 1, 1) + timedelta(minutes=draw.randrange(60 * 24 * 200)),
            "ill": draw.choice([None, "flu", "cold", "gout"]),
        }
        for _ in range(3 * people)
    ]
    con.execute(
        "create or replace table r (who integer, zip varchar, age integer, seen timestamp, "
        "ill varchar)"
    )
    con.executemany("insert into r values (?, ?, ?, ?, ?)", [list(r.values()) for r in rows])
    con.execute(
        "create or replace view h as "
        "select 'zip' as attribute, 1 as level, zip as value, zip[:2] || '*' as generalized "
        "from r where zip is not null group by all union all "
        "select 'age', 1, age::varchar, (age // 10 * 10)::varchar from r "
        "where age is not null group by all"
    )
    return rows


def published(con, more=""):
    con.execute(f"create or replace table p as from tanon.publish_events('r', {PUBLISHED}{more})")
    return con.execute(
        "select granularity, levels, suppressed "
        f"from tanon.publish_events('r', {PUBLISHED}{more}, result := 'summary')"
    ).fetchone()


def spans(con, granularity):
    """From when to when each label is, and all of them under *."""
    found = {
        label: (start, end)
        for label, start, end in con.execute(
            f"select tanon.granule_label(seen, '{granularity}'), "
            f"tanon.granule_start(seen, '{granularity}'), tanon.granule_end(seen, '{granularity}') "
            "from r group by all"
        ).fetchall()
    }
    found["*"] = (min(s for s, _ in found.values()), max(e for _, e in found.values()))
    return found


def wanted_of(con, rows, made, remainder):
    granularity, levels, _ = made
    when, names = spans(con, granularity), ["seen", "zip", "age", "ill"]
    columns = con.execute("describe p").fetchall()
    released = [
        dict(zip([c[0] for c in columns], row, strict=True))
        for row in con.execute("from p").fetchall()
    ]
    values = {name: values_of(rows, name) for name in names}

    def covers(row, name, value):
        if row[name] == "*":
            return True
        at = LEVELS[name][levels[name]] if name in LEVELS else str
        return row[name] == (value if value is None else at(value))

    def share(row, name, wanted):
        if name == "seen":
            after = max(wanted) + timedelta(microseconds=1)
            return of_time(*when[row["seen"]], min(wanted), after)
        is_rest = remainder and name == "ill" and row["zip"] == row["age"] == "*"
        if is_rest and row["ill"] is None:
            return of_values(values[name], lambda _: True, wanted)
        return of_values(values[name], lambda value: covers(row, name, value), wanted)

    def estimate(query):
        total = 0
        for row in released:
            part = row.get("stands_for", 1)
            for name, wanted in query.items():
                part = part * float(share(row, name, wanted))
            total += part
        return total

    return summary(rows, [(count(rows, q), estimate(q)) for q in asked(rows, names, 300)])


@pytest.mark.parametrize(
    ("more", "evaluated"),
    [
        ("", ""),
        (", levels := {'zip': 0}", ""),
        (", suppression := 'cells', remainder := true", ", records := 'stands_for'"),
        (", remainder := true", ", records := 'stands_for'"),
    ],
)
def test_as_row_by_row(con, more, evaluated):
    rows = create(con, len(more))
    made = published(con, more)
    call = CALL.format("'p'", made[0], str(made[1]), evaluated)
    wanted = wanted_of(con, rows, made, bool(evaluated))
    found = con.execute(call).fetchall()
    assert [row[0] for row in found] == list(wanted)
    for selectivity, queries, relative, ninth, absolute in found:
        number, of_truth, in_rows = wanted[selectivity]
        assert queries == number
        assert relative == (None if of_truth is None else pytest.approx(of_truth, abs=1e-9))
        assert absolute == (None if in_rows is None else pytest.approx(in_rows, abs=1e-9))
        assert ninth is None or ninth >= relative
    assert sum(row[1] for row in found[:-1]) == found[-1][1] == 300


def test_what_leaves_as_it_is_answers_exactly(con):
    create(con, 2)
    call = (
        "from tanon.evaluate_events('r', 'r', qi := ['zip', 'age', 'seen'], keep := ['ill'], "
        "queries := 200)"
    )
    found = con.execute(call).fetchall()
    assert {value for row in found for value in row[2:]} <= {0.0, None}
    assert found[-1][1] == 200


def test_the_same_queries_for_every_release_and_row_order(con):
    create(con, 3)
    made = published(con)
    call = CALL.format("'p'", made[0], str(made[1]), "")
    first = con.execute(call).fetchall()
    con.execute("create or replace table p as from p order by random()")
    con.execute("create or replace table r as from r order by random()")
    con.execute("set threads = 1")
    assert con.execute(call).fetchall() == first
    half = con.execute(CALL.format("'(from p limit 20)'", made[0], str(made[1]), "")).fetchall()
    assert [row[:2] for row in half] == [row[:2] for row in first]
    assert half[-1][2] > first[-1][2]
    other = con.execute(call.replace("queries := 300", "queries := 300, seed := 1")).fetchall()
    assert other != first


def test_nothing(con):
    create(con, 4)
    call = CALL.format("'(from p where false)'", "month", "{'zip': 0}", "")
    con.execute("create table p as select zip, age, 'x' as seen, ill from r")
    (*_, everything) = con.execute(call).fetchall()
    assert everything[1:3] == (300, 1.0)
    con.execute("delete from r")
    assert con.execute(call).fetchall()[-1] == ("all", 0, None, None, None)


def test_roles_are_those_of_the_source(con):
    """A release has none: what it was made of tells them."""
    create(con, 6)
    con.execute("create table p as select zip, age, strftime(seen, '%Y-%m') as seen, ill from r")
    call = "from tanon.evaluate_events('p', 'r'{}, granularity := 'month')"
    named = con.execute(call.format(", qi := ['zip', 'age'], ts := 'seen'")).fetchall()
    set_roles(con, "r", respondent="who", quasi_identifiers=["zip", "age"], time="seen")
    assert con.execute(call.format("")).fetchall() == named


READ_OFF = (
    "from tanon.evaluate_events('p', 'r', qi := ['zip', 'age'], ts := 'seen', "
    "granularity := ['day', 'week', 'month', 'quarter'], keep := ['ill'], hierarchies := 'h', "
    "queries := 300{})"
)


@pytest.mark.parametrize(
    ("more", "records"),
    [
        ("", ""),
        (", levels := {'zip': 0}", ""),
        (", levels := {'zip': 0}, suppression := 'cells'", ""),
        (", suppression := 'cells', remainder := true", ", records := 'stands_for'"),
    ],
)
def test_granularity_and_levels_are_read_off_the_release(con, more, records):
    for seed in range(4):
        create(con, seed)
        granularity, levels, _ = published(con, more)
        given = con.execute(CALL.format("'p'", granularity, str(levels), records)).fetchall()
        assert con.execute(READ_OFF.format(records)).fetchall() == given


def test_a_release_that_may_be_read_in_several_ways_is_refused(con):
    """Words that two levels share, though they stand for other values; labels likewise."""
    con.execute(
        "create table r as select v as q, date '2024-01-01' + (14 * i)::int as t "
        "from (values ('a'), ('b'), ('b')) as s(v), range(5) as n(i)"
    )
    con.execute(
        "create table h as select * from (values ('q', 1, 'a', 'A'), ('q', 1, 'b', 'B'), "
        "('q', 2, 'a', 'A'), ('q', 2, 'b', 'A')) as t(attribute, level, value, generalized)"
    )
    con.execute("create table p as select 'A' as q from range(5)")
    call = "from tanon.evaluate_events('p', 'r', qi := ['q'], hierarchies := 'h'{})"
    with pytest.raises(duckdb.Error, match=r"levels must be .* q may be on level 1 or 2"):
        con.execute(call.format(""))
    one, two = (con.execute(call.format(f", levels := {{'q': {n}}}")).fetchall() for n in (1, 2))
    assert one != two
    con.execute("insert into p select 'A' from range(5)")  # more than level 1 has
    assert (
        con.execute(call.format("")).fetchall()
        == con.execute(call.format(", levels := {'q': 2}")).fetchall()
    )
    con.execute("create or replace table p as select q, t::varchar as t from r where q = 'b'")
    call = "from tanon.evaluate_events('p', 'r', qi := ['q'], ts := 't', granularity := {})"
    with pytest.raises(
        duckdb.Error, match="granularity must be that of the release, got 2 weeks or d"
    ):
        con.execute(call.format("['day', '2 weeks', 'month']"))
    with pytest.raises(duckdb.Error, match="granularity must be that of the release, got none"):
        con.execute(call.format("['month', 'year']"))


def test_declared_roles_are_enough(con):
    create(con, 6)
    set_roles(
        con, "r", respondent="who", time={"seen": "month, quarter"}, keep=["ill"],
        quasi_identifiers={"zip": "prefixes 2", "age": "intervals 10"},
    )  # fmt: skip
    con.execute(
        "create table p as from tanon.publish_events('r', k := 3, max_suppression := 0.3, "
        "allow_identifying := ['ill'])"
    )
    (chosen,) = con.execute(
        "select granularity, levels from tanon.publish_events('r', k := 3, "
        "max_suppression := 0.3, allow_identifying := ['ill'], result := 'summary')"
    ).fetchall()
    given = con.execute(
        "from tanon.evaluate_events('p', 'r', granularity := $g, levels := $l, keep := ['ill'])",
        {"g": chosen[0], "l": chosen[1]},
    ).fetchall()
    assert con.execute(
        "from tanon.evaluate_events('p', 'r', keep := ['ill'])"
    ).fetchall() == given  # fmt: skip


@pytest.mark.parametrize(
    ("release", "arguments", "message"),
    [
        ("p", "ts := 'seen', granularity := 'year'", "release must hold values of source .* got"),
        ("(from p select zip, age)", "ts := 'seen', granularity := 'year'", "ts must be a column"),
        ("p", "ts := 'seen'", "granularity must be given if ts is given"),
        ("p", "levels := {'zip': 1}", "levels must be given only together with hierarchies"),
        ("p", "hierarchies := 'h', levels := {'zip': 7}", "levels must be those at which"),
        ("p", "hierarchies := 'h', levels := {'zop': 1}", "levels must be levels of columns"),
        ("p", "keep := ['zip']", "keep must be columns apart from qi"),
        ("p", "queries := 0", "queries must be"),
        ("(select *, -1 as n from r)", "records := 'n'", "records must hold whole numbers"),
    ],
)
def test_bad_input(con, release, arguments, message):
    create(con, 5)
    con.execute("create table p as select zip, age, strftime(seen, '%Y-%m') as seen, ill from r")
    with pytest.raises(duckdb.Error, match=f"tanon.evaluate_events: {message}"):
        con.execute(
            f"from tanon.evaluate_events('{release}', 'r', qi := ['zip', 'age'], {arguments})"
        ).fetchall()
