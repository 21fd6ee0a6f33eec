"""What is offered while typing."""

from __future__ import annotations

import duckdb
import pytest
from shell.sitting import PREPARATION

from tanon_duck.doors.prompt.names import KnownNames, Names, names_of
from tanon_duck.doors.prompt.suggestions import suggest


@pytest.fixture(scope="module")
def names() -> Names:
    with duckdb.connect() as connection:
        connection.execute(PREPARATION)
        return names_of(connection)


def completed(typed: str, names: Names) -> list[str]:
    """The text as it would stand after each suggestion."""
    return [typed[: len(typed) - s.length] + s.text for s in suggest(typed, names)]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("from tanon.fr", "from tanon.frequency_set("),
        ("from tanon.", "from tanon.checked("),
        ("from TANON.FR", "from tanon.frequency_set("),
        ("from freq", "from tanon.frequency_set("),
        ("from tan", "from tanon."),
        ("select pat", "select patient"),
        ("select visits.pat", "select visits.patient"),
        ("select v.pat", "select v.patient"),
        ("from vis", "from visits"),
        ("select a", 'select "a ""b"'),
        ('select "a', 'select "a ""b"'),
        ('select "a ""', 'select "a ""b"'),
        ("from tanon.frequency_set('vis", "from tanon.frequency_set('visits'"),
        ("from tanon.frequency_set('visits', ['z", "from tanon.frequency_set('visits', ['zip'"),
        ("from tanon.frequency_set(q", "from tanon.frequency_set(qi := "),
        ("sel", "select"),
        ("SEL", "SELECT"),
        (".ta", ".tables"),
        (".", ".help"),
    ],
)
def test_what_begins_is_completed(typed: str, expected: str, names: Names) -> None:
    assert expected in completed(typed, names)


@pytest.mark.parametrize("typed", ["-- vis", "/* vis", "select $$vis", "select e'vis", "zzz"])
def test_nothing_is_offered_where_no_name_belongs(typed: str, names: Names) -> None:
    assert completed(typed, names) == []


def test_columns_of_a_named_table_come_alone(names: Names) -> None:
    assert [s.text for s in suggest("select visits.", names)] == ["patient", '"a ""b"', "zip"]


def test_a_name_with_an_apostrophe_stays_inside_its_quotes() -> None:
    with duckdb.connect() as connection:
        connection.execute('create table "o\'x" (a int)')
        names = names_of(connection)
    assert completed("from f('o", names) == ["from f('o''x'"]
    assert completed("from f('o''", names) == ["from f('o''x'"]


def test_a_keyword_as_a_column_is_quoted() -> None:
    with duckdb.connect() as connection:
        connection.execute('create table t ("select" int, "Upper" int)')
        names = names_of(connection)
    assert completed("from t select t.s", names) == ['from t select t."select"']
    assert completed("from t select t.u", names) == ['from t select t."Upper"']


def test_names_are_asked_for_again_only_after_something_ran() -> None:
    with duckdb.connect() as connection:
        known = KnownNames(connection)
        assert known.get().tables == ()
        connection.execute("create table t (a int)")
        assert known.get().tables == ()
        known.forget()
        assert known.get().tables == ("t",)


def test_a_broken_transaction_keeps_the_last_names() -> None:
    with duckdb.connect() as connection:
        connection.execute("create table t (a int primary key)")
        known = KnownNames(connection)
        assert known.get().tables == ("t",)
        connection.execute("begin; insert into t values (1)")
        with pytest.raises(duckdb.Error):
            connection.execute("insert into t values (1)")
        known.forget()
        assert known.get().tables == ("t",)
