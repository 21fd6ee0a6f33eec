"""1/l does not hold against an adversary who learns from the two tables which values go with whom.

Documented: an estimate by EM from the two tables alone (the deFinetti attack of Kifer). In each
group of two there are two ways to hand out the values; how likely a way is follows from how often
values go with quasi-identifiers, which follows from how likely the ways are in all groups.
"""

import numpy as np
import pytest
from attacks.judging import assert_breaks, assert_holds

PATIENTS = 2000
CALL = (
    "from tanon.publish_table_pair('t', qi := ['age', 'sex'], sensitive := 's', l := 2, result "
    ":= '{}', "
    "respondent := 'who', for_owner := {})"
)


@pytest.fixture
def table(con):
    """Each of 16 kinds of people mostly has one of two diseases."""
    draw = np.random.default_rng(5)
    kind = draw.integers(0, 16, PATIENTS)
    disease = (kind + draw.choice([0, 1, 4], PATIENTS, p=[0.6, 0.3, 0.1])) % 8
    con.execute("create table t (who integer, age integer, sex integer, s integer)")
    rows = zip(range(PATIENTS), kind // 2, kind % 2, disease, strict=True)
    con.executemany("insert into t values (?, ?, ?, ?)", [tuple(map(int, row)) for row in rows])
    return con


def learned(con):
    """How many values are guessed right from the two tables, and of how many persons."""
    kinds, held, ids = {}, {}, {}
    for who, age, sex, group in con.execute(CALL.format("individuals", "true")).fetchall():
        kinds.setdefault(group, []).append(2 * age + sex)
        ids.setdefault(group, []).append(who)
    for group, value, _ in con.execute(CALL.format("values", "false")).fetchall():
        held.setdefault(group, []).append(value)
    groups = sorted(kinds)
    k, v = np.array([kinds[g] for g in groups]), np.array([held[g] for g in groups])
    straight = ways(k, v)
    true = dict(con.execute("select who, s from t").fetchall())
    guesses = np.where(straight[:, None] > 0.5, v, v[:, ::-1])
    hits = sum(
        true[who] == guess
        for group, pair in zip(groups, guesses.tolist(), strict=True)
        for who, guess in zip(ids[group], pair, strict=True)
    )
    return hits, guesses.size


def ways(k, v):
    """How likely the first person of each group has the first value, after EM."""
    straight = np.random.default_rng(1).uniform(0.4, 0.6, len(k))
    for _ in range(200):
        together = np.full((8, 16), 0.1)
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
            np.add.at(together, (v[:, j], k[:, i]), straight if i == j else 1 - straight)
        share = together / together.sum(axis=1, keepdims=True)
        one = share[v[:, 0], k[:, 0]] * share[v[:, 1], k[:, 1]]
        other = share[v[:, 1], k[:, 0]] * share[v[:, 0], k[:, 1]]
        straight = one / (one + other)
    return straight


def test_documented_where_values_follow_from_kinds_of_people_they_are_learned(table):
    hits, tries = learned(table)
    assert_breaks(hits, tries, 1 / 2)
    assert hits > 0.75 * tries


def test_control_where_they_do_not_nothing_is_learned(table):
    table.execute(
        "create table drawn as select who, row_number() over (order by hash(who)) as n from t"
    )
    table.execute(
        "create or replace table t as select t.who, o.age, o.sex, t.s from t "
        "join drawn using (who) join t as o on o.who = n - 1"
    )
    # Both guesses of a group are right, or none.
    hits, tries = learned(table)
    assert_holds(hits // 2, tries // 2, 1 / 2)
