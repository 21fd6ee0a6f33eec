"""A digest of rows against its rule written down plainly, and tables that differ a little."""

import hashlib
import itertools
import random

import duckdb
import pytest

import tanon_duck
from tanon_duck.quoting import literal

SECRET = hashlib.sha256(b"a digest").hexdigest()


def sha(text):
    return hashlib.sha256(text).hexdigest()


def measured(text):
    return "-" if text is None else f"{len(text.encode())}:{text}"


def plainly(columns, rows, secret=None):
    """The rule again: columns are names with types, rows hold texts."""
    names = [f"{len(name.encode())}:{name} {kind}" for name, kind in columns]
    header = "".join(f"{len(name.encode())}:{name}" for name in names)
    held = [secret] if secret else []
    key = hashlib.sha256("\n".join(["tanon_duck 1", *held, "tanon.row_digest", header]).encode())
    parts = {}
    for row in rows:
        digest = sha(key.digest() + "".join(map(measured, row)).encode())
        parts.setdefault(digest[:3], []).append(digest)
    for _ in range(6):
        for part, found in parts.items():
            parts[part] = [sha("".join(eight).encode()) for eight in batched(sorted(found))]
    last = [digest for part in sorted(parts) for digest in sorted(parts[part])]
    return "1:" + sha((key.hexdigest().upper() + "".join(last)).encode())


def batched(found):
    return [found[at : at + 8] for at in range(0, len(found), 8)]


def digest(con, relation, arguments=""):
    call = f"from tanon.row_digest({literal(relation)} {arguments})"
    ((rows, found),) = con.execute(call).fetchall()
    assert rows == con.execute(f"select count(*) from {relation}").fetchall()[0][0]
    return found


@pytest.mark.parametrize("size", [0, 1, 200, 40_000])
@pytest.mark.parametrize("secret", [None, SECRET])
def test_it_is_the_rule(con, size, secret):
    con.execute(
        "create table t as select i % 100 as n, nullif('ä,' || i // 2, 'ä,0') as \"two words\" "
        f"from range({size}) r(i)"
    )
    columns = [("n", "BIGINT"), ("two words", "VARCHAR")]
    rows = [(str(i % 100), None if i // 2 == 0 else f"ä,{i // 2}") for i in range(size)]
    given = f", keyed := true, secret := '{secret}'" if secret else ""
    assert digest(con, "t", given) == plainly(columns, rows, secret)


def test_order_and_threads_are_nothing_to_it(con):
    con.execute("create table t as select i % 900 as a, i as b from range(3000) r(i)")
    wanted = digest(con, "t")
    for threads, order in itertools.product((1, 4), ("b desc", "hash(b)")):
        con.execute(f"set threads = {threads}")
        con.execute(f"create or replace table u as from t order by {order}")
        assert digest(con, "u") == wanted


def test_whatever_is_changed_changes_it(con):
    con.execute("create table t as select i % 5 as a, i % 3 || '' as b from range(100) r(i)")
    rng = random.Random(5)
    found = {digest(con, "t")}
    for change in (
        "(select b, a from t)",
        "(select a as aa, b from t)",
        "(select a::integer as a, b from t)",
        "(from t limit 99)",
        "(from t union all (from t limit 1))",
        "(select b::bigint as a, a || '' as b from t)",
        f"(select a, if(rowid = {rng.randrange(100)}, null, b) as b from t)",
        f"(select a, if(rowid = {rng.randrange(100)}, '', b) as b from t)",
    ):
        found.add(digest(con, change))
    assert len(found) == 9


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("0.0::double", "-0.0::double"),
        ("'1'", "1"),
        ("null::varchar", "'-'"),
        ("['a, b']", "['a', 'b']"),
        ("[null]::varchar[]", "['NULL']"),
        ("interval 30 days", "interval 1 month"),
        ("'a' collate nocase", "'A' collate nocase"),
        ("timestamptz 'infinity'", "null::timestamptz"),
        ("timestamptz 'infinity'", "timestamptz '-infinity'"),
        ("[timestamptz '2024-01-01 00:00+00']", "[timestamptz '2024-01-01 00:00:01+00']"),
        ("(0.0::double, timestamptz '2024-01-01')", "(-0.0::double, timestamptz '2024-01-01')"),
        (
            "timestamptz_ns '2024-01-01 00:00:00.000000001+00'",
            "timestamptz_ns '2024-01-01 00:00:00+00'",
        ),
        ("union_value(a := 1)::union(a int, b int)", "union_value(b := 1)::union(a int, b int)"),
        ("1::variant", "'1'::variant"),
        ("date '2024-01-01'::variant", "'2024-01-01'::variant"),
        ("0.0::double::variant", "-0.0::double::variant"),
        ("interval 30 days::variant", "interval 1 month::variant"),
        ("{'a': 1}::variant", "{'a': '1'}::variant"),
        ("'\\x00'::blob", "'\\x5Cx00'::blob"),
        ("'0'::bit", "'00'::bit"),
        ("null", "'NULL'"),
    ],
)
def test_values_that_look_alike_are_told_apart(con, one, other):
    assert digest(con, f"(select {one} as x)") != digest(con, f"(select {other} as x)")


def test_cells_do_not_run_into_each_other(con):
    found = {
        con.execute("select digest from tanon.row_digest(?)", [f"(select {row})"]).fetchall()[0][0]
        for row in ("'ab' as x, 'c' as y", "'a' as x, 'bc' as y", "'' as x, 'abc' as y")
    }
    assert len(found) == 3


def test_settings_and_enums_are_nothing_to_it(con):
    con.execute("create table t as select timestamptz '2024-01-01 00:00:00+00' as x, 'b' as y")
    wanted = digest(con, "t")
    con.execute("set timezone = 'America/New_York'")
    assert digest(con, "t") == wanted
    for order in ("'a', 'b'", "'b', 'a(', 'it''s'"):
        con.execute(f"create or replace table u as select x, y::enum({order}) as y from t")
        assert digest(con, "u") == wanted


VALUES = [
    "timestamptz '2024-01-01 00:00:00+00'",
    "timestamptz_ns '2024-01-01 00:00:00.123456789+00'",
    "timestamp '2024-03-31 02:30:00'",
    "timestamp_s '2024-03-31 02:30:00'",
    "timestamp_ms '2024-03-31 02:30:00'",
    "timestamp_ns '2024-03-31 02:30:00.123456789'",
    "date '2024-03-31'",
    "time '02:30:00'",
    "timetz '02:30:00+01'",
    "time_ns '02:30:00.123456789'",
    "interval 1 month",
    "[timestamptz '2024-01-01 00:00:00+00']",
    "{'t': timestamptz '2024-01-01 00:00:00+00', 'd': 0.0::double}",
    "map {timestamptz '2024-01-01 00:00:00+00': 1}",
    "timestamptz '2024-01-01 00:00:00+00'::variant",
    "{'t': timestamptz '2024-01-01 00:00:00+00'}::variant",
    "union_value(t := timestamptz '2024-01-01 00:00:00+00')",
    "['a']::union(a varchar, t timestamptz)[]",
]


@pytest.mark.parametrize("value", VALUES)
def test_no_setting_changes_the_text_of_a_cell(con, value):
    con.execute(f"create table t as select {value} as x")
    wanted = digest(con, "t")
    for setting in (
        "timezone = 'Asia/Kathmandu'",
        "timezone = 'Europe/Zurich'",
        "calendar = 'japanese'",
        "default_order = 'desc'",
    ):
        con.execute(f"set {setting}")
        assert digest(con, "t") == wanted, setting


def test_days_beyond_every_timestamp_count(con):
    days = ["300000-01-01", "5000000-12-31", "4714-01-01 (BC)", "infinity", "-infinity"]
    found = {digest(con, f"(select date '{day}' as x)") for day in days}
    assert len(found) == len(days)


def test_a_day_that_a_clock_skips_is_another(con):
    con.execute("set timezone = 'Europe/Zurich'")
    one, other = (f"(select timestamp '2024-03-31 0{hour}:30' as x)" for hour in (2, 3))
    assert digest(con, one) != digest(con, other)


def test_only_the_columns_that_are_used_count(con):
    con.execute("create table t as select 1 as a, 2 as b")
    con.execute("create table u as select 1 as a, 3 as b")
    assert digest(con, "t", ", only_columns := ['a']") == digest(
        con, "u", ", only_columns := ['A']"
    )
    assert digest(con, "t", ", only_columns := ['a']") == digest(con, "(select a from t)")


def test_without_the_secret_nobody_can_try_tables(con):
    """The attack: of a table all is known but one value, and the digest says which it is."""
    con.execute("create table t as select i as person, i = 7 as is_ill from range(20) r(i)")
    guesses = {
        person: digest(con, f"(select i as person, i = {person} as is_ill from range(20) r(i))")
        for person in range(20)
    }
    assert [p for p, guess in guesses.items() if guess == digest(con, "t")] == [7]  # the control
    keyed = digest(con, "t", f", keyed := true, secret := '{SECRET}'")
    assert keyed not in guesses.values()
    assert keyed == digest(con, "t", f", keyed := true, secret := '{SECRET.upper()}'")
    other = tanon_duck.new_secret()
    assert keyed != digest(con, "t", f", keyed := true, secret := '{other}'")


def test_a_secret_is_for_keyed_digests(con):
    with pytest.raises(duckdb.Error, match=r"row_digest: secret must be omitted unless keyed is"):
        con.execute("from tanon.row_digest('(select 1 as x)', secret := ?)", [SECRET])
    with pytest.raises(duckdb.Error, match="columns must be columns of source") as raised:
        con.execute("from tanon.row_digest('(select 1 as x)', only_columns := 'y')")
    assert SECRET not in str(raised.value)
