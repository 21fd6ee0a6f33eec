"""Who has several records learns nothing more certain than 1/l, if groups are made by persons.

A person comes with two diseases on one day. Dealt by rows, both may lie in one group of two: an
adversary who knows their quasi-identifiers finds the person alone in that group and knows both
values.
"""

import random
from collections import defaultdict

import pytest
from attacks.judging import assert_breaks, assert_holds

CALL = (
    "from tanon.publish_table_pair('t', qi := 'age', sensitive := 's', l := {}, result := '{}', "
    "partition := 'day', allow_identifying := 'age', {})"
)
VALUES = ["asthma", "flu", "gout", "mumps", "rubella", "zoster"]


@pytest.fixture
def table(con):
    """Days of six rows; on each one person has two values. Each person is known by an age."""
    draw, rows = random.Random(3), []
    for day in range(300):
        one, other, *more = draw.sample(VALUES, 6)
        rows += [(day, 9 * day, one), (day, 9 * day, other)]
        rows += [(day, 9 * day + 1 + i, value) for i, value in enumerate(more)]
    con.execute("create table t (day integer, age integer, s varchar)")
    con.executemany("insert into t values (?, ?, ?)", rows)
    con.execute("alter table t add column who integer; update t set who = age")
    return con


def known(con, l, persons):  # noqa: E741
    """Of whom all values of a group are known with certainty, and whether they are right."""
    people = con.execute(CALL.format(l, "individuals", persons)).fetchall()
    values = con.execute(CALL.format(l, "values", persons)).fetchall()
    members, held, true = defaultdict(set), defaultdict(set), defaultdict(set)
    for _, age, group in people:
        members[group].add(age)
    for _, group, value, _ in values:
        held[group].add(value)
    for age, value in con.execute("select age, s from t").fetchall():
        true[age].add(value)
    alone = [(met.pop(), held[group]) for group, met in members.items() if len(met) == 1]
    return sum(found <= true[age] for age, found in alone), len(alone)


@pytest.mark.parametrize("l", [2, 3])
def test_nobody_is_alone_in_a_group(table, l):  # noqa: E741
    assert known(table, l, "respondent := 'who'") == (0, 0)


def test_control_by_rows_both_values_are_known_with_certainty(table):
    hits, tries = known(table, 2, "rows_are_persons := true")
    assert tries > 30
    assert hits == tries
    assert_breaks(hits, tries, 1 / 2)


@pytest.mark.parametrize("l", [2, 3])
def test_one_guess_for_each_row_is_right_as_often_as_promised(table, l):  # noqa: E741
    """The most frequent value of the group of a row: of those who come twice, and of all."""
    call = CALL.format(l, "{}", "respondent := 'who', for_owner := true")
    values = table.execute(call.format("values")).fetchall()
    held = defaultdict(list)
    for _, _, group, value, _ in values:
        held[group].append(value)
    twice = [(group, value) for who, _, group, value, _ in values if who % 9 == 0]
    guesses = {group: random.Random(group).choice(met) for group, met in held.items()}
    assert_holds(sum(guesses[g] == v for g, v in twice), len(twice), 1 / l)
