"""Rows through reposition: nothing lost, flows as planned, chosen by secret and not by order."""

import random
import re
import sys
from collections import Counter

import duckdb
import pytest
from tables import create

from oracles import persons
from tanon_duck.algorithms.reposition import stream

CALL = (
    "from tanon.publish_stream('cases', 'day', 'disease', l := 2, w := 4, respondent := 'person'{})"
)
NO_SNAPSHOT = "no l-eligible snapshot within the window could take it"
SECRET = "1f8e0d3cb7a6954823f0e1d2c3b4a5968778695a4b3c2d1e0f00112f3a4b5c6d"


def rows(con, more="", order="order by all"):
    return con.execute(f"{CALL.format(f', for_owner := true{more}')} {order}").fetchall()


def test_every_row_comes_back_once_with_its_columns(demo_con):
    found = rows(demo_con)
    assert Counter(row[:5] for row in found) == Counter(demo_con.execute("from cases").fetchall())
    call = CALL.format(", for_owner := true")
    described = demo_con.execute(f"describe {call}").fetchall()
    assert [(c, t) for c, t, *_ in described][5:] == [
        ("published_ts", "DATE"),
        ("distance", "BIGINT"),
        ("loss", "DOUBLE"),
        ("reason", "VARCHAR"),
    ]
    for row in found:
        day, published, distance, loss, reason = row[0], *row[5:]
        if published is None:
            assert (distance, loss, reason) == (None, 4.0, NO_SNAPSHOT)
        else:
            assert (published - day).days == distance == loss
            assert reason is None
            assert 0 <= distance <= 3


@pytest.mark.parametrize(
    "more",
    [
        "",
        ", move_cost := 'd^2', suppress_cost := 7",
        f", secret := '{SECRET}'",
        ", method := 'paper'",
    ],
)
def test_rows_follow_the_plan_and_published_snapshots_are_eligible(demo_con, more):
    planned = demo_con.execute(CALL.format(more + ", result := 'plan'")).fetchall()
    assert Counter({row[:3]: row[3] for row in planned}) == Counter(
        (row[4], row[0], row[5]) for row in rows(demo_con, more)
    )
    demo_con.execute(f"create table released as {CALL.format(more)}")
    assert (
        demo_con.execute(
            "from tanon.l_diversity_violations('released', groups := 'day', "
            "sensitive := 'disease', l := 2)"
        ).fetchall()
        == []
    )


@pytest.mark.parametrize("keep", [[], ["age"], ["district", "age"]])
def test_what_goes_on_to_anatomy_is_what_the_owner_sees(demo_con, keep):
    call = CALL.format(f", keep := {keep}::varchar[]")
    described = demo_con.execute(f"describe {call}").fetchall()
    assert [c for c, *_ in described] == ["day", "disease", "person", *keep]
    found = demo_con.execute(call).fetchall()
    names = ["day", "person", "age", "district", "disease"]
    seen = rows(demo_con, f", keep := {keep}::varchar[]")
    wanted = [(r[5], r[4], r[1], *(r[names.index(c)] for c in keep)) for r in seen if r[5]]
    assert found == sorted(wanted, key=lambda r: (*r[:2], *r[3:], r[2]))


def test_secret_decides_which_of_equal_records_moves(demo_con):
    first, second = rows(demo_con), rows(demo_con, f", secret := '{SECRET}'")
    assert first != second
    assert Counter((r[0], r[4], r[5]) for r in first) == Counter((r[0], r[4], r[5]) for r in second)
    demo_con.execute("create or replace table cases as from cases order by hash(person)")
    assert rows(demo_con) == first


def test_spellings_of_one_value_hang_on_no_order_of_the_source(con):
    con.execute(
        "create table s (day integer, sick varchar collate nocase, who integer); "
        "insert into s select 1, (['flu', 'Flu', 'FLU'])[1 + i % 3], i from range(60) as r(i) "
        "union all select 1 + i // 10, (['cold', 'Cold', 'ill', 'Ill'])[1 + i % 4], 100 + i "
        "from range(80) as r(i)"
    )
    call = (
        "from tanon.publish_stream('(from s order by {})', 'day', 'sick', l := 2, w := 3, "
        "rows_are_persons := true{}) {}"
    )
    answers = [
        [
            con.execute(call.format(of, *more)).fetchall()
            for of, more in (
                (order, (", keep := 'who'", "")),
                (order, (", for_owner := true", "order by all")),
                (order, (", result := 'plan'", "order by all")),
            )
        ]
        for order in ("who", "who desc", "sha256(who::varchar)")
    ]
    assert answers[0] == answers[1] == answers[2]
    released, owned, plan = answers[0]
    true = con.execute("select who, sick from s").fetchall()
    assert {(who, sick) for _, sick, who in released} < set(true)
    assert sorted((who, sick) for _, sick, who, *_ in owned) == sorted(true)
    assert {sick for sick, *_ in plan} == {"Cold", "FLU", "Ill"}
    assert released == sorted(released, key=lambda row: (row[0], row[1].lower(), *row[1:]))


@pytest.mark.parametrize(
    "more", [", method := 'window'", ", start := 'ilp'", ", method := 'window', move_cost := 'd^2'"]
)
def test_methods_with_the_solver(demo_con, more):
    pytest.importorskip("highspy")
    default = sum(row[7] for row in rows(demo_con, ", move_cost := 'd^2'" if "d^2" in more else ""))
    found = rows(demo_con, more)
    assert len(found) == 468
    if "window" in more:
        assert sum(row[7] for row in found) < default


def test_missing_solver_is_said(demo_con, monkeypatch):
    monkeypatch.setitem(sys.modules, "highspy", None)
    with pytest.raises(
        duckdb.Error, match=r"tanon.publish_stream: method 'window' needs the solver HiGHS"
    ):
        rows(demo_con, ", method := 'window'")


def test_beta_by_value_and_mu_by_distance(demo_con):
    demo_con.execute(
        "create table price as select distinct disease as value, "
        "if(disease = 'flu', 2.5, 40)::decimal(9,1) as cost from cases"
    )
    demo_con.execute("create table way as select d as distance, d * d as cost from range(6) r(d)")
    found = rows(demo_con, ", suppress_cost := 'price', move_cost := 'way'")
    losses = {(row[4] == "flu", row[7]) for row in found if row[5] is None}
    assert losses <= {(True, 2.5), (False, 40.0)}
    assert all(row[7] == row[6] ** 2 for row in found if row[5] is not None)
    assert (
        rows(
            demo_con,
            ", suppress_cost := '(select disease as value, any_value(cost) as cost from price "
            "join cases on disease = value group by all)', move_cost := 'd^2'",
        )
        == found
    )


def test_integer_and_timestamp_columns_keep_their_type(con):
    con.execute("create table t as select unnest([1, 3]) as tm, unnest(['a', null]) as s")
    call = (
        "from tanon.publish_stream('t', ts := 'tm', sensitive := 's', l := 2, w := 3, for_owner "
        ":= true, "
        "rows_are_persons := true{}) "
        "order by all"
    )
    assert con.execute(call.format("")).fetchall() == [
        (1, "a", 3, 2, 2.0, None),
        (3, None, 3, 0, 0.0, None),
    ]
    assert con.execute(call.format(", granularity := 2")).fetchall() == [
        (1, "a", 2, 1, 1.0, None),
        (3, None, 2, 0, 0.0, None),
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("l := 0.5, w := 2", "l must be a rational number greater than 1"),
        ("l := 2, w := 0", "w must be an integer in"),
        ("l := 2, w := 2.5", "w must be an integer in"),
        ("l := 2, w := 2, move_cost := 'log(d)'", "move_cost must be 'd', 'd\\^2', a multiple"),
        ("l := 2, w := 2, move_cost := '0*d'", "move_cost must grow with the distance"),
        (
            "l := 2, w := 3, move_cost := '(select unnest([1, 2]) as distance, unnest([3, 4]) as "
            "cost)'",
            "move_cost must be convex, got a step of 3 from distance 0 to 1 but only 1 from 1 to 2",
        ),
        (
            "l := 2, w := 3, move_cost := '(select unnest([1, 1]) as distance, unnest([3, 4]) as "
            "cost)'",
            "move_cost must give one cost for each distance",
        ),
        (
            "l := 2, w := 3, move_cost := '(select null::int as distance, 0 as cost)'",
            "move_cost must have whole distances, got None",
        ),
        ("l := 2, w := 3, move_cost := 'd^300'", "move_cost must be at most 9000000000000, got"),
        (
            "l := 2, w := 3, suppress_cost := 1e13",
            "suppress_cost must be at most 9000000000000, got",
        ),
        (
            "l := 2, w := 2, suppress_cost := 0",
            "suppress_cost must be a number > 0 or a table with columns value, cost",
        ),
        ("l := 2, w := 2, suppress_cost := -1.5", "suppress_cost must be a number > 0 or a table"),
        (
            "l := 2, w := 2, suppress_cost := '(select ''flu'' as value, 0 as cost)'",
            "suppress_cost must give a cost for every value of disease, got none for",
        ),
        (
            "l := 2, w := 2, suppress_cost := '(select disease as value, 3 as cost from cases)'",
            "suppress_cost must give one cost for each value of disease, got 462 more",
        ),
        (
            "l := 2, w := 2, suppress_cost := '(select distinct disease as value, -3 as cost "
            "from cases)'",
            "suppress_cost must be greater than 0, got -3.0",
        ),
        (
            "l := 2, w := 2, method := 'steps'",
            "method must be one of 'step', 'window', 'paper', got",
        ),
        ("l := 2, w := 2, start := 'cold'", "start must be one of 'stream', 'ilp', got 'cold'"),
        (
            "l := 1, w := 2",
            "l must be a rational number greater than 1 such as 3, 2.5 or '5/2', got 1",
        ),
        ("l := 2, w := 2, secret := 'abc'", "secret must be at least 32 .*, got a text of 3 char"),
        (f"l := 2, w := 2, secret := '{'0' * 64}'", "secret must be .*, got one that can be guess"),
        (
            "l := 2, w := 2, keep := ['age', 'Day']",
            "keep must be columns apart from ts, sensitive and respondent",
        ),
        (
            "l := 2, w := 2, keep := 'disease'",
            "keep must be columns apart from ts, sensitive and respondent",
        ),
        ("l := 2, w := 2, keep := ['zip']", "keep must be columns of source, none twice, got"),
        (
            "l := 2, w := 2, granularity := 'hour'",
            "granularity must be of whole days where ts is a",
        ),
    ],
)
def test_refused(demo_con, arguments, message):
    with pytest.raises(duckdb.Error, match=f"tanon.publish_stream: {message}"):
        demo_con.execute(
            "from tanon.publish_stream('cases', respondent := 'person', ts := 'day', sensitive "
            ":= 'disease', "
            f"{arguments})"
        ).fetchall()


def test_null_time_and_taken_names_are_refused(con):
    con.execute("create table t as select null::date as tm, 1 as s, 2 as loss")
    call = (
        "from tanon.publish_stream('{}', ts := 'tm', sensitive := 's', l := 2, w := 1, "
        "rows_are_persons := true)"
    )
    with pytest.raises(duckdb.Error, match=r"ts must be free of NULL, got 1 rows with NULL in tm"):
        con.execute(call.format("(select tm, s from t)")).fetchall()
    with pytest.raises(
        duckdb.Error, match=r"source must be a relation without columns published_ts, .* loss"
    ):
        con.execute(call.format("(select current_date as tm, s, loss from t)")).fetchall()


def test_covered_snapshots_go_one_way_each(demo_con):
    found = demo_con.execute(CALL.format(", lateness := 'covered', for_owner := true")).fetchall()
    ways = {(row[0], row[5]) for row in found}
    assert len(ways) == 42
    assert any(published is None or published > day for day, published in ways)
    demo_con.execute("create table released as " + CALL.format(", lateness := 'covered'"))
    skewed = (
        "from tanon.l_diversity_violations('released', groups := 'day', sensitive := "
        "'disease', l := 2)"
    )
    assert demo_con.execute(skewed).fetchall() == []


def test_companions_cost_less_than_whole_snapshots(demo_con):
    pytest.importorskip("highspy")
    asked = "select sum(loss) from ({})"
    losses = [
        demo_con.execute(
            asked.format(CALL.format(f", lateness := 'covered', for_owner := true{more}"))
        ).fetchall()[0][0]
        for more in (", method := 'window'", "")
    ]
    assert losses == [340, 632]


def test_who_is_late_and_tells_more_than_the_day_is_not_returned(demo_con, monkeypatch):
    monkeypatch.setattr(stream, "CoveredWindow", stream.StepWindow)
    with pytest.raises(duckdb.Error, match="records that are late and tell more than their snap"):
        demo_con.execute(CALL.format(", lateness := 'covered'"))


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (", lateness := 'some'", "lateness must be one of 'any', 'covered', got 'some'"),
        (
            ", lateness := 'covered', method := 'paper'",
            "Error: tanon.publish_stream: method must be 'step' or 'window' if lateness is "
            "'covered', "
            "got 'paper'",
        ),
        (
            ", lateness := 'covered', start := 'ilp'",
            "Error: tanon.publish_stream: start must be 'stream' if lateness is 'covered', got "
            "'ilp'",
        ),
    ],
)
def test_refused_lateness(demo_con, more, message):
    with pytest.raises(duckdb.Error, match=message):
        demo_con.execute(CALL.format(more))


def test_equal_records_move_each_by_itself(con):
    """Two records that are alike would show by their days that they share their value."""
    con.execute(
        "create table t as select 1 as d, 'a' as s, i // 2 as q from range(200) r(i) "
        "union all select 1, 'b', 1000 + i from range(100) r(i) "
        "union all select 2, 'c' || i % 4, 2000 + i from range(400) r(i)"
    )
    found = con.execute(
        "select count(*) filter (days = 1), count(*) from (select q, count(distinct d) as days "
        "from tanon.publish_stream('t', 'd', 's', 2, 2, keep := 'q', rows_are_persons := true) "
        "where q < 100 group by q)"
    ).fetchall()
    together, pairs = found[0]
    assert pairs == 100
    assert 30 <= together <= 70


def streamed(con, seed, rows=240, persons=25, days=40):
    """A stream in which persons come again, some twice on a day; its rows by day number."""
    draw = random.Random(seed)
    values = ["flu", "flu", "flu", "cold", "gout", "ache", None]
    found = [
        (draw.randrange(days), f"p{draw.randrange(persons)}", draw.choice(values), index % 7)
        for index in range(rows)
    ]
    create(con, "visits", VISITS, [dict(zip(VISITS, row, strict=True)) for row in found])
    return found


VISITS = {"day": "integer", "who": "varchar", "sick": "varchar", "age": "integer"}
OF_VISITS = "'visits', respondent := 'who', ts := 'day', sensitive := 'sick', l := 2, w := 3"


@pytest.mark.parametrize("seed", range(6))
def test_repeats_are_left_out_before_anything_moves(con, seed):
    rows = streamed(con, seed)
    left_out = persons.repeats(rows, 3, SECRET)
    more = f", repeats := 'one', secret := '{SECRET}'"
    found = con.execute(
        f"from tanon.publish_stream({OF_VISITS}{more}, keep := 'age', for_owner := true)"
    ).fetchall()
    told = [row[:4] for row in found if row[7] == "repeat"]
    assert Counter(told) == Counter(rows[index] for index in left_out)
    assert 20 < len(told) < 200
    assert {row[4:7] for row in found if row[7] == "repeat"} == {(None, None, None)}
    assert Counter(row[:4] for row in found) == Counter(rows)
    published = con.execute(
        f"from tanon.publish_stream({OF_VISITS}{more}, keep := 'age')"
    ).fetchall()
    assert Counter(published) == Counter(
        (row[4], row[2], row[1], row[3]) for row in found if row[4] is not None
    )
    met = Counter((day, who) for day, _, who, _ in published)
    assert max(met.values()) == 1
    decided = [row for index, row in enumerate(rows) if index not in left_out]
    create(con, "decided", VISITS, [dict(zip(VISITS, row, strict=True)) for row in decided])
    by_itself = (
        "from tanon.publish_stream('decided', 'day', 'sick', 2, 3, rows_are_persons := true)"
    )
    assert Counter(row[:2] for row in published) == Counter(con.execute(by_itself).fetchall())


def test_a_repeat_hangs_on_no_order_of_the_source(con):
    streamed(con, 1)
    call = f"from tanon.publish_stream({OF_VISITS}, repeats := 'one', keep := 'age')"
    first = con.execute(call).fetchall()
    con.execute("create or replace table visits as from visits order by hash(who, day, sick, age)")
    assert con.execute(call).fetchall() == first
    other = call.replace("keep", f"secret := '{SECRET}', keep")
    assert con.execute(other).fetchall() != first


@pytest.mark.parametrize("seed", range(8))
def test_no_person_has_too_much_of_a_snapshot(con, seed):
    """Persons are few, so that some streams are refused: never one in which nobody could."""
    rows = streamed(con, seed, rows=300, persons=20 + 10 * seed, days=12)
    call = f"from tanon.publish_stream({OF_VISITS})"
    try:
        published = con.execute(call).fetchall()
    except duckdb.InvalidInputException as error:
        assert re.search(
            r"no person must hold more than one l-th of a published snapshot, got [1-9]\d* persons "
            r"who could in [1-9]\d* snapshots: repeats := 'one' publishes a person once",
            str(error),
        )
        gone = con.execute(
            call.replace("respondent := 'who'", "rows_are_persons := true")
        ).fetchall()
        met = Counter(
            (slot, who)
            for slot in {row[0] for row in gone}
            for home, who, *_ in rows
            if slot - 3 < home <= slot
        )
        assert any(2 * n > sum(row[0] == slot for row in gone) for (slot, _), n in met.items())
    else:
        assert not persons.skewed([(day, who, sick) for day, sick, who in published], 2)


def test_a_person_with_two_values_on_a_day_does_not_make_it_eligible(con):
    con.execute("create table visits as select 1 as day, 'p' as who, unnest(['a', 'b']) as sick")
    with pytest.raises(duckdb.Error, match="got 1 persons who could in 1 snapshots"):
        con.execute(f"from tanon.publish_stream({OF_VISITS})")
    found = con.execute(f"from tanon.publish_stream({OF_VISITS}, repeats := 'one')").fetchall()
    assert found == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("l := 2", "respondent must be the column of the respondent, or omitted with "
         "rows_are_persons := true if every record is a different respondent, got NULL"),
        ("respondent := 'person', rows_are_persons := true",
         "rows_are_persons must be false if respondent is given or declared, got true\n"),
        ("rows_are_persons := true, repeats := 'one'",
         "repeats must be 'separate' if every record is a different respondent, got 'one'"),
        ("respondent := 'disease'", "respondent must be a column apart from ts and sensitive, "
                                    "got 'disease'"),
        ("respondent := 'person', keep := 'person'", "keep must be columns apart from ts, "
                                                     "sensitive and respondent"),
        ("respondent := 'person', repeats := 'two'", "repeats must be one of 'separate', 'one', "
                                                     "got"),
        ("respondent := 'nobody'", "respondent must be a column of source, got 'nobody'"),
    ],
)  # fmt: skip
def test_persons_are_named_or_rows_are(demo_con, given, message):
    given = given if "l :=" in given else f"l := 2, {given}"
    with pytest.raises(duckdb.Error, match=f"tanon.publish_stream: {message}"):
        demo_con.execute(f"from tanon.publish_stream('cases', 'day', 'disease', w := 4, {given})")


def test_a_declared_respondent_is_the_person(demo_con):
    told = demo_con.execute("from tanon.set_roles('cases', {'person': 'respondent'})").fetchall()
    for *_, statement in told:
        demo_con.execute(statement)
    found = demo_con.execute("from tanon.publish_stream('cases', 'day', 'disease', l := 2, w := 4)")
    assert [column[0] for column in found.description] == ["day", "disease", "person"]


INTEGERS = ["tinyint", "smallint", "integer", "bigint", "hugeint"]


@pytest.mark.parametrize("type", [*INTEGERS, *(f"u{name}" for name in INTEGERS[:4])])
def test_integer_times_keep_their_type(con, type):
    """At the lower end of a type, too, where a snapshot begins below all that the type holds."""
    least = "0" if type[0] == "u" else str(-128)
    con.execute(
        f"create table t as select ({least} + i)::{type} as t, ['x', 'y'][1 + i % 2] as s "
        "from range(8) r(i)"
    )
    call = (
        "'t', ts := 't', sensitive := 's', l := 1.5, w := 3, granularity := 3, "
        "rows_are_persons := true"
    )
    told = con.execute(f"describe from tanon.publish_stream({call})").fetchall()
    assert dict(row[:2] for row in told)["t"] == type.upper()
    first = con.execute(f"select min(t) from tanon.publish_stream({call})").fetchone()
    assert first == ({"0": 0, "-128": -128 if type == "tinyint" else -129}[least],)
    owned = con.execute(f"describe from tanon.publish_stream({call}, for_owner := true)").fetchall()
    assert dict(row[:2] for row in owned)["published_ts"] == type.upper()


@pytest.mark.parametrize("granularity", ["3", "'hour'", "'90 minutes'"])
def test_a_granularity_that_does_not_fit_is_told(demo_con, granularity):
    got = granularity.strip("'")
    message = f"granularity must be of whole days where ts is a DATE column, got {got}$"
    with pytest.raises(duckdb.Error, match=message):
        demo_con.execute(
            "from tanon.publish_stream('cases', ts := 'day', sensitive := 'disease', l := 2, w "
            ":= 2, "
            f"rows_are_persons := true, granularity := {granularity})"
        ).fetchall()
