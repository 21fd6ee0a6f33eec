"""The two released tables are two views of one deal, and nothing else gets out."""

import hashlib
import random
from collections import Counter, defaultdict
from fractions import Fraction

import duckdb
import pytest

from tanon_duck.secret import held_secret

CALL = (
    "from tanon.publish_table_pair('t', qi := ['age', 'sex'], sensitive := 's', l := 2, result "
    ":= '{}', "
    "rows_are_persons := true{})"
)


@pytest.fixture
def table(con):
    con.execute(
        "create table t as select i as id, i % 3 as day, 20 + i % 7 as age, "
        "if(i % 2 = 0, 'f', null) as sex, "
        "['flu', 'cold', null, 'mumps'][1 + (i * i + i // 5) % 4] as s from range(120) r(i)"
    )
    return con


def deal(rows, types, days):
    """The groups of (day, age, sex, s) for l = 2, worked out row by row."""
    text = "\n".join(["tanon_duck 1", held_secret(), "tanon.publish_anatomy", types])
    key, copies = hashlib.sha256(text.encode()).digest(), Counter()
    partitions, groups, first = defaultdict(list), [], 0
    for row in rows:
        used = row if days else row[1:]
        row_text = "".join("-" if c is None else f"{len(str(c))}:{c}" for c in used)
        order = int(hashlib.sha256(key + row_text.encode()).hexdigest()[:24], 16)
        copies[used] += 1
        if copies[used] > 1:
            again = key + f"{copies[used]} of {order}".encode()
            order = int(hashlib.sha256(again).hexdigest()[:24], 16)
        partitions[row[0] if days else None].append(((row[3] is None, row[3] or "", order), row))
    for day in sorted(partitions, key=str):
        dealt, deals = sorted(partitions[day]), len(partitions[day]) // 2
        groups += [(*row, first + turn % deals + 1) for turn, (_, row) in enumerate(dealt)]
        first += deals
    return groups


@pytest.mark.parametrize("partition", ["", ", partition := 'day'"])
def test_both_tables_are_views_of_one_deal(table, partition):
    types = "[BIGINT, BIGINT, VARCHAR, VARCHAR]" if partition else "[BIGINT, VARCHAR, VARCHAR]"
    rows = table.execute("select day, age, sex, s from t").fetchall()
    assert len(set(rows)) < len(rows)
    wanted = deal(rows, types, bool(partition))
    day, cut = (["day"], 0) if partition else ([], 1)
    described = table.execute("describe " + CALL.format("individuals", partition)).fetchall()
    assert [c for c, *_ in described] == [*day, "age", "sex", "a_group"]
    people = table.execute(CALL.format("individuals", partition)).fetchall()
    assert Counter(people) == Counter((*row[cut:3], row[4]) for row in wanted)
    values = table.execute(CALL.format("values", partition)).fetchall()
    found = {row[:-1]: row[-1] for row in values}
    assert len(found) == len(values)
    assert Counter(found) == Counter((*row[cut:1], row[4], row[3]) for row in wanted)


def test_values_that_are_equal_but_spelt_differently_lose_nothing(con):
    con.execute(
        "create table t as select i % 7 as q, "
        "case when i % 3 = 0 then '-0.0' else '0.0' end::double as s from range(40) r(i)"
    )
    con.execute("insert into t select i % 7, 1.0 from range(40) r(i)")
    call = (
        "from tanon.publish_table_pair('t', qi := 'q', sensitive := 's', l := 2, result := "
        "'values', "
        "rows_are_persons := true)"
    )
    first = str(con.execute(call).fetchall())
    con.execute("create or replace table t as from t order by s::varchar desc, q")
    assert str(con.execute(call).fetchall()) == first
    assert first.count("-0.0") == 14


def test_values_that_a_collation_takes_for_one_balance_nothing(con):
    con.execute("create table t (q integer, s varchar collate nocase)")
    con.execute("insert into t select i, (['flu', 'Flu', 'gout'])[1 + i % 3] from range(60) r(i)")
    call = (
        "from tanon.publish_table_pair('t', qi := 'q', sensitive := 's', l := {}, result := "
        "'values', "
        "allow_identifying := 'q', rows_are_persons := true)"
    )
    with pytest.raises(duckdb.Error, match="got 1 that are not, the first with 40 equal values"):
        con.execute(call.format(2))
    groups = {}
    for group, value, records in con.execute(call.format("1.5")).fetchall():
        groups.setdefault(group, Counter())[value.lower()] += records
    assert sum(map(Counter.total, groups.values())) == 60
    assert all(3 * max(counts.values()) <= 2 * counts.total() for counts in groups.values())


def test_partitions_that_a_collation_takes_for_one_are_dealt_together(con):
    con.execute("create table t (p varchar collate nocase, s integer)")
    con.execute("insert into t values ('a', 1), ('A', 2), ('b', 1), ('B', 2)")
    rows = con.execute(
        "from tanon.diverse_groups('t', sensitive := 's', l := 2, partition := 'p', "
        "rows_are_persons := "
        "true)"
    ).fetchall()
    assert sorted((p.lower(), s, group) for p, s, group in rows) == [
        ("a", 1, 1), ("a", 2, 1), ("b", 1, 2), ("b", 2, 2),
    ]  # fmt: skip


def test_the_order_of_rows_tells_nothing(table):
    people = table.execute(CALL.format("individuals", "")).fetchall()
    assert people == sorted(people, key=lambda row: (row[0], row[1] is None, row[1] or "", row[2]))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "qi := ['age', 's'], sensitive := 's', l := 2, result := 'values'",
            "sensitive must be none of qi",
        ),
        (
            "qi := ['age', 'S'], sensitive := 's', l := 2, result := 'individuals'",
            "sensitive must be none of qi",
        ),
        (
            "qi := 'age', sensitive := 's', l := 2, result := 'individuals', partition := 'S'",
            "sensitive must be none of partition",
        ),
        (
            "qi := 'AGE', sensitive := 's', l := 2, result := 'values', partition := 'age'",
            "qi must be none of",
        ),
        (
            "qi := 'age', sensitive := 's', l := 2, result := 'values', partition := 'age'",
            "qi must be none of",
        ),
        (
            "qi := 'age', sensitive := 's', l := 2, result := 'all'",
            "result must be one of 'individuals', 'values'",
        ),
        (
            "qi := 'age', sensitive := 's', l := 1, result := 'values'",
            "l must be a rational number greater",
        ),
        (
            "qi := ['age', 'id'], sensitive := 's', l := 2, result := 'values'",
            r"qi must be columns that do not tell who a row is about, got id \(1.00 of the rows "
            r"have a value of their own\); columns named in allow_identifying are released all "
            "the same",
        ),
        (
            "qi := 'age', sensitive := 's', l := 2, result := 'values', allow_identifying := 'id'",
            "allow_identifying must be columns that qi names",
        ),
        (
            "qi := 'age', sensitive := 's', l := 2, result := 'values', allow_identifying := "
            "'nobody'",
            "allow_identifying must be columns",
        ),
        (
            "qi := 'age', sensitive := 's', l := 2, result := 'values', secret := 'beef'",
            "secret must be at least 32 .*, got a text of 4 characters",
        ),
        (
            f"qi := 'age', sensitive := 's', l := 2, result := 'values', secret := '{'beef' * 16}'",
            "secret must be .*, got one that can be guessed",
        ),
        (
            "qi := 'age', sensitive := 's', l := 9, result := 'values'",
            "every partition must be l-eligible",
        ),
    ],
)
def test_refused(table, call, message):
    with pytest.raises(duckdb.Error, match=f"tanon.publish_table_pair: {message}"):
        table.execute(
            f"from tanon.publish_table_pair('t', {call}, rows_are_persons := true)"
        ).fetchall()


PERSONS = (
    "from tanon.publish_table_pair('t', qi := 'age', sensitive := 's', l := '{}', result := '{}', "
    "partition := 'day', allow_identifying := 'age', {}{})"
)


VALUES = "abcdefgh"


def with_persons(con, seed, rows=240, persons=60):
    """A table in which most persons have several rows a day, with several values or one."""
    draw = random.Random(seed)
    found = [
        (draw.randrange(2), f"p{draw.randrange(persons)}", draw.randrange(40), draw.choice(VALUES))
        for _ in range(rows)
    ]
    con.execute("create or replace table t (day integer, who varchar, age integer, s varchar)")
    con.executemany("insert into t values (?, ?, ?, ?)", found)
    return found


def most(pairs):
    return max(Counter(pairs).values())


@pytest.mark.parametrize("l", ["2", "3", "4", "5/2", "7/3"])
@pytest.mark.parametrize("seed", range(3))
def test_no_person_and_no_value_has_more_than_its_share_of_a_group(con, seed, l):  # noqa: E741
    rows = with_persons(con, seed)
    assert most((day, who) for day, who, *_ in rows) > 3
    dealt, shown = {}, {}
    for part in ("values", "individuals"):
        call = PERSONS.format(l, part, "respondent := 'who'", "{}")
        dealt[part] = con.execute(call.format(", for_owner := true")).fetchall()
        shown[part] = con.execute(call.format("")).fetchall()
    assert Counter(row[1:] for row in dealt["individuals"]) == Counter(shown["individuals"])
    counted = Counter(row[1:4] for row in dealt["values"])
    assert {(*key, n) for key, n in counted.items()} == set(shown["values"])
    groups = defaultdict(list)
    for who, _, group, value, _ in dealt["values"]:
        groups[group].append((who, value))
    for met in groups.values():
        for column in zip(*met, strict=True):
            assert Fraction(l) * most(column) <= len(met)
    assert Counter((d, w, v) for w, d, _, v, _ in dealt["values"]) == Counter(
        (day, who, value) for day, who, _, value in rows
    )
    assert Counter((w, d, g) for w, d, _, g in dealt["individuals"]) == Counter(
        (w, d, g) for w, d, g, *_ in dealt["values"]
    )
    if "/" not in l:
        for day in (0, 1):
            size = sum(row[0] == day for row in rows)
            sizes = Counter(row[2] for row in dealt["values"] if row[1] == day)
            assert len(sizes) == size // int(l)
            assert max(sizes.values()) - min(sizes.values()) <= 1


def test_no_order_of_rows_and_no_number_of_threads_changes_the_groups_of_persons(con):
    with_persons(con, 7)
    call = PERSONS.format(3, "individuals", "respondent := 'who'", ", for_owner := true")
    first = con.execute(call).fetchall()
    con.execute("create or replace table t as from t order by hash(who, age, s)")
    con.execute("set threads = 3")
    assert con.execute(call).fetchall() == first
    secret = hashlib.sha256(b"another").hexdigest()
    other = call.replace("for_owner", f"secret := '{secret}', for_owner")
    assert con.execute(other).fetchall() != first


@pytest.mark.parametrize("part", ["individuals", "values"])
def test_where_nobody_comes_again_persons_change_nothing(con, part):
    with_persons(con, 3)
    con.execute(
        "create or replace table t as select * replace (row_number() over () as who) from t"
    )
    found = con.execute(PERSONS.format(2, part, "respondent := 'who'", "")).fetchall()
    assert found == con.execute(PERSONS.format(2, part, "rows_are_persons := true", "")).fetchall()


def test_a_partition_in_which_a_person_has_too_many_rows_is_named(con):
    with_persons(con, 5)
    con.execute("insert into t select 1, 'p0', i, chr((97 + i % 8)::integer) from range(150) r(i)")
    with pytest.raises(duckdb.Error, match=r"got 1 that are not, .* rows of one person among .* 1"):
        con.execute(PERSONS.format(2, "values", "respondent := 'who'", "")).fetchall()
    con.execute(PERSONS.format(2, "values", "rows_are_persons := true", "")).fetchall()


def test_persons_whom_a_collation_takes_for_one_are_one(con):
    con.execute("create table t (day integer, who varchar collate nocase, age integer, s varchar)")
    con.execute("insert into t values (1, 'p', 1, 'a'), (1, 'P', 2, 'b')")
    with pytest.raises(duckdb.Error, match="with 2 rows of one person among 2 rows"):
        con.execute(PERSONS.format(2, "values", "respondent := 'who'", "")).fetchall()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "",
            "respondent must be the column of the person .* say "
            "rows_are_persons|rows_are_persons := tru",
        ),
        (
            "respondent := 'who', rows_are_persons := true",
            "rows_are_persons must be false if respondent is",
        ),
        (
            "respondent := 'age'",
            "respondent must be a column apart from qi, sensitive and partition, got 'age'",
        ),
        (
            "respondent := 's'",
            "respondent must be a column apart from qi, sensitive and partition, got 's'",
        ),
        (
            "respondent := 'DAY'",
            "respondent must be a column apart from qi, sensitive and partition, got 'DAY'",
        ),
        (
            "rows_are_persons := true, for_owner := true",
            "for_owner must be false unless respondent is",
        ),
    ],
)
def test_persons_are_named_or_rows_are(con, given, message):
    with_persons(con, 1)
    call = PERSONS.format(2, "values", given, "").replace(", )", ")")
    with pytest.raises(duckdb.Error, match=f"tanon.publish_table_pair: {message}"):
        con.execute(call).fetchall()


def test_a_declared_respondent_is_the_person(con):
    with_persons(con, 2)
    call = PERSONS.format(2, "values", "", "").replace(", )", ")")
    named = con.execute(
        call.replace("allow_identifying", "respondent := 'who', allow_identifying")
    ).fetchall()
    told = con.execute("from tanon.set_roles('t', {'who': 'respondent'})").fetchall()
    for *_, statement in told:
        con.execute(statement)
    assert con.execute(call).fetchall() == named
