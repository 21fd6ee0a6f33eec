"""Checks that share what they count come out as each does by itself."""

import random

import duckdb
import pytest

from tanon_duck.checking import running, together
from tanon_duck.checking.shared import Call, Shared
from tanon_duck.checking.together import Promise

VALUES = {
    "p": ["'p1'", "'p2'", "'p3'", "'p4'", "'P4'"],
    "a": ["'x'", "'y'", "''", "null"],
    "b": ["1", "2", "null"],
    'odd "name"': ["'é'", "' '", "null"],
    "s": ["'flu'", "'cold'", "null"],
    "t": [f"timestamp '2024-0{m}-1{d} 08:00:00'" for m in (1, 2, 3) for d in (0, 5)],
}


def random_table(con, rng, rows):
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in VALUES)
    texts = ", ".join(f"({', '.join(rng.choice(v) for v in VALUES.values())})" for _ in range(rows))
    con.execute(f"create or replace table people as from (values {texts}) as t({names})")


def random_promises(rng, number, source="people"):
    for place in range(number):
        qi = rng.sample(["a", "b", 'odd "name"', "A"][: rng.choice([3, 4])], rng.choice([1, 2]))
        qi = list({name.lower(): name for name in qi}.values())
        time = rng.choice([{}, {"ts": "t"}, {"ts": "T", "granularity": "month"}])
        people = {"source": source, "uid": rng.choice(["p", "P"]), "qi": qi} | time
        function, arguments = rng.choice(
            [
                ("k_anonymity", people | {"k": rng.choice([2, 3])}),
                ("k_anonymity_violations", people | {"k": rng.choice([2, 3, 4])}),
                (
                    "l_diversity_violations",
                    {"source": source, "groups": qi, "sa": "s", "l": rng.choice([2, 3, "3/2"])},
                ),
            ]
        )
        yield Promise(f"{place}", function, arguments)


def same(found, alone):
    """Everything but the name."""
    for field in ("function", "holds", "failing", "figures", "columns", "rows", "message"):
        assert getattr(found, field) == getattr(alone, field), field


@pytest.mark.parametrize("seed", range(4))
def test_together_as_alone(con, seed):
    rng = random.Random(seed)
    random_table(con, rng, rng.choice([1, 12, 60]))
    promises = list(random_promises(rng, 7))
    found = together.run_all(con, promises, {})
    for promise, result in zip(promises, found, strict=True):
        same(result, running.run(con, promise.function, promise.arguments))


def test_an_empty_table(con):
    random_table(con, random.Random(1), 1)
    con.execute("delete from people")
    promises = list(random_promises(random.Random(2), 6))
    for promise, result in zip(promises, together.run_all(con, promises, {}), strict=True):
        same(result, running.run(con, promise.function, promise.arguments))


@pytest.mark.parametrize(
    ("source", "uid"), [("(from people where b = 1)", "p"), ("people", "nobody"), ("peple", "p")]
)
def test_queries_and_mistakes_as_alone(con, source, uid):
    random_table(con, random.Random(3), 40)
    qis = (["a"], ["b"], ["a", "b"])
    promises = [
        Promise("", "k_anonymity_violations", {"source": source, "uid": uid, "qi": qi, "k": 3})
        for qi in qis
    ]
    for promise, result in zip(promises, together.run_all(con, promises, {}), strict=True):
        same(result, running.run(con, promise.function, promise.arguments))


def test_a_null_respondent_is_refused_by_each(con):
    con.execute("create table people as select null as p, 'x' as a, 'y' as b from range(9)")
    promises = [
        Promise("", "k_anonymity_violations", {"source": "people", "uid": "p", "qi": qi, "k": 3})
        for qi in (["a"], ["b"], ["a", "b"])
    ]
    for result in together.run_all(con, promises, {}):
        assert result.status == 2
        assert "uid must" in result.message


def test_texts_that_a_collation_makes_one_stay_one(con):
    con.execute("create table people (p varchar collate nocase, a varchar collate nocase)")
    con.execute("insert into people values ('p', 'x'), ('P', 'X'), ('q', 'x'), ('r', 'y')")
    promises = [
        Promise("", "k_anonymity", {"source": "people", "uid": "p", "qi": ["a"], "k": k} | more)
        for k, more in ((2, {}), (3, {}), (4, {}), (2, {"ts": None}))
    ]
    for promise, result in zip(promises, together.run_all(con, promises, {}), strict=True):
        same(result, running.run(con, promise.function, promise.arguments))
        assert result.figures[0].value == 1


class Counted:
    """A connection that remembers what it was asked."""

    def __init__(self, con):
        self.con, self.asked = con, []

    def execute(self, sql, *values):
        self.asked.append((sql, values))
        return self.con.execute(sql, *values)

    def calls(self):
        return [values[0] for sql, values in self.asked if "from tanon.k_anon" in sql]


def test_one_run_for_promises_that_differ_in_their_bound(con):
    random_table(con, random.Random(4), 50)
    asked = {"source": "people", "uid": "p", "qi": ["a"]}
    promises = [Promise(f"{k}", "k_anonymity_violations", asked | {"k": k}) for k in (2, 5, 3, 4)]
    counted = Counted(con)
    together.run_all(counted, promises, {}, rows=0)
    assert [call["k"] for call in counted.calls()] == [5]


def test_people_are_merged_before_they_are_counted(con):
    """Ten rows of each person make one row of the people, and the source is read no more."""
    con.execute(
        "create table people as select r % 50 as p, (r % 50) % 3 as a, (r % 50) % 2 as b, "
        "timestamp '2024-01-01' as t from range(500) as s(r)"
    )
    asked = {"source": "people", "uid": "p"}
    promises = [
        Promise("", "k_anonymity_violations", asked | {"qi": qi, "k": 2})
        for qi in (["a"], ["b"], ["a", "b"])
    ]
    calls = [Call(p.function, p.arguments) for p in promises]
    shared = Shared(con, calls)
    ((rows,),) = con.execute(
        f"select count(*) from {shared.of_people(calls[0])['source']}"
    ).fetchall()
    assert rows == 50
    shared.close()
    counted = Counted(con)
    assert all(r.holds for r in together.run_all(counted, promises, {}))
    assert {call["source"] for call in counted.calls()} == {"checked_people_0"}


def test_roles_that_are_declared_stand_for_what_is_left_out(con):
    random_table(con, random.Random(9), 60)
    con.execute("comment on column people.p is '[tanon: respondent]'")
    con.execute("comment on column people.t is '[tanon: time]'")
    asked = {"source": "people", "k": 2}
    promises = [Promise("", "k_anonymity", asked | {"qi": qi}) for qi in ("a", "b", ["a", "b"])]
    for promise, result in zip(promises, together.run_all(con, promises, {}), strict=True):
        same(result, running.run(con, promise.function, promise.arguments))
        assert result.status < 2


def test_nothing_is_left_behind(con):
    random_table(con, random.Random(5), 60)
    together.run_all(con, list(random_promises(random.Random(6), 9)), {})
    tables = con.execute("select table_name from duckdb_tables() where temporary").fetchall()
    types = con.execute(
        "select type_name from duckdb_types() where database_name = 'temp' and not internal"
    ).fetchall()
    assert (tables, types) == ([], [])


def test_an_interrupt_ends_all(con):
    class Interrupted:
        def execute(self, sql, *values):
            if "from tanon." in sql:
                raise duckdb.InterruptException("INTERRUPT Error: Interrupted!")
            return con.execute(sql, *values)

    random_table(con, random.Random(7), 20)
    with pytest.raises(duckdb.InterruptException):
        together.run_all(Interrupted(), list(random_promises(random.Random(8), 4)), {})
