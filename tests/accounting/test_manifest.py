"""What a manifest tells of its source, of the secret and of queries, and what it does not."""

import hashlib
import json

import duckdb
import pytest

from tanon_duck import TanonError, new_secret, release, set_roles
from tanon_duck.accounting.call import Call, plain_name
from tanon_duck.accounting.manifest import checked, publish
from tanon_duck.macros import catalog
from tanon_duck.quoting import Quoted
from tanon_duck.secret import VARIABLE, fingerprint

SECRET = hashlib.sha256(b"of a manifest").hexdigest()
GIVEN = {
    "source": "visits",
    "respondent": "patient",
    "qi": ["sex"],
    "ts": "admitted",
    "granularities": ["month", "quarter"],
    "k": 5,
}
ANATOMY = {
    "source": "visits",
    "qi": ["age", "sex"],
    "sensitive": "diagnosis",
    "l": 2,
    "result": "values",
}
ANATOMY |= {"respondent": "patient"}


def manifest(con, function="publish_events", names=None, **arguments):
    table = Quoted('temp.main."a release"')
    con.execute(f"drop table if exists {table}")
    call = Call(con, catalog.function(function), arguments, names or {})
    return publish(call, table)[0]


def test_what_left_from_what_and_what_was_left_out(demo_con):
    told = manifest(demo_con, **GIVEN | {"qi": ["zip"], "k": 9, "max_suppression": 0.9})
    assert told["source"]["rows"] == 450
    assert told["suppressed"] == 450 - told["release"]["rows"] > 0
    listed = demo_con.execute(
        "select sum(tuples) from tanon.publish_events('visits', 'patient', ['zip'], "
        "'admitted', ['month', 'quarter'], 9, 0.9, result := 'suppressed')"
    ).fetchall()
    assert listed == [(told["suppressed"],)]
    assert [c["name"] for c in told["source"]["columns"]] == ["patient", "admitted", "zip"]
    assert told["release"]["columns"] == [
        {"name": "zip", "type": "VARCHAR"},
        {"name": "admitted", "type": "VARCHAR"},
    ]
    assert told["roles"] == {
        "respondent": ["patient"], "qi": ["zip"], "ts": ["admitted"], "keep": [],
        "allow_identifying": [], "sensitive": [],
    }  # fmt: skip


def test_the_digests_are_those_of_the_rows(demo_con):
    told = manifest(demo_con, "publish_table_pair", **ANATOMY, secret=SECRET)
    wanted = demo_con.execute(
        "select digest from tanon.row_digest('(from temp.main.\"a release\")')"
    ).fetchall()
    assert [(told["release"]["digest"],)] == wanted
    keyed = demo_con.execute(
        "select digest from tanon.row_digest('visits', only_columns := ['age', 'diagnosis', "
        "'patient', 'sex'], "
        "keyed := true, secret := $secret)",
        {"secret": SECRET},
    ).fetchall()
    assert [(told["source"]["digest"],)] == keyed


def test_without_a_secret_that_lasts_the_source_has_no_digest(demo_con, monkeypatch):
    monkeypatch.delenv(VARIABLE)
    told = manifest(demo_con, "publish_table_pair", **ANATOMY)
    assert told["source"]["digest"] is None
    assert told["secret"]["from"] == "this process"
    assert manifest(demo_con, **GIVEN)["secret"] is None
    monkeypatch.setenv(VARIABLE, SECRET)
    told = manifest(demo_con, **GIVEN)
    assert told["source"]["digest"] is not None
    assert told["secret"] == {"from": VARIABLE, "fingerprint": fingerprint(SECRET)}


@pytest.mark.parametrize("given", [SECRET, SECRET.upper(), f"(select '{SECRET}')"])
def test_the_secret_is_told_apart_and_not_told(demo_con, given):
    told = manifest(demo_con, "publish_table_pair", **ANATOMY, secret=given)
    assert told["secret"] == {"from": "the call", "fingerprint": fingerprint(SECRET)}
    assert SECRET not in json.dumps(told).lower()
    assert fingerprint(SECRET) != fingerprint(new_secret())


def test_a_fingerprint_confirms_no_guess():
    """A word's MD5 passes for a secret: of a dictionary that holds it, several words are left."""
    assert len(fingerprint(SECRET)) == 5
    assert set(fingerprint(SECRET)) <= set("0123456789abcdef")
    assert fingerprint(SECRET) not in hashlib.sha256(SECRET.encode()).hexdigest()


def test_of_a_query_it_is_only_told_that_it_was_one(demo_con):
    query = "(select * from visits where zip <> '10004')"
    told = manifest(demo_con, **GIVEN | {"source": query, "calendar": None})
    assert told["source"]["relation"] == "(a query)"
    assert "10004" not in json.dumps(told)
    demo_con.execute(
        "create table days as select 1::bigint as granule, 'x' as label, "
        "timestamp '2020-01-01' as starts, timestamp '2030-01-01' as ends"
    )
    calendar = "(select 'whole' as granularity, granule, label, starts, ends from days)"
    told = manifest(demo_con, **GIVEN | {"calendar": calendar, "granularities": "whole"})
    assert told["parameters"]["calendar"] == "(a query)"


@pytest.mark.parametrize(
    "query",
    [
        "select * from visits where zip <> 'Jane SECRETNAME'",
        "from visits where zip <> 'Jane SECRETNAME'",
        "with kept as (from visits) from kept where zip <> 'Jane SECRETNAME'",
        "  (select * from visits where zip <> 'Jane SECRETNAME') as kept",
    ],
)
def test_however_a_query_begins_it_is_not_told(demo_con, query):
    told = manifest(demo_con, **GIVEN | {"source": query})
    assert told["source"]["relation"] == "(a query)"
    more = {"population": query, "presence": {"k_map": 2}, "granularities": ["quarter"]}
    ways = "select 'sex' as attribute, 1 as level, sex as value, '*' as generalized from visits "
    more["hierarchies"] = f"{ways} where zip <> 'Jane SECRETNAME' group by all"
    whole = manifest(demo_con, **GIVEN | more)
    assert whole["parameters"]["population"] == whole["parameters"]["hierarchies"] == "(a query)"
    for each in (told, whole):
        assert "SECRETNAME" not in json.dumps(each)
    assert manifest(demo_con, **GIVEN)["source"]["relation"] == "visits"


def test_names_are_told_as_they_are(demo_con):
    names = {"visits": "visits", "my visits": "my visits", "main.visits": "main.visits"}
    names |= {"/home/owner/Jane/visits.parquet": "visits.parquet", "from_visits": "from_visits"}
    assert {name: plain_name(demo_con, name) for name in names} == names
    assert plain_name(demo_con, "read_csv('/home/owner/Jane/visits.csv')") == "(a query)"
    assert plain_name(demo_con, 5) == 5


def test_the_values_of_an_enum_are_no_type(demo_con):
    demo_con.execute(
        "create table v as select * replace (sex::enum('f', 'm', 'it''s (x') as sex) from visits"
    )
    told = manifest(demo_con, **GIVEN | {"source": "v"})
    assert {"name": "sex", "type": "VARCHAR"} in told["release"]["columns"]
    assert {"name": "sex", "type": "ENUM"} in told["source"]["columns"]


def test_a_promise_that_does_not_hold_stops_everything(demo_con):
    check = "check_release($release, qi := $qi, k := $k)"
    values = {"release": "visits", "qi": ["zip", "sex"], "k": 400}
    with pytest.raises(TanonError, match=r"rows that share what is known: .* instead of at least"):
        checked(demo_con, "publish_events", check, values)


def test_earlier_releases_of_a_source_are_on_record(demo_con):
    for table, k in (("first", 5), ("second", 6)):
        release(demo_con, "publish_events", into=table, **GIVEN | {"k": k})
    release(demo_con, "publish_table_pair", into="third", **ANATOMY)
    unchanged = (
        "select \"table\" from tanon_releases where source = 'visits' and source_digest = "
        "(select digest from tanon.row_digest('visits', only_columns := ['admitted', 'patient', "
        "'sex'])) "
        "order by released"
    )
    assert demo_con.execute(unchanged).fetchall() == [("first",), ("second",)]
    demo_con.execute("update visits set sex = 'x' where rowid = 3")
    assert demo_con.execute(unchanged).fetchall() == []
    all_of_it = "select count(*) from tanon_releases where source = 'visits'"
    assert demo_con.execute(all_of_it).fetchall() == [(3,)]


@pytest.mark.parametrize("into", ["visits", "(select 1)", "", "tanon_x", "nowhere.out"])
def test_into_must_be_new(demo_con, into):
    with pytest.raises((TanonError, duckdb.Error)) as raised:
        release(demo_con, "publish_events", into=into, **GIVEN)
    assert "into must be" in str(raised.value) or into == "nowhere.out"
    assert demo_con.execute("select count(*) from visits").fetchall() == [(450,)]
    made = "select count(*) from duckdb_tables() where table_name = 'tanon_releases'"
    assert demo_con.execute(made).fetchall() == [(0,)]


def test_in_a_transaction_of_the_callers_it_goes_with_it(demo_con):
    demo_con.execute("begin")
    made = release(demo_con, "publish_events", into="out", **GIVEN)
    assert made.rows().aggregate("count(*)").fetchall() == [(450,)]
    demo_con.execute("rollback")
    left = "select count(*) from duckdb_tables() where table_name in ('out', 'tanon_releases')"
    assert demo_con.execute(left).fetchall() == [(0,)]


def test_roles_that_were_declared_are_told_and_checked(demo_con):
    demo_con.execute(
        "comment on column visits.patient is '[tanon: respondent]';"
        "comment on column visits.sex is '[tanon: quasi-identifier]';"
        "comment on column visits.diagnosis is '[tanon: keep]';"
        "comment on column visits.admitted is '[tanon: time; month, quarter]';"
    )
    declared = manifest(demo_con, source="visits", k=5)
    given = manifest(demo_con, **GIVEN | {"keep": ["diagnosis"]})
    told = ("roles", "parameters", "release", "source", "checks", "suppressed")
    assert {key: declared[key] for key in told} == {key: given[key] for key in told}


def test_a_remainder_counts_as_the_rows_that_it_stands_for(demo_con):
    given = {"source": "visits", "respondent": "patient", "qi": ["sex", "zip"], "ts": "admitted"}
    given |= {"granularities": ["year"], "k": 15, "max_suppression": 0.9, "remainder": True}
    manifest = release(demo_con, "publish_events", into="out", **given).manifest
    named = ", ".join(f"{name} := ${name}" for name in given)
    call = f"tanon.publish_events({named}"
    assert demo_con.execute("from out").fetchall() == (
        demo_con.execute(f"from {call})", given).fetchall()
    )
    ((rest, shown),) = demo_con.execute(
        "select sum(stands_for) filter (sex = '*'), count(*) filter (sex = '*') from out"
    ).fetchall()
    assert rest >= 15 > shown > 0
    assert manifest["suppressed"] == 450 - manifest["release"]["rows"] + shown >= rest
    assert all(check["holds"] for check in manifest["checks"])

    demo_con.execute(f"create table copy as from {call}, for_owner := true)", given)
    check = (
        "select property from tanon.check_release('out', qi := ['sex', 'zip'], ts := 'admitted', "
        "k := 15, owner := 'copy', respondent := 'patient', records := 'stands_for') where not "
        "holds"
    )
    assert demo_con.execute(check).fetchall() == []
    unweighed = check.replace("records", "keep")
    assert ("rows that share what is known",) in demo_con.execute(unweighed).fetchall()
    demo_con.execute("update out set stands_for = stands_for + 1 where sex = '*'")
    assert demo_con.execute(check).fetchall() == [("rows of the owner's copy",)]


def test_declared_hierarchies_are_told_by_what_builds_them(demo_con, tmp_path):
    districts = tmp_path / "districts of zips.csv"
    demo_con.execute(
        f"copy (select distinct zip, zip[:2] as region from visits) to '{districts}' (header)"
    )
    roles = {
        "patient": "respondent",
        "age": "quasi-identifier; intervals 10, 40 above 90",
        "zip": f"quasi-identifier; parents {districts}(zip, region)",
        "admitted": "time; month, quarter",
    }
    set_roles(demo_con, "visits", roles)
    told = manifest(demo_con, source="visits", k=5, max_suppression=0.2)["parameters"]
    assert told["hierarchies"] == {
        "age": "intervals 10, 40 above 90",
        "zip": "parents districts of zips.csv(zip, region)",
    }


def test_limits_are_promises_that_are_checked(demo_con):
    asked = {"distinct_l": 2, "entropy_l": 1.5, "recursive_c": 5, "recursive_l": 3, "t": 0.5}
    given = {"sensitive": "diagnosis", "limits": asked}
    told = manifest(demo_con, **GIVEN | given | {"keep": ["diagnosis"], "max_suppression": 0.5})
    assert "criteria" not in told["chosen"]
    rows = {row["property"]: row for row in told["checks"]}
    (worst,) = demo_con.execute(
        "select columns(['distinct_l', 'entropy_l', 'recursive_c']) "
        "from tanon.diversity_metrics('(select *, date_trunc(''month'', admitted) as m from "
        "visits)', groups := ['sex', 'm'], sensitive := 'diagnosis', respondent := 'patient', "
        "limits := {'recursive_c': 5, 'recursive_l': 3})"
    ).fetchall()
    # The groups of a release are compared with the source, where a person has a disease once.
    (farthest,) = demo_con.execute(
        "with p as (select diagnosis, "
        "count(distinct patient) / sum(count(distinct patient)) over () as p from visits "
        "group by all), q as (select sex, date_trunc('month', admitted) as m, "
        "diagnosis, count(distinct patient) as n from visits group by all) "
        "select max(t) from (select (sum(abs(n / of - p)) + 1 - sum(p)) / 2 as t from (select *, "
        "sum(n) over (partition by sex, m) as of from q) join p using (diagnosis) group by sex, m)"
    ).fetchall()
    assert told["chosen"]["granularity"] == "month"
    assert told["suppressed"] == 0
    promised = {
        "distinct_l of diagnosis": "at least 2",
        "entropy_l of diagnosis": "at least 1.5",
        "recursive_c of diagnosis, l = 3": "less than 5",
        "t of diagnosis": "at most 0.5",
    }
    for (name, promise), found in zip(promised.items(), [*worst, *farthest], strict=True):
        assert (rows[name]["promise"], rows[name]["holds"]) == (promise, True)
        assert float(rows[name]["found"]) == pytest.approx(found, rel=1e-3)


def test_a_population_is_a_promise_that_is_checked(demo_con):
    demo_con.execute("create table drawn as from visits order by all limit 300")
    given = {"population": "visits", "presence": {"k_map": 6, "delta_high": 0.9}}
    told = manifest(demo_con, **GIVEN | given | {"source": "drawn"})
    demo_con.execute(
        "create view wide as select patient, sex, date_trunc('month', admitted) as m from visits;"
        "create view narrow as select patient, sex, date_trunc('month', admitted) as m from drawn"
    )
    ((k_map, most),) = demo_con.execute(
        "select k_map, delta_max from tanon.presence_metrics('narrow', 'patient', ['sex', 'm'], "
        "'wide')"
    ).fetchall()
    assert told["chosen"]["granularity"] == "month"
    assert told["checks"][-2:] == [
        {
            "property": "delta_high in the population", "promise": "at most 0.9",
            "found": f"{most:.4g}", "holds": True,
        },
        {
            "property": "k_map in the population", "promise": "at least 6",
            "found": str(k_map), "holds": True,
        },
    ]  # fmt: skip
