"""Whoever has both tables and the code finds nobody's value with more than 1/l."""

import hashlib
import random

import pytest
from attacks.deals import left_with_one, right_guesses
from attacks.judging import assert_breaks, assert_holds

from tanon_duck import new_secret, publication

VALUES = ["asthma", "flu", "gout", "mumps", "rubella"]
CALL = (
    "from tanon.publish_table_pair('t', qi := 'person', allow_identifying := 'person', sensitive "
    ":= 's', l := {}, "
    "result := '{}', rows_are_persons := true{})"
)
# A deal whose seed is a mask by xor over a hash that everybody can compute.
MASKED = """
    select person, 1 + turn % (count(*) over () // {}) as a_group, s from (
        select *, row_number() over (
            order by s, xor(hash(person, s), 9223372036854775907)
        ) - 1 as turn from t
    )"""


@pytest.fixture
def table(con):
    rng = random.Random(11)
    rows = [(i, rng.choice(VALUES)) for i in range(800)]
    con.execute("create table t (person int, s varchar)")
    con.execute(
        "insert into t select unnest($1), unnest($2)", [[r[0] for r in rows], [r[1] for r in rows]]
    )
    return con


def truth(con):
    return dict(con.execute("select person, s from t").fetchall())


def released(con, l=2, more=""):  # noqa: E741
    people = con.execute(CALL.format(l, "individuals", more)).fetchall()
    values = con.execute(CALL.format(l, "values", more)).fetchall()
    return people, [(group, value) for group, value, _ in values]


def public_hash(con):
    """The upper bits of DuckDB's hash of a person with a value."""
    found = con.execute(
        "select person, v, (hash(person, v) >> 48)::int from t, (select unnest($1) as v)", [VALUES]
    ).fetchall()
    bits = {(person, value): b for person, value, b in found}
    return lambda person, value: bits[person, value]


def keyed_by(secret):
    """What the deal would be in the order of, were this the secret."""
    text = "\n".join(["tanon_duck 1", secret, "tanon.publish_anatomy", "[INTEGER, VARCHAR]"])
    key = hashlib.sha256(text.encode()).digest()

    def bits(person, value):
        row = f"{len(str(person))}:{person}{len(value)}:{value}"
        return int(hashlib.sha256(key + row.encode()).hexdigest()[:4], 16)

    return bits


@pytest.mark.quick
@pytest.mark.parametrize("l", [2, 3, 4])
def test_the_deal_is_not_undone(table, l):  # noqa: E741
    people, values = released(table, l)
    for order in (public_hash(table), keyed_by(""), keyed_by(new_secret())):
        assert_holds(*right_guesses(people, values, order, truth(table)), 1 / l)


@pytest.mark.quick
@pytest.mark.parametrize("l", [2, 3, 4])
def test_control_a_deal_by_a_masked_hash_is_undone(table, l):  # noqa: E741
    dealt = table.execute(MASKED.format(l)).fetchall()
    hits, tries = right_guesses(
        [(p, g) for p, g, _ in dealt],
        [(g, s) for _, g, s in dealt],
        public_hash(table),
        truth(table),
    )
    assert_breaks(hits, tries, 1 / l)
    assert hits > 0.9 * tries


def test_control_whoever_has_the_secret_undoes_the_deal(table):
    given = new_secret()
    people, values = released(table, more=f", secret := '{given}'")
    hits, tries = right_guesses(people, values, keyed_by(given), truth(table))
    assert hits > 0.9 * tries


def test_the_pair_of_a_publication_is_not_undone(table):
    table.execute("create view days as select *, 1 as day from t")
    given = {
        "ts": "day",
        "sensitive": "s",
        "qi": "person",
        "l": 2,
        "w": 2,
        "allow_identifying": "person",
    }
    given["rows_are_persons"] = True
    stream = publication(table, "p", "days", **given, secret="9d02f4c17be8356a0d4b92ee71c6f358")
    stream.advance(1)
    stream.finish()
    people = [row[1:] for row in stream.individuals().fetchall()]
    values = [row[1:3] for row in stream.values().fetchall()]
    for order in (public_hash(table), keyed_by(""), keyed_by(new_secret())):
        assert_holds(*right_guesses(people, values, order, truth(table)), 1 / 2)


def test_rows_do_not_come_in_the_order_of_the_deal_or_of_the_source(table):
    table.execute("create or replace table t as from t order by s")
    people, values = released(table)
    assert people == sorted(people)
    assert values == sorted(values)
    assert_holds(*by_position([p for p, _ in people], truth(table)), 1 / 2)


def test_control_rows_in_the_order_of_the_deal_tell_their_values(table):
    masked = MASKED.format(2).replace("person, 1", "person, turn, 1")
    dealt = table.execute(masked + " order by turn")
    assert_breaks(*by_position([row[0] for row in dealt.fetchall()], truth(table)), 1 / 2)


def by_position(people, true):
    """Guess that the rows come sorted by value."""
    guessed = sorted(true.values())
    return sum(true[p] == g for p, g in zip(people, guessed, strict=True)), len(people)


def twins(con):
    """Pairs of the same description, of which half share their value."""
    rng, rows = random.Random(5), []
    for pair in range(400):
        one, other = rng.sample(VALUES, 2)
        rows += [(pair, one), (pair, one if pair % 2 else other)]
    con.execute("create table t (person int, s varchar)")
    con.execute(
        "insert into t select unnest($1), unnest($2)", [[r[0] for r in rows], [r[1] for r in rows]]
    )


def neighbours(people):
    """Guess that a pair shares its value where its groups are next to each other."""
    groups = {}
    for person, group in people:
        groups.setdefault(person, []).append(group)
    hits = sum((abs(a - b) in (1, 399)) == bool(pair % 2) for pair, (a, b) in groups.items())
    return hits, len(groups)


def test_equal_rows_are_not_dealt_to_neighbours(con):
    twins(con)
    assert_holds(*neighbours(released(con)[0]), 1 / 2)


def test_control_equal_rows_with_equal_hashes_are_neighbours(con):
    twins(con)
    dealt = con.execute(MASKED.format(2)).fetchall()
    assert_breaks(*neighbours([(p, g) for p, g, _ in dealt]), 1 / 2)


def test_a_second_release_with_one_record_more_tells_nothing(table):
    first = released(table, 3)
    table.execute("insert into t values (800, 'gout')")
    assert left_with_one(first, released(table, 3)) == {}


def test_control_two_secrets_tell_more_and_so_does_another_l(table):
    """Documented: one secret and one l for one table."""
    first = released(table, 3)
    for second in (released(table, 3, f", secret := '{new_secret()}'"), released(table, 2)):
        found = left_with_one(first, second)
        assert_breaks(sum(truth(table)[p] == v for p, v in found.items()), len(found), 1 / 3)


def test_that_few_groups_were_possible_tells_nothing(table):
    """As many groups as can be: sizes follow from the number of rows alone."""
    people, _ = released(table, 3)
    sizes = sorted([g for _, g in people].count(g) for g in {g for _, g in people})
    assert set(sizes) == {3, 4}
    assert sizes.count(4) == 800 % 3


def test_nothing_leaves_that_was_not_named(table):
    table.execute("alter table t add column ssn varchar; update t set ssn = 'x' || person")
    described = table.execute("describe " + CALL.format(2, "individuals", "")).fetchall()
    assert [c for c, *_ in described] == ["person", "a_group"]
    with pytest.raises(Exception, match="qi must be columns that do not tell who a row is about"):
        table.execute(
            CALL.format(2, "individuals", "").replace("allow_identifying := 'person', ", "")
        )


def test_control_a_column_that_is_accepted_leaves(table):
    assert len({p for p, _ in released(table)[0]}) == 800
