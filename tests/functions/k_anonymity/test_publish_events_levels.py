"""tanon.publish_events with hierarchies: the levels chosen, applied and counted again."""

from collections import Counter
from fractions import Fraction

import duckdb
import pytest
from functions.k_anonymity.test_minimal_generalizations import (
    GRANULARITIES,
    LEVELS,
    bits,
    create,
    is_finer,
    people,
)

import tanon_duck
from oracles.dated_rows import label, up
from oracles.generalization import acceptable_nodes, minimal_nodes, respondents

CALL = (
    "from tanon.{}('r', respondent := 'who', qi := ['zip', 'age'], ts := 'seen', k := {}, "
    f"granularities := {GRANULARITIES}, calendar := 'calendar', hierarchies := 'h', "
    "max_suppression := {}{})"
)
QI = ["zip", "age"]


def view(rows, heights):
    return [
        {**r, **{q: LEVELS[q][h](r[q]) for q, h in zip(QI, heights, strict=True)}} for r in rows
    ]


def preferred(rows, k, share, choose_by):
    """Of all nodes, or of the minimal ones, the best as a naive reading has it; None if none is.

    What is preferred may also be weights of columns.
    """
    ups = {name: up(name) for name in GRANULARITIES}
    if choose_by in ("gen_s", "least"):
        found = minimal_nodes(rows, "who", QI, "seen", ups, is_finer, LEVELS, k, Fraction(share))
    else:
        found = acceptable_nodes(rows, "who", QI, "seen", ups, LEVELS, k, Fraction(share))
    weights = choose_by if isinstance(choose_by, dict) else {}

    def cost(node):
        gen_m, gen_s, left_out, discernibility = found[node]
        entropy = round(bits(rows, node, left_out, weights), 9)
        first = {
            "gen_s": -gen_s,
            "discernibility": discernibility,
            "least": (gen_m or 0, -gen_s),
        }.get(str(choose_by), entropy)
        place = ["day", "week", "month", "fiscal year"].index(node[1])
        return (first, -gen_s, discernibility, entropy, node[0], place)

    return min(found, key=cost, default=None)


def as_text(value):
    return value if value is None else str(value)


def kept(rows, node, k):
    heights, granularity = node
    shown = view(rows, heights)
    sets = respondents(shown, "who", QI, "seen", up(granularity))
    return [
        (as_text(r["zip"]), as_text(r["age"]), label(granularity, r["seen"]))
        for r in shown
        if len(sets[(r["zip"], r["age"], up(granularity)(r["seen"]))]) >= k
    ]


@pytest.mark.parametrize("choose_by", ["entropy", "gen_s", "discernibility", "least"])
@pytest.mark.parametrize("share", ["0", "0.2"])
def test_the_release_is_what_the_definitions_give(con, share, choose_by):
    published = 0
    for seed in (3, 6, 7, 10):
        rows, k = people(seed), 2 + seed % 2
        con.execute("drop table if exists r; drop table if exists h; drop table if exists calendar")
        create(con, rows)
        node = preferred(rows, k, share, choose_by)
        call = CALL.format("publish_events", k, share, f", choose_by := '{choose_by}'")
        if node is None:
            with pytest.raises(duckdb.Error, match="hierarchies must hold levels that leave"):
                con.execute(call).fetchall()
            continue
        assert Counter(con.execute(call).fetchall()) == Counter(kept(rows, node, k))
        published += 1
    assert published > 1


def types(con, options):
    described = con.execute(
        "describe " + CALL.format("publish_events", 2, "0.9", options)
    ).fetchall()
    return {row[0]: row[1] for row in described}


def test_what_may_be_generalized_is_text(con):
    create(con, people(5))
    assert types(con, "") == {"zip": "VARCHAR", "age": "VARCHAR", "seen": "VARCHAR"}
    fixed = types(con, ", levels := {'age': 0}")
    assert fixed == {"zip": "VARCHAR", "age": "INTEGER", "seen": "VARCHAR"}


def test_null_is_a_value_and_stays(con):
    """Its hierarchy may say what it becomes; where it does not, NULL it stays."""
    con.execute("create table r as select i as who, null::varchar as zip from range(9) as _(i)")
    con.execute("insert into r select 9 + i, 'z' || i from range(9) as _(i)")
    con.execute(
        "create table h as select 'zip' as attribute, 1 as level, 'z' || i as value, "
        "'any' as generalized from range(9) as _(i)"
    )
    call = "from tanon.publish_events('r', 'who', 'zip', k := 3, hierarchies := 'h')"
    assert Counter(con.execute(call).fetchall()) == {(None,): 9, ("any",): 9}
    con.execute("insert into h values ('zip', 1, null, 'any')")
    assert Counter(con.execute(call).fetchall()) == {("any",): 18}


def test_without_time_and_without_hierarchies(con):
    con.execute("create table r as select i as who, i % 2 as q from range(9) as _(i)")
    call = "from tanon.publish_events('r', 'who', 'q', k := {})"
    assert Counter(con.execute(call.format(4)).fetchall()) == {(0,): 5, (1,): 4}
    with pytest.raises(duckdb.Error, match="max_suppression must be a share that leaves room"):
        con.execute(call.format(5)).fetchall()


def test_what_cannot_be_done_names_what_tells_more(con):
    con.execute("create table r as select i as who, 'z' || i as zip, date '2024-01-01' as day "
                "from range(9) as _(i)")  # fmt: skip
    con.execute("create table h as select 'zip' as attribute, 1 as level, zip as value, zip as "
                "generalized from r")  # fmt: skip
    call = (
        "from tanon.publish_events('r', 'who', 'zip', ts := 'day', k := 3, "
        "granularities := ['day'], hierarchies := {})"
    )
    for given, said in (("'h'", "tune_events tells"), ("null", "granularity_metrics tells")):
        with pytest.raises(duckdb.Error, match=f"got none for 9 rows; tanon.{said}"):
            con.execute(call.format(given)).fetchall()


def test_an_empty_table(con):
    con.execute("create table r (who integer, q integer)")
    con.execute("create table h as select 'q' as attribute, 1 as level, 'x' as value, 'y' as "
                "generalized")  # fmt: skip
    call = "from tanon.publish_events('r', 'who', 'q', k := 4, hierarchies := 'h')"
    assert con.execute(call).fetchall() == []


def test_attributes_beside_those_with_a_hierarchy(demo_con):
    demo_con.execute(
        "create table h as select 'age' as attribute, level, age::varchar as value, "
        "(age // (5 * 2 ** level)::int)::varchar as generalized "
        "from (select distinct age from visits), range(1, 5) as levels(level)"
    )
    described = demo_con.execute(
        "describe from tanon.publish_events('visits', respondent := 'patient', qi := ['sex', "
        "'age'], "
        "ts := 'admitted', granularities := ['month', 'year'], k := 5, hierarchies := 'h', "
        "levels := {'sex': 0}, keep := ['diagnosis'])"
    ).fetchall()
    assert [tuple(row[:2]) for row in described] == [
        ("sex", "VARCHAR"), ("age", "VARCHAR"), ("admitted", "VARCHAR"), ("diagnosis", "VARCHAR"),
    ]  # fmt: skip


def test_the_release_is_counted_again(con):
    """With the search made to lie, the release itself is what stops it."""
    create(con, people(5))
    text = tanon_duck.sql(
        "publish_events", source="r", respondent="who", qi=["zip", "age"], k=3, hierarchies="h",
        levels={"zip": 0, "age": 0},
    )  # fmt: skip
    lying = text.replace("having sum(tanon_f) < 3", "having false").replace(
        "coalesce(tanon_suppressed, 0) <= 0 * tanon_rows_of_all", "true"
    )
    assert lying != text
    with pytest.raises(duckdb.Error, match="k must hold in the release, got"):
        con.execute(lying).fetchall()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("levels := {'zip': 2}", "levels must be given only together with hierarchies"),
        ("choose_by := 'most'", "choose_by must be one of 'least'"),
        (
            "choose_by := {'dx': 1}",
            "choose_by must be one of .* weights of columns of qi and of ts",
        ),
        ("k := null", "k must be an integer > 1, got NULL"),
        ("ts := 'seen'", "granularities must be given if ts is given, and only then"),
    ],
)
def test_bad_input(con, change, message):
    create(con, people(5))
    options = change if "k :=" in change else f"k := 2, {change}"
    with pytest.raises(duckdb.Error, match=f"tanon.publish_events: {message}"):
        con.execute(f"from tanon.publish_events('r', 'who', 'zip', {options})").fetchall()
