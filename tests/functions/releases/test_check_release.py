"""What is found in a release, against counting in Python, and against releases that were spoilt."""

from collections import Counter
from fractions import Fraction

import duckdb
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from tables import create

from tanon_duck import connect

TYPES = {"who": "integer", "q1": "varchar", "q 2": "double", "sick": "varchar"}
VALUES = st.sampled_from([None, "a", "b", "A", ""])
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "who": st.integers(1, 5),
            "q1": VALUES,
            "q 2": st.sampled_from([None, 0.0, 1.5]),
            "sick": VALUES,
        }
    ),
    max_size=14,
)
PUBLISH = (
    "from tanon.publish_events('visits', respondent := 'patient', qi := ['sex', 'zip'], "
    "ts := 'admitted', granularities := ['quarter', 'year'], k := 5, keep := ['diagnosis'], "
    "max_suppression := 0.5"
)
CHECK = "qi := ['sex', 'zip'], ts := 'admitted', keep := ['diagnosis'], k := 5"
PAIR = "qi := ['day', 'a_group'], sensitive := 'disease', records := 'records', l := 2"


def found(con, relation, arguments):
    """What is found for each property, and whether all of it holds."""
    rows = con.execute(f"from tanon.check_release('{relation}', {arguments})").fetchall()
    assert all(isinstance(holds, bool) for *_, holds in rows)
    return {property: (figure, holds) for property, _, figure, holds in rows}


def figure(number):
    if number is None:
        return "no rows"
    return str(number) if number == int(number) else f"{float(number):.4g}"


def by_hand(rows, qi):
    """The rows of each group: how many, of whom, and with which sensitive values."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(repr(row[q]) for q in qi), []).append(row)
    return groups.values()


@examples(25)
@given(
    rows=ROWS,
    k=st.integers(2, 4),
    balanced=st.sampled_from(["2", "1.5", "5/3"]),
    distinct=st.integers(2, 3),
)
def test_all_figures_are_those_of_counting(rows, k, balanced, distinct):
    groups = by_hand(rows, ["q1", "q 2"])
    fewest = min(map(len, groups), default=None)
    people = min((len({r["who"] for r in g}) for g in groups), default=None)
    values = [Counter(r["sick"] for r in g) for g in groups]
    balance = min((Fraction(v.total(), max(v.values())) for v in values), default=None)
    kinds = min(map(len, values), default=None)
    with connect() as con:
        create(con, "owners", TYPES, rows)
        con.execute('create view release as select q1, "q 2", sick from owners')
        told = found(
            con,
            "release",
            f"qi := ['q1', 'q 2'], sensitive := ['sick'], k := {k}, l := '{balanced}', "
            f"distinct_l := {distinct}, owner := 'owners', respondent := 'who'",
        )
    assert told == {
        "columns": ("one for each", True),
        "rows that share what is known": (figure(fewest), fewest is None or fewest >= k),
        "respondents who share what is known": (figure(people), people is None or people >= k),
        "rows of the owner's copy": ("the same", True),
        "l-diversity of sick": (figure(balance), balance is None or balance >= Fraction(balanced)),
        "distinct values of sick": (figure(kinds), kinds is None or kinds >= distinct),
    }


def test_a_release_is_checked_without_its_respondents(demo_con):
    demo_con.execute(f"create table release as {PUBLISH})")
    demo_con.execute(f"create table owners as {PUBLISH}, for_owner := true)")
    told = found(demo_con, "release", f"{CHECK}, owner := 'owners', respondent := 'patient'")
    assert [holds for _, holds in told.values()] == [True] * 4
    rows, people = (int(told[p][0]) for p in told if "share" in p)
    assert rows > people >= 5


@pytest.mark.parametrize(
    ("spoil", "property", "figure"),
    [
        ("alter table release add column age integer", "columns", "none for age"),
        ("insert into release values ('x', '1', '2024', 'flu')", "rows that share what is known",
         "1"),
        ("delete from owners where rowid = 0", "rows of the owner's copy",
         "0 that did not leave, 1 missing"),
        ("update owners set zip = '9' where rowid = 0", "rows of the owner's copy",
         "1 that did not leave, 1 missing"),
        ("update owners set patient = 'p'", "respondents who share what is known", "1"),
        ("insert into owners from owners limit 2", "rows of the owner's copy",
         "2 that did not leave, 0 missing"),
    ],
)  # fmt: skip
def test_what_was_spoilt_is_found(demo_con, spoil, property, figure):
    demo_con.execute(f"create table release as {PUBLISH})")
    demo_con.execute(f"create table owners as {PUBLISH}, for_owner := true)")
    demo_con.execute(spoil)
    told = found(demo_con, "release", f"{CHECK}, owner := 'owners', respondent := 'patient'")
    assert told[property] == (figure, False)


@pytest.fixture
def pair(demo_con):
    """The two tables of a stream, as a recipient has them."""
    stream = (
        "(from tanon.publish_stream(''cases'', respondent := ''person'', ts := ''day'', "
        "sensitive := "
        "''disease'', "
        "l := 2, w := 4, keep := [''age'', ''district'']))"
    )
    for part in ("individuals", "values"):
        demo_con.execute(
            f"create table {part}_there as from tanon.publish_table_pair('{stream}', "
            f"qi := ['age', 'district'], sensitive := 'disease', l := 2, partition := 'day', "
            f"result := '{part}', rows_are_persons := true)"
        )
    return demo_con


def test_the_pair_as_it_was_received(pair):
    told = found(pair, "values_there", f"{PAIR}, individuals := 'individuals_there'")
    assert told == {
        "columns": ("one for each", True),
        "rows of a value": ("1", True),
        "l-diversity of disease": ("2", True),
        "groups of both tables": ("the same", True),
        "columns of individuals": ("none", True),
    }


@pytest.mark.parametrize(
    ("spoil", "property"),
    [
        ("delete from individuals_there where rowid = 0", "groups of both tables"),
        ("update individuals_there set a_group = 1 where a_group = 2", "groups of both tables"),
        ("update values_there set records = records + 1 where rowid = 0", "groups of both tables"),
        ("update values_there set records = 0 where rowid = 0", "rows of a value"),
        ("update values_there set records = null where rowid = 0", "rows of a value"),
        ("update values_there set records = 50 where rowid = 0", "l-diversity of disease"),
        ("delete from values_there where disease <> 'flu'", "l-diversity of disease"),
        ("alter table individuals_there add column disease varchar", "columns of individuals"),
        ("alter table values_there add column age integer", "columns"),
    ],
)
def test_a_pair_that_was_spoilt(pair, spoil, property):
    pair.execute(spoil)
    told = found(pair, "values_there", f"{PAIR}, individuals := 'individuals_there'")
    assert told[property][1] is False


def test_series_by_the_steps_of_their_own_check(demo_con):
    promised = "k := 13, p := 6, l := 2, sensitive := 'charity'"
    told = found(demo_con, "published_incomes", promised)
    assert {holds for _, holds in told.values()} == {True}
    assert told["rows that share their ranges"] == ("14", True)
    assert told["rows of them that share their word"] == ("6", True)
    told = found(demo_con, "published_incomes", promised.replace("13, p := 6", "15, p := 7"))
    assert [holds for _, holds in told.values()].count(False) == 2
    demo_con.execute("update published_incomes set word = upper(word) where k_group = 1")
    assert found(demo_con, "published_incomes", promised)["ranges and words"][1] is False
    told = found(demo_con, "(select *, charity as id from published_incomes)", promised)
    assert told["columns"] == ("none for id", False)
    assert told["rows that share their ranges"][1] is False


def test_labels_are_taken_as_they_stand_and_no_time_is_asked_for(demo_con):
    demo_con.execute(f"create table release as {PUBLISH})")
    with pytest.raises(duckdb.Error, match="ts must be a DATE or TIMESTAMP"):
        demo_con.execute(
            "from tanon.k_anonymity_violations('release', 'diagnosis', ['sex'], k := 5, "
            "ts := 'admitted', granularity := 'year')"
        )
    assert found(demo_con, "release", CHECK)["rows that share what is known"][1] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("qi := []", r"qi must be columns of release, at least one, got \[\]"),
        ("qi := 'sexx', k := 2", "qi must be columns of release, none twice, .*'sex"),
        ("qi := 'sex', ts := 'sex'", "qi must be columns apart from ts"),
        ("qi := 'sex', sensitive := 'sex', l := 2", "sensitive must be columns apart from qi"),
        ("qi := 'sex', l := 2", "sensitive must be columns of release if l or distinct_l is"),
        ("qi := 'sex', k := 1", "k must be an integer > 1, got 1"),
        ("p := 2", "k must be given if p is given, got NULL"),
        ("k := 2, p := 3", "p must be at most k, got 3"),
        ("qi := 'sex', k := 3, p := 2", "qi must be omitted for series, as is ts"),
        (
            "k := 3, p := 2",
            "release must have columns low, high, word, level if p is given, got",
        ),
        ("qi := 'sex', owner := 'visits'", "respondent must be given with owner, and only then"),
        (
            "qi := 'sex', respondent := 'patient'",
            "respondent must be given with owner, and only then",
        ),
        (
            "qi := 'sex', owner := 'visits', respondent := 'pat'",
            "respondent must be a column of owner, got",
        ),
        ("qi := 'sex', records := 'zip'", "records must be an integer column of release"),
        (
            "qi := 'sex', sensitive := 'zip', limits := {'t': 0.9}, source := 'visits', "
            "owner := '(select patient, sex from visits)', respondent := 'patient'",
            "sensitive must be columns of owner",
        ),
        ("ts := 'admitted', individuals := 'visits'", "individuals must be omitted, or given"),
    ],
)
def test_wrong_arguments(demo_con, arguments, message):
    for full in (True, False):
        if not full:
            demo_con.execute("delete from visits")
        with pytest.raises(duckdb.Error, match=f"tanon.check_release: {message}"):
            demo_con.execute(f"from tanon.check_release('visits', {arguments})").fetchall()


def test_a_null_among_respondents_of_the_copy_is_an_error(demo_con):
    demo_con.execute("create table owners as from visits")
    demo_con.execute("update owners set patient = null where rowid < 3")
    with pytest.raises(duckdb.Error, match="respondent must be free of NULL, got 3 rows with NULL"):
        found(demo_con, "visits", "qi := 'sex', k := 2, owner := 'owners', respondent := 'patient'")


def test_a_count_that_is_null_is_told(con):
    con.execute(
        "create table r as select 'x' as s, 1 as g, nullif(i, 1) as n from range(1, 4) t(i)"
    )
    rows = con.execute(
        "select property, found, holds from tanon.check_release('r', qi := 'g', sensitive := 's', "
        "records := 'n', l := 2)"
    ).fetchall()
    assert ("rows of a value", "no number in 1 rows", False) in rows


@pytest.fixture
def pair_of_persons(con):
    """The values of groups of two, and the owner's copy: ten persons with three rows each."""
    con.execute(
        "create table t as select 'p' || i % 10 as who, i as age, "
        "(['a', 'b', 'c'])[1 + i % 3] as s from range(30) r(i)"
    )
    call = (
        "from tanon.publish_table_pair('t', qi := 'age', sensitive := 's', l := 2, "
        "allow_identifying := 'age', "
        "result := 'values', respondent := 'who'"
    )
    con.execute(f"create table values_there as {call})")
    con.execute(f"create table owners as {call}, for_owner := true)")
    return con


def persons_of_a_group(con):
    told = con.execute(
        "from tanon.check_release('values_there', qi := 'a_group', sensitive := 's', "
        "records := 'records', l := 2, owner := 'owners', respondent := 'who')"
    ).fetchall()
    return {row[0]: row[1:] for row in told}


def test_the_persons_of_a_group_are_counted_in_the_owners_copy(pair_of_persons):
    told = persons_of_a_group(pair_of_persons)
    assert told["persons of a group"] == ("at least 2", "2", True)
    assert all(holds for *_, holds in told.values())


def test_a_person_who_is_twice_in_a_group_is_found(pair_of_persons):
    pair_of_persons.execute(
        "update owners set who = (select min(who) from owners where a_group = 1) where a_group = 1"
    )
    told = persons_of_a_group(pair_of_persons)
    assert told["persons of a group"] == ("at least 2", "1", False)
    assert [name for name, row in told.items() if not row[2]] == ["persons of a group"]
