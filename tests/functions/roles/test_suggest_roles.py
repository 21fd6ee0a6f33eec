"""tanon.suggest_roles: figures against counting by hand, and proposals that read like them."""

import random

import duckdb
import pytest

from oracles.singled_out import share_singled_out


@pytest.mark.parametrize("seed", range(8))
def test_figures_as_counted_by_hand(con, seed):
    draw = random.Random(seed)
    rows = [
        (draw.randrange(9), draw.choice([None, "a", "b", "c", "dd"]), draw.choice([1.5, 2.0, None]))
        for _ in range(draw.choice([0, 1, 5, 30]))
    ]
    con.execute('create table t (who integer, "o\'x" varchar, "a""b" double)')
    if rows:
        con.executemany("insert into t values (?, ?, ?)", rows)
    found = con.execute("from tanon.suggest_roles('t', respondent := 'who')").fetchall()
    assert [(name, kind) for name, kind, *_ in found] == [
        ("who", "INTEGER"), ("o'x", "VARCHAR"), ('a"b', "DOUBLE"),
    ]  # fmt: skip
    for place, (_, _, distinct, nulls, share, *_) in enumerate(found):
        values = [row[place] for row in rows]
        assert distinct == len({v for v in values if v is not None})
        assert nulls == values.count(None)
        if place:
            assert share == pytest.approx(share_singled_out(rows, 0, [place]))
        else:
            assert share is None


def test_without_a_respondent_rows_count(con):
    con.execute("create table t as select unnest(['a', 'a', 'b', 'c', null]) as x")
    found = con.execute("select singled_out from tanon.suggest_roles('t')").fetchall()
    assert found == [(0.6,)]


def test_proposals(con):
    con.execute("""create table t as select i // 2 as patient_id, i as receipt, 'x' as always,
        date '2024-01-01' + (i % 50)::int as admitted, date '2024-02-01' + (i % 50)::int as left_on,
        date '1970-01-01' + (i % 50)::int as birth_date, i % 30 as age, [i] as notes,
        (10000 + i % 40)::varchar as zip, i % 2 = 0 as sex, 'd' || i % 5 as diagnosis, i % 3 as kind
        from range(200) as r(i)""")
    found = con.execute(
        "select column_name, proposed, how from tanon.suggest_roles('t')"
    ).fetchall()
    assert {name: (role, how) for name, role, how in found} == {
        "patient_id": ("respondent", None),
        "receipt": ("drop", None),
        "always": ("keep", None),
        "admitted": ("time", "month, quarter, year"),
        "left_on": ("drop", None),
        "birth_date": ("quasi-identifier", "dates year, decade"),
        "age": ("quasi-identifier", "intervals 5, 10, 20"),
        "notes": ("drop", None),
        "zip": ("quasi-identifier", "prefixes 4, 3"),
        "sex": ("quasi-identifier", "list"),
        "diagnosis": ("sensitive", None),
        "kind": ("quasi-identifier", "list"),
    }
    roles = con.execute("select distinct role from tanon.roles('t')").fetchall()
    assert roles == [(None,)], "a proposal is not applied"


@pytest.mark.parametrize("name", ["Case ID", "case.id", "Patient-No", "my person nr", "id"])
def test_names_in_words_tell_the_respondent(con, name):
    con.execute(f'create table t as select 1 as showcaseid, 2 as kind, 3 as "{name}"')
    found = con.execute(
        "select column_name from tanon.suggest_roles('t') where proposed = 'respondent'"
    ).fetchall()
    assert found == [(name,)]


def test_every_proposal_can_be_declared(demo_con):
    for table in ("visits", "cases"):
        rows = demo_con.execute(f"select * from tanon.suggest_roles('{table}')").fetchall()
        said = {name: "; ".join(filter(None, [role, how])) for name, *_, role, how, _ in rows}
        demo_con.execute("from tanon.set_roles($t, $s)", {"t": table, "s": said}).fetchall()


def test_a_respondent_of_null_is_refused(con):
    con.execute("create table t as select null::integer as who, 1 as x")
    with pytest.raises(duckdb.Error, match="respondent must be free of NULL, got 1 rows"):
        con.execute("from tanon.suggest_roles('t', respondent := 'who')").fetchall()
