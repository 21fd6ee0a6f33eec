"""What is kept is looked at: columns that by themselves tell who a row is about stay home."""

import duckdb
import pytest

HOSTILE = ['a"b', "o'x", "select", "a, b", "{keep}", "x; drop table r"]
MANY = """
create table r as
select
    i // 2 as who, 'q' as q, timestamp '2024-05-01 06:00' + to_minutes(i::int) as t,
    'n' || (i // 2) as note, upper('p' || (i // 2)) as "Who Again", i as number, i % 3 as few,
    [i % 3] as list, {'a': i % 3} as struct, map {'a': i % 3} as map, (i % 3)::varchar::json as doc,
    date '2024-05-01' + (i % 2)::int as day, time '10:00' as clock, null::int as nothing,
    (i % 3)::varchar::enum('0', '1', '2') as kind, [(i % 3)::decimal(18, 2)] as prices,
    case when i % 8 = 0 then i end as rare, case when i % 12 = 0 then i end as rarer,
    (i % 3)::decimal(18, 2) as price
from range(96) as _(i)
"""
CALL = (
    "from tanon.publish_events('r', 'who', 'q', 't', ['day'], 4, keep := {}, "
    "allow_identifying := {})"
)


def refused(con, keep, allow_identifying="[]"):
    with pytest.raises(duckdb.Error) as raised:
        con.execute(CALL.format(keep, allow_identifying)).fetchall()
    return str(raised.value).split("\n")[0]


@pytest.fixture
def kept(con):
    con.execute(MANY)
    return con


@pytest.mark.parametrize("column", ["few", "kind", "price", "nothing"])
def test_what_many_share_may_leave(kept, column):
    rows = kept.execute(CALL.format(f"['{column}']", "[]")).fetchall()
    assert len(rows) == 96


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ("note", "1.00 of the respondents have a value of their own"),
        ("Who Again", "1.00 of the respondents have a value of their own"),
        ("number", "1.00 of the respondents have a value of their own"),
        ("rare", "0.25 of the respondents have a value of their own"),
        ("rarer", "0.17 of the respondents have a value of their own"),
        ("list", "nested"),
        ("struct", "nested"),
        ("map", "nested"),
        ("doc", "nested"),
        ("prices", "nested"),
        ("day", "a further time"),
        ("clock", "a further time"),
    ],
)
def test_what_tells_who_a_row_is_about_may_not(kept, column, why):
    message = refused(kept, f"['few', '{column}']")
    assert message == (
        "Invalid Input Error: tanon.publish_events: keep must be columns that do not tell who "
        f"a row is about, got {column} ({why}); columns named in allow_identifying are released "
        "all the same"
    )
    accepted = CALL.format(f"['few', '{column}']", f"['{column.upper()}']")
    assert len(kept.execute(accepted).fetchall()) == 96


@pytest.mark.parametrize(
    ("keep", "allow_identifying"),
    [(["ten", "three"], []), (["few", "ten", "three", "note"], ["few", "note"])],
)
def test_what_together_tells_who_a_row_is_about_may_not(kept, keep, allow_identifying):
    kept.execute("alter table r add column ten int; update r set ten = who % 10")
    kept.execute("alter table r add column three int; update r set three = who // 10 % 5")
    for one in ("ten", "three"):
        assert len(kept.execute(CALL.format([one], "[]")).fetchall()) == 96
    assert refused(kept, keep, allow_identifying) == (
        "Invalid Input Error: tanon.publish_events: keep must be columns that do not tell "
        "together who a row is about, got ten, three (1.00 of the respondents have values of "
        "their own); columns named in allow_identifying are released all the same"
    )
    assert len(kept.execute(CALL.format(keep, [*allow_identifying, "THREE"])).fetchall()) == 96


@pytest.mark.parametrize(("share", "is_refused"), [(0.16, True), (0.17, False), (1, False)])
def test_how_many_may_be_singled_out_is_an_argument(kept, share, is_refused):
    call = CALL.format("['rarer']", "[]")[:-1] + f", max_singled_out := {share})"
    if is_refused:
        with pytest.raises(duckdb.Error, match=r"got rarer \(0.17 of the respondents"):
            kept.execute(call).fetchall()
    else:
        assert len(kept.execute(call).fetchall()) == 96


def test_one_in_twenty_may_be_singled_out_by_default(con):
    con.execute(
        "create table r as select i as who, 'q' as q, date '2024-05-01' as t, "
        "case when i < 5 then i else 9 end as five, case when i < 6 then i else 9 end as six "
        "from range(100) as _(i)"
    )
    assert len(con.execute(CALL.format("['five']", "[]")).fetchall()) == 100
    assert "got six (0.06 of the respondents" in refused(con, "['six']")


NOTED = """
create table r as
select {respondent} as who, 'q' as q, date '2024-05-01' as t, {note} as note
from range(48) as _(i)
"""


@pytest.mark.parametrize(
    ("respondent", "note"),
    [
        ("'p' || (1000 + i)", "'Pat. P1007, seen'"),
        ("'p' || (1000 + i)", "'p1007'"),
        ("'p' || (1000 + i)", "'[p1007_x]'"),
        ("1000 + i", "'after 1007'"),
        ("1000 + i", "1007::varchar::enum('1007')"),
        ("'p-' || (1000 + i)", "'see p-1007.'"),
        ("'p-' || (1000 + i)", "'see P 1007'"),
        ("'p-' || (1000 + i) || '/b'", "'x p-1007/B y'"),
        ("case when i = 7 then 'a1b2' else 'p-' || i end", "'A1B2 was here'"),
        ("case when i = 7 then 'x-1 y-2' else 'p' || i end", "'of x-1 y-2'"),
        ("'Ä' || (1000 + i)", "'ä1007'"),
        (
            "('00000000-0000-4000-8000-00000000' || (1000 + i))::uuid",
            "'of 00000000-0000-4000-8000-000000001007'",
        ),
        (
            "('00000000-0000-4000-8000-00000000' || (1000 + i))::uuid",
            "'00000000-0000-4000-8000-000000001007'::uuid",
        ),
    ],
)
def test_a_text_that_holds_an_identifier_is_refused(con, respondent, note):
    con.execute(NOTED.format(respondent=respondent, note=note))
    assert refused(con, "['note']") == (
        "Invalid Input Error: tanon.publish_events: keep must be columns that do not tell who "
        "a row is about, got note (1 of its words are identifiers of respondents); columns named "
        "in allow_identifying are released all the same"
    )
    assert "1 of its words" in refused(con, "['note'], max_singled_out := 1")
    assert len(con.execute(CALL.format("['note']", "['note']")).fetchall()) == 48


@pytest.mark.parametrize(
    ("respondent", "note"),
    [
        ("'p' || (1000 + i)", "'p10070, xp1007, p 1007, 1007'"),  # parts of words, or other ones
        ("'p' || i", "'p7'"),  # fewer than four letters and digits
        ("'p-' || i", "'p-7'"),
        ("'p-' || (1000 + i)", "'p1007'"),  # written otherwise
        ("'p-' || (1000 + i)", "'1007 p'"),
        ("'p' || (1000 + i)", "null::varchar"),
        ("1000 + i", "1007"),  # no text
    ],
)
def test_what_is_not_looked_for(con, respondent, note):
    con.execute(NOTED.format(respondent=respondent, note=note))
    assert len(con.execute(CALL.format("['note']", "[]")).fetchall()) == 48


def test_all_of_them_are_named(kept):
    assert "got day (a further time), list (nested), note (1.00 of" in refused(
        kept, "['list', 'note', 'day', 'number']", "['number']"
    )


def test_a_share_of_nearly_all_is_not_called_all(con):
    con.execute(
        "create table r as select i as who, 'q' as q, date '2024-05-01' as t, "
        "case when i < 20 then 0 else i end as note from range(1000) as _(i)"
    )
    assert "got note (0.98 of the respondents" in refused(con, "['note']")


@pytest.mark.parametrize(
    ("keep", "allow_identifying", "message"),
    [
        (
            "['few']",
            "['number']",
            "allow_identifying must be columns that keep names, got 'number'",
        ),
        ("['WHO']", "[]", "keep must be columns apart from respondent, qi and ts, got [WHO]"),
        ("['Q']", "[]", "keep must be columns apart from respondent, qi and ts, got [Q]"),
        (
            "['few', 't']",
            "[]",
            "keep must be columns apart from respondent, qi and ts, got [few, t]",
        ),
        (
            "['fwe']",
            "[]",
            "keep must be columns of source, none twice, got 'fwe'; did you mean few",
        ),
        ("['few', 'Few']", "[]", "keep must be columns of source, none twice, got [few, Few]"),
        ("['']", "[]", "keep must be columns of source, none twice, got ['']"),
    ],
)
def test_bad_names(kept, keep, allow_identifying, message):
    assert f"tanon.publish_events: {message}" in refused(kept, keep, allow_identifying)


def test_an_empty_table_has_nobody_to_single_out(kept):
    kept.execute("delete from r")
    assert kept.execute(CALL.format("['note', 'few']", "[]")).fetchall() == []
    assert "got list (nested)" in refused(kept, "['list']")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(con, name):
    quoted, text = '"' + name.replace('"', '""') + '"', "'" + name.replace("'", "''") + "'"
    con.execute(
        f"create table r as select i as who, 'q' as q, date '2024-05-01' as t, i as {quoted} "
        "from range(9) as _(i)"
    )
    assert f"got {name} (1.00 of" in refused(con, f"[{text}]")
    rows = con.execute(CALL.format(f"[{text}]", f"[{text}]")).fetchall()
    assert rows == [("q", "2024-05-01", i) for i in range(9)]


def test_values_of_a_collation_are_held_apart_by_how_they_are_spelt(con):
    con.execute("create table r (who integer, q varchar, t date, note varchar collate nocase)")
    con.execute(
        "insert into r select i, 'q', '2024-05-01', case when i % 2 = 0 then upper(n) else n end "
        "from (select i, 'abcdefgh'[1 + i // 2] as n from range(16) as _(i))"
    )
    assert "got note (1.00 of the respondents" in refused(con, "['note']")


def test_respondents_of_a_collation_are_one(con):
    con.execute("create table r (who varchar collate nocase, q varchar, t date, note integer)")
    con.execute(
        "insert into r select (['u', 'U'])[1 + i % 2] || i // 2, 'q', '2024-05-01', i // 2 "
        "from range(16) as _(i)"
    )
    assert "got note (1.00 of the respondents" in refused(con, "['note']")
