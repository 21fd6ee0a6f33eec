"""tanon.hierarchies: the rows of all builders in one table, which the search takes as it is."""

import duckdb
import pytest

from tanon_duck import set_roles

WAYS = {
    "age": "intervals 5, 10 from 1 below 18 above 60",
    "zip": "prefixes 4, 3",
    "sex": "list",
    "admitted": "dates month, year",
    "stay": "quantiles 4, 2",
    "diagnosis": "parents part_of(what, whole)",
}
CALLS = [
    "from tanon.interval_hierarchy('v', 'age', [5, 10], origin := 1, bottom := 18, top := 60)",
    "from tanon.prefix_hierarchy('v', 'zip', [4, 3])",
    "from tanon.list_hierarchy('v', 'sex')",
    "from tanon.date_hierarchy('v', 'admitted', ['month', 'year'])",
    "from tanon.quantile_hierarchy('v', 'stay', [4, 2])",
    "from tanon.parent_hierarchy('v', 'diagnosis', 'part_of', 'what', ['whole'])",
]


@pytest.fixture
def visits(demo_con):
    demo_con.execute("create table v as select *, age % 13 as stay from visits")
    demo_con.execute(
        "create table part_of as select distinct diagnosis as what, left(diagnosis, 1) as whole "
        "from visits"
    )
    return demo_con


def test_as_the_builders_one_by_one(visits):
    together = visits.execute("from tanon.hierarchies('v', $ways)", {"ways": WAYS}).fetchall()
    assert sorted(together) == sorted(visits.execute(" union all ".join(CALLS)).fetchall())


def test_the_search_takes_them_and_its_checks_pass(visits):
    """A lattice that ends in * on all attributes has a choice for any k up to all people."""
    visits.execute("create table h as from tanon.hierarchies('v', $ways)", {"ways": WAYS})
    call = """from tanon.minimal_generalizations('v', respondent := 'patient', qi := {}, k := 300,
        hierarchies := '(from h where attribute in {})')"""
    for qi in (["age", "zip"], ["sex", "diagnosis"], ["stay", "sex"]):
        names = "(" + ", ".join(f"''{q}''" for q in qi) + ")"
        found = visits.execute(call.format(qi, names)).fetchall()
        assert found, qi


def test_what_is_declared_is_taken(visits):
    set_roles(
        visits, "v", quasi_identifiers={"age": "intervals 10", "zip": "prefixes 3", "sex": ""}
    )
    wanted = visits.execute(
        "from tanon.hierarchies('v', {'age': 'intervals 10', 'zip': 'prefixes 3'})"
    ).fetchall()
    assert sorted(visits.execute("from tanon.hierarchies('v')").fetchall()) == sorted(wanted)
    set_roles(visits, "v", respondent="patient")
    given = "respondent := 'patient', qi := ['zip', 'age', 'sex'], k := 3"
    explicit = visits.execute(
        f"from tanon.minimal_generalizations('v', {given}, hierarchies := "
        "'(from tanon.hierarchies(''v''))')"
    ).fetchall()
    implied = visits.execute("from tanon.minimal_generalizations('v', k := 3)")
    assert [name for name, *_ in implied.description][:3] == ["zip", "age", "sex"]
    assert sorted(implied.fetchall()) == sorted(explicit)


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        (
            "{'age': 'quantils 4'}",
            r"hierarchies: specifications must be .*, got 'quantils 4' for age; did you mean "
            r"'quantiles'\?",
        ),
        ("{'age': 'intervals 5 above 90 below 18'}", "from 1 below 18 above 90.*18' for age\n"),
        ("map {'age': 'intervals 5', 'AGE': 'list'}", "specifications must be .*, got AGE twice"),
        ("{'agee': 'list'}", "attribute must be a column of source, got 'agee'; did you mean age"),
        (
            "{'zip': 'list', 'age': 'intervals 5, 12'}",
            "specifications must .* for age: each width must be a",
        ),
        ("{'age': 'intervals 0'}", "got 'intervals 0' for age: each width must be a multiple"),
        ("{'zip': 'prefixes 3, 4'}", "'prefixes 3, 4' for zip: fewer letters must be left on"),
        ("{'zip': 'prefixes 0'}", "'prefixes 0' for zip: fewer letters must be left on"),
        ("{'age': 'quantiles 8, 3'}", "'quantiles 8, 3' for age: fewer bins must be on each level"),
        ("{'admitted': 'dates month, yaer'}", "admitted: 'yaer' is no granularity; did you mean '"),
        ("{'sex': 'parents nowhere(a, b)'}", "nowhere"),
    ],
)
def test_refused(visits, ways, said):
    with pytest.raises(duckdb.Error, match=said):
        visits.execute(f"from tanon.hierarchies('v', {ways})").fetchall()


@pytest.mark.parametrize("attribute", ["'agee'", "null"])
def test_a_misspelt_attribute_is_an_error_of_the_search(visits, attribute):
    visits.execute("create table h as from tanon.hierarchies('v', {'age': 'intervals 10'})")
    visits.execute(f"insert into h values ({attribute}, 1, '20', '20-29')")
    with pytest.raises(
        duckdb.Error,
        match=r"hierarchies must be of columns of qi, got (NULL|'agee'; did you mean 'age')",
    ):
        visits.execute(
            "from tanon.minimal_generalizations('v', 'patient', ['age', 'zip'], 3, 'h')"
        ).fetchall()
