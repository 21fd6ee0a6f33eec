"""tanon.set_roles: statements that say what columns are, and refuse what makes no sense."""

import duckdb
import pytest

from tanon_duck.quoting import identifier, literal

HOSTILE = ['a"b', "o'x", "select", "Ünïcode", "a.b", "x; drop table y", "{qi}", "[tanon: keep]"]


def set_roles(con, relation, roles):
    rows = con.execute("from tanon.set_roles($r, $s)", {"r": relation, "s": roles}).fetchall()
    for *_, statement in rows:
        con.execute(statement)
    return rows


def test_comments_of_the_user_stay(demo_con):
    demo_con.execute("comment on column visits.zip is 'It''s the ward''s.'")
    said = "select comment from duckdb_columns() where column_name = 'zip' and comment is not null"
    set_roles(demo_con, "visits", {"zip": "quasi-identifier; prefixes 4, 3"})
    assert demo_con.execute(said).fetchall() == [
        ("It's the ward's. [tanon: quasi-identifier; prefixes 4, 3]",)
    ]
    set_roles(demo_con, "visits", {"zip": "drop"})
    assert demo_con.execute(said).fetchall() == [("It's the ward's. [tanon: drop]",)]
    set_roles(demo_con, "visits", {"zip": "none"})
    assert demo_con.execute(said).fetchall() == [("It's the ward's.",)]


@pytest.mark.parametrize("kind", ["table", "temp table", "view", "temp view"])
def test_hostile_names(con, kind):
    def value(place):
        return "date '2024-01-01'" if place == 1 else str(place)

    columns = ", ".join(f"{value(i)} as {identifier(name)}" for i, name in enumerate(HOSTILE))
    con.execute(f"create {kind} {identifier('t of ' + HOSTILE[5])} as select {columns}")
    roles = dict.fromkeys(HOSTILE, "keep") | {HOSTILE[0]: "respondent", HOSTILE[1]: "time; month"}
    name = identifier("t of " + HOSTILE[5])
    assert len(set_roles(con, name, roles)) == len(HOSTILE)
    found = con.execute(
        f"select column_name, concat_ws('; ', role, how), kept_in from tanon.roles({literal(name)})"
    ).fetchall()
    assert {column: role for column, role, _ in found} == roles
    assert {kept for *_, kept in found} == {"session" if "temp" in kind else "comment"}


def test_what_has_no_comments_is_kept_by_the_session(demo_con, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy visits to 'v.parquet'")
    set_roles(demo_con, "v.parquet", {"patient": "respondent", "sex": "quasi-identifier"})
    wanted = demo_con.execute("from tanon.k_anonymity('visits', 'patient', 'sex')").fetchall()
    assert demo_con.execute("from tanon.k_anonymity('v.parquet')").fetchall() == wanted
    set_roles(demo_con, "v.parquet", {"sex": "none", "zip": "quasi-identifier"})
    wanted = demo_con.execute("from tanon.k_anonymity('visits', 'patient', 'zip')").fetchall()
    assert demo_con.execute("from tanon.k_anonymity('v.parquet')").fetchall() == wanted


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ("{'zpi': 'keep'}", "roles must name columns of source, got 'zpi'; did you mean 'zip'"),
        ("{'zip': 'respondant'}", "got 'respondant' for zip; did you mean 'respondent'"),
        ("{'zip': 'keep; list'}", "got 'keep; list' for zip: only quasi-identifier and time"),
        ("{'zip': 'quasi-identifier; prefix 3'}", "tanon.hierarchies lists how"),
        ("{'zip': 'quasi-identifier; prefixes 3, 4'}", "for zip: fewer letters must be left on"),
        (
            "{'admitted': 'quasi-identifier; dates yaer'}",
            "'yaer' is no granularity; did you mean 'y",
        ),
        ("{'zip': 'respondent', 'age': 'respondent'}", "must name one respondent, got age, zip"),
        ("{'sex': 'time'}", "roles must name one time, got admitted, sex"),
        ("map {'zip': 'keep', 'ZIP': 'drop'}", "roles must name each column once, got"),
        ("5", "roles must be a struct or a map of columns"),
        ("map {}", "roles must be a struct or a map of columns"),
    ],
)
def test_refused(demo_con, roles, said):
    set_roles(demo_con, "visits", {"admitted": "time; month"})
    with pytest.raises(duckdb.Error, match=said):
        demo_con.execute(f"from tanon.set_roles('visits', {roles})").fetchall()


def test_roles_belong_to_a_name(demo_con):
    with pytest.raises(duckdb.Error, match="source must be the name of a table, a view or a file"):
        demo_con.execute("from tanon.set_roles('(select 1 as a)', {'a': 'keep'})").fetchall()


@pytest.mark.parametrize("kind", ["integer", "varchar", "time", "double"])
@pytest.mark.parametrize("role", ["time", "time; month, year"])
def test_time_is_a_time(con, kind, role):
    con.execute(f"create table events (who integer, day {kind}, seen timestamptz)")
    set_roles(con, "events", {"seen": role})
    call = "from tanon.set_roles('events', {'seen': 'none', 'day': $role})"
    if (kind, role) == ("integer", "time"):  # of a stream: reposition takes it
        assert con.execute(call, {"role": role}).fetchall()
        return
    said = f"must name a DATE or TIMESTAMP column as time.*got day of type {kind.upper()}"
    with pytest.raises(duckdb.Error, match=said):
        con.execute(call, {"role": role})
