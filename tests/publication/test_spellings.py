"""A collation that takes several spellings for one value: what was seen keeps none."""

from datetime import date

import pytest

from tanon_duck import TanonError, publication

DAYS = [date(2024, 3, day) for day in (1, 2, 3)]


def begun(con, values, collation):
    con.execute(f"create table cases (age integer, day date, disease varchar {collation})")
    rows = [(7 * i, day, value) for i, day in enumerate(DAYS) for value in values[day]]
    con.executemany("insert into cases values (?, ?, ?)", rows)
    options = {
        "source": "cases",
        "ts": "day",
        "sensitive": "disease",
        "qi": ["age"],
        "l": 2,
        "w": 2,
        "rows_are_persons": True,
    }
    return publication(con, "flu", allow_identifying=["age"], **options)


SPELT = {DAYS[0]: ["flu", "gout"], DAYS[1]: ["flu", "gout"], DAYS[2]: ["FLU", "gout", "burn"]}


def test_a_second_spelling_is_refused_when_it_arrives_and_nothing_is_kept(con):
    stream = begun(con, SPELT, "collate nocase")
    stream.advance(DAYS[1])
    sentence = (
        "^tanon.publication: sensitive must be spelt in one way where its collation takes "
        "several for "
        "one value, got 'FLU' and 'flu'$"
    )
    with pytest.raises(TanonError, match=sentence):
        stream.advance(DAYS[2])
    con.execute("update cases set disease = 'flu' where disease = 'FLU'")
    assert stream.advance(DAYS[2]).seen_upto == DAYS[2]
    stream.finish()
    stream.verify()


def test_without_a_collation_they_are_two_values(con):
    stream = begun(con, SPELT, "")
    stream.advance(DAYS[2])
    stream.finish()
    stream.verify()
