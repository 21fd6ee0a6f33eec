"""tanon.identifier_warnings: identifiers that hide respondents, and texts that name them."""

import duckdb
import pytest

CALL = (
    "select warning, affects, respondents, round(share, 3) "
    "from tanon.identifier_warnings('t', respondent := 'u'{})"
)


def warnings(con, rows, more=""):
    con.execute(f"create or replace table t as {rows}")
    return con.execute(CALL.format(more)).fetchall()


def of(*ids):
    spelt = ", ".join(f"$${each}$$" for each in ids)
    return f"select unnest([{spelt}]) as u"


@pytest.mark.parametrize(
    "rows",
    [
        of("a1", "a2", "a1"),  # the same is one respondent
        of("10", "100", "1"),
        of("p01", "p1"),  # a zero within
        "select range as u from range(20)",
        "select range::double as u from range(20)",
        "select uuid() as u from range(3)",
        "select 'a' as u where false",
    ],
)
def test_nothing_is_said_of_clean_identifiers(con, rows):
    assert warnings(con, rows) == []


@pytest.mark.parametrize(
    ("ids", "alike", "share"),
    [
        (("00010", "10", "00010 ", "11"), 3, 0.75),
        (("a1", "A1", "b", "B", "c"), 4, 0.8),
        (("\ta1", "a1\n"), 2, 1.0),
        (("0", "00", "1", "2"), 2, 0.5),
        (("É1", "é1", "e1"), 2, 0.667),
    ],
)
def test_identifiers_that_are_written_in_several_ways(con, ids, alike, share):
    assert warnings(con, of(*ids)) == [("identifiers alike", "u", alike, share)]


def test_empty_identifiers(con):
    assert warnings(con, of("", "  ", "0", "a", "b")) == [("empty identifier", "u", 2, 0.4)]


def test_texts_that_name_respondents(con):
    rows = (
        "select 'p' || (1000 + i) as u, 'of P1003' as note, 'x' as plain, 1003 as number, "
        "case when i < 2 then 'p' || (1008 + i) end as other from range(10) as r(i)"
    )
    kept = ", keep := ['other', 'number', 'plain', 'note']"
    assert warnings(con, rows) == []
    assert warnings(con, rows, kept) == [
        ("identifier in a text", "note", 1, 0.1),
        ("identifier in a text", "other", 2, 0.2),
    ]


def test_a_column_of_texts_under_a_collation(con):
    con.execute("create or replace table t (u varchar collate nocase, note varchar collate nocase)")
    con.execute("insert into t values ('p1001', 'of P1001'), ('P1001', 'of p1001'), ('p1002', '')")
    assert con.execute(CALL.format(", keep := 'note'")).fetchall() == [
        ("identifier in a text", "note", 1, 0.5)
    ]


def test_the_respondent_is_not_kept(con):
    with pytest.raises(duckdb.Error, match="keep must be columns other than respondent, got 'u'"):
        warnings(con, of("a"), ", keep := 'u'")
