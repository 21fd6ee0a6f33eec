"""tanon.diversity_metrics against the definitions, and against pycanon where it is there."""

import random

import duckdb
import pytest

from oracles.diversity import equal, hierarchical, of_table, ordered

LEVELS = [lambda v: v if v is None else v // 2, lambda v: v if v is None else v // 5]
DISTANCES = {"equal": equal, "ordered": ordered, "hierarchical": hierarchical(LEVELS)}


def events(seed):
    draw = random.Random(seed)
    return [
        {"who": draw.randrange(9), "q1": draw.choice([None, "a", "b"]), "q2": draw.randrange(2),
         "value": draw.choice([None, 0, 1, 1, 1, 3, 4, 7])}
        for _ in range(draw.choice([1, 12, 40]))
    ]  # fmt: skip


def create(con, rows):
    con.execute("create or replace table r (who integer, q1 varchar, q2 integer, value integer)")
    if rows:
        con.executemany("insert into r values (?, ?, ?, ?)", [list(r.values()) for r in rows])
    con.execute(
        "create or replace table h as select 'VALUE' as attribute, level, v::varchar as value, "
        "(v // ([2, 5])[level])::varchar as generalized "
        "from range(8) as _(v), range(1, 3) as l(level)"
    )
    con.execute("insert into h values ('value', 1, null, null), ('other', 1, 'x', 'y')")


def options(distance, respondent, limits):
    given = f", distance := '{distance}'" + (", respondent := 'who'" if respondent else "")
    given += ", hierarchies := 'h'" if distance == "hierarchical" else ""
    return given + (f", limits := {limits}" if limits else "")


@pytest.mark.parametrize("respondent", [None, "who"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_as_defined(con, distance, respondent):
    for seed in range(4):
        rows = events(seed)
        create(con, rows)
        wanted = of_table(rows, ["q1", "q2"], "value", DISTANCES[distance], respondent, 3)
        call = (
            "from tanon.diversity_metrics('r', groups := ['q1', 'q2'], sensitive := 'value'"
            + options(distance, respondent, "{'recursive_c': 9, 'recursive_l': 3}") + ")"
        )  # fmt: skip
        groups, distinct, *found, holds = con.execute(call).fetchall()[0]
        figures = wanted.values()
        c = [f["recursive_c"] for f in figures]
        assert (groups, distinct) == (len(wanted), min(f["distinct_l"] for f in figures))
        assert found == pytest.approx([
            min(f["frequency_l"] for f in figures),
            min(f["entropy_l"] for f in figures),
            None if None in c else max(c),
            max(f["t"] for f in figures),
            max(f["beta"] for f in figures),
        ], abs=1e-6)  # fmt: skip
        assert holds == (None not in c and max(c) < 9)


def test_an_empty_table(con):
    create(con, events(1))
    con.execute("delete from r")
    call = "from tanon.diversity_metrics('r', 'q1', 'value', limits := {'distinct_l': 5})"
    assert con.execute(call).fetchall() == [(0, None, None, None, None, None, None, True)]


def test_one_person_of_many_visits_makes_nobody_safer(con):
    create(con, [])
    con.execute("insert into r select 1, 'a', 1, 3 from range(30)")
    con.execute("insert into r values (2, 'a', 1, 4), (3, 'a', 1, 4)")
    call = "select frequency_l from tanon.diversity_metrics('r', 'q1', 'value'{})"
    assert con.execute(call.format(", respondent := 'who'")).fetchall() == [(1.5,)]
    assert con.execute(call.format("")).fetchall() == [(32 / 30,)]


def test_as_pycanon_says(con):
    """On a table without NULL, counted by rows, as it does."""
    anonymity = pytest.importorskip("pycanon.anonymity", reason="pycanon is not installed")
    create(con, [r for seed in range(8) for r in events(seed)])
    con.execute("delete from r where q1 is null or value is null")
    frame = con.execute("from r").df()
    qi, sensitive = ["q1", "q2"], ["value"]
    call = "from tanon.diversity_metrics('r', groups := ['q1', 'q2'], sensitive := 'value'{})"
    _, distinct, _, entropy, _, t, beta = con.execute(
        call.format(", distance := 'ordered'")
    ).fetchall()[0]
    assert distinct == anonymity.l_diversity(frame, qi, sensitive)
    assert int(entropy) == anonymity.entropy_l_diversity(frame, qi, sensitive)
    assert t == pytest.approx(anonymity.t_closeness(frame, qi, sensitive))
    assert beta == pytest.approx(anonymity.basic_beta_likeness(frame, qi, sensitive))
    frame["value"] = "v" + frame["value"].astype(str)
    t = con.execute(call.format("")).fetchall()[0][5]
    assert t == pytest.approx(anonymity.t_closeness(frame, qi, sensitive))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("limits := {'l': 2}", "limits must be limits by name such as"),
        ("distance := 'hierarchical'", "hierarchies must be given for distance 'hierarchical'"),
        ("hierarchies := 'h'", "hierarchies must be given for distance 'hierarchical'"),
        ("hierarchies := '(from h where level > 1)', distance := 'hierarchical'", None),
        ("hierarchies := '(from h where value <> ''3'')', distance := 'hierarchical'",
         "hierarchies must generalize every sensitive value on every level once.* such as 3 on"),
        ("hierarchies := '(from h where attribute = ''other'')', distance := 'hierarchical'",
         "hierarchies must have levels of value for distance 'hierarchical', got none"),
        ("respondent := 'value'", "respondent must be a column other than sensitive"),
    ],
)  # fmt: skip
def test_bad_input(con, change, message):
    create(con, events(2))
    con.execute("insert into r values (1, 'a', 1, 3)")
    call = f"from tanon.diversity_metrics('r', ['q1', 'q2'], 'value', {change})"
    if message is None:
        assert con.execute(call).fetchall()
        return
    with pytest.raises(duckdb.Error, match=f"tanon.diversity_metrics: {message}"):
        con.execute(call).fetchall()


def test_pairs_of_respondent_and_value_are_counted(con):
    """As the help says: all five have HIV, and frequency_l is above 2."""
    con.execute(
        "create table r as select i as who, 'g' as q, 'HIV' as ill from range(5) t(i) "
        "union all select 0, 'g', 'other ' || i from range(6) t(i)"
    )
    found = con.execute(
        "select frequency_l from tanon.diversity_metrics('r', groups := ['q'], "
        "sensitive := 'ill', respondent := 'who')"
    ).fetchall()
    assert found == [(2.2,)]
