"""Breach probabilities against possible sets counted row by row."""

import time

import duckdb
import numpy as np
import pytest
import series_tables
import tables

from oracles.breach import breach

CALL = (
    "from tanon.series_breach('released', 'original', series_id := 'id', series := {series}, "
    "sensitive := 'secret'{known}) order by id"
)
NULLS = "select id, null from original"


def breaches(con, known=None, series="'series'"):
    listed = "" if known is None else f", known := {known}"
    return con.execute(CALL.format(series=series, known=listed)).fetchall()


def expected(published, series, secrets, known=None):
    at = None if known is None else [position - 1 for position in known]
    return [(i, *breach(published, own.tolist(), secrets[i], at)) for i, own in enumerate(series)]


def agree(got, wanted):
    assert len(got) == len(wanted)
    for one, other in zip(got, wanted, strict=True):
        assert one[4:] == other[4:]
        assert one[:4] == pytest.approx(other[:4])


@pytest.mark.parametrize("known", [None, [3], [1, 5], [5, 4, 3, 2, 1]])
@pytest.mark.parametrize("kinds", [4, 1000])
def test_equals_counting_row_by_row(con, known, kinds):
    series = series_tables.walks(90, 5, kinds)
    secrets = np.random.default_rng(kinds).integers(0, kinds, 90).tolist()
    secrets[7] = secrets[11] = None
    published = series_tables.load(con, series, secrets)
    agree(breaches(con, known), expected(published, series, secrets, known))


def test_more_positions_than_are_joined_as_columns(con):
    series = series_tables.walks(60, 21, 3).cumsum(axis=1)
    secrets = list(range(60))
    published = series_tables.load(con, series, secrets, 4, 2)
    for known in (None, [20, 2], list(range(21, 2, -1))):
        agree(breaches(con, known), expected(published, series, secrets, known))
    con.execute("update released set high = list_concat(high[:19], [-99, -99])")
    assert max(row[4] for row in breaches(con)) == 0
    assert max(row[4] for row in breaches(con, list(range(1, 20)))) > 0


def test_wide_columns_are_a_series_too(con):
    series = series_tables.walks(40, 3, 5)
    published = series_tables.load(con, series, [0, 1] * 20)
    columns = ", ".join(f"series[{i}] as v{i}" for i in (1, 2, 3))
    con.execute(f"create or replace table original as select id, {columns}, secret from original")
    got = breaches(con, series="['v1', 'v2', 'v3']")
    agree(got, expected(published, series, [0, 1] * 20))


def test_suppressed_and_foreign_series_are_not_found(con):
    series = series_tables.walks(50, 4, 6)
    published = series_tables.load(con, series, list(range(50)))
    alien = {"id": 99, "series": [1e6, -1e6, 1e6, 0.0], "secret": 3}
    con.execute("insert into original values ($id, $series, $secret)", alien)
    assert breaches(con)[-1][1:5] == (0, pytest.approx(breaches(con)[-1][2]), 0, 0)
    agree(breaches(con)[:-1], expected(published, series, list(range(50))))


def test_withheld_ranges_and_letters_exclude_nobody(con):
    series = series_tables.walks(60, 4, 8)
    published = series_tables.load(con, series, list(range(60)))
    con.execute(
        "update released set low = [low[1], null, low[3], low[4]], "
        "high = [high[1], null, high[3], high[4]], word = '.' || word[2:3] || '.'"
    )
    for row in published:
        row["low"][1] = row["high"][1] = None
        row["word"] = f".{row['word'][1:3]}."
    agree(breaches(con), expected(published, series, list(range(60))))


def test_several_sensitive_columns_count_as_one_value(con):
    series = series_tables.walks(60, 4, 9)
    secrets = [i % 6 for i in range(60)]
    published = series_tables.load(con, series, secrets)
    got = con.execute(
        "from tanon.series_breach('(select *, secret // 2 as a, secret % 2 as b from released)', "
        "'(select id, series, secret // 2 as a, secret % 2 as b from original)', series_id := "
        "'id', "
        "series := 'series', sensitive := ['a', 'b']) order by id"
    ).fetchall()
    agree(got, expected(published, series, secrets))


def test_promise_holds_where_no_secret_repeats_in_a_class(con):
    series_tables.load(con, series_tables.walks(300, 6, 1), list(range(300)), 10, 5)
    probabilities = np.array([row[3] for row in breaches(con)])
    assert probabilities.max() <= 1 / 5 + 1e-12
    assert probabilities.max() > 1 / 10


@pytest.mark.parametrize("emptied", ["original", "released"])
def test_empty_tables(con, emptied):
    series_tables.load(con, series_tables.walks(30, 4, 2), list(range(30)))
    con.execute(f"delete from {emptied}")
    assert [row[1:] for row in breaches(con)] == [(0,) * 6] * (30 if emptied == "released" else 0)


def test_row_order_and_hostile_names_change_nothing(con):
    series_tables.load(con, series_tables.walks(80, 4, 4), [i % 9 for i in range(80)])
    wanted = breaches(con)
    con.execute("create table shuffled as from released order by hash(secret, p_group)")
    con.execute(
        'create table "o\'x; "" y" as select id as "select", series as "a""b", secret from original'
    )
    got = con.execute(
        "from tanon.series_breach('shuffled', '\"o''x; \"\" y\"', series_id := 'select', "
        """series := 'a"b', sensitive := 'secret') order by "select" """
    ).fetchall()
    assert got == wanted


BAD = [
    ("known := [1, 1]", r"known must be a list of positions, counted from 1, none twice"),
    ("known := [0]", "known must be a list of positions"),
    ("known := [5]", r"known must be positions from 1 to 4, got \[5\]"),
    ("known := 'two'", "known must be a list of positions"),
]


@pytest.mark.parametrize(("argument", "message"), BAD)
def test_wrong_positions(con, argument, message):
    series_tables.load(con, series_tables.walks(20, 4, 4), list(range(20)))
    with pytest.raises(Exception, match=f"tanon.series_breach: {message}"):
        con.execute(CALL.format(series="'series'", known=f", {argument}")).fetchall()


DAMAGES = [
    ("alter table released drop word", "release must be .* with columns low, high, word, level"),
    ("alter table released drop secret", "sensitive must be columns of release"),
    ("update original set series = series[:3] where id = 4", "source must fit .* got 1 others"),
    (
        "update original set series = [1, 'nan'::double, 2, 3] where id < 2",
        "source must fit .* 2 others",
    ),
    ("update original set series = [1, null, 2, 3] where id < 3", "source must fit .* 3 others"),
    ("alter table original alter series type integer using 7", "source must fit .* got 20 others"),
    ("update released set level = null where p_group = 1", "release must be ranges and words"),
    ("update released set low = low[2:]", "release must be ranges and words of one length"),
    ("update original set id = null where id = 3", "series_id must be free of NULL, got 1 rows"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_tables_that_do_not_fit_are_refused(con, damage, message):
    series_tables.load(con, series_tables.walks(20, 4, 4), list(range(20)))
    con.execute(damage)
    with pytest.raises(Exception, match=f"tanon.series_breach: {message}"):
        breaches(con)


def test_types_of_another_kind_are_refused(con):
    tables.create(con, "original", {"id": "integer", "series": "varchar", "secret": "integer"}, [])
    tables.create(con, "released", {**series_tables.PUBLISHED, "secret": "integer"}, [])
    with pytest.raises(Exception, match=r"tanon.series_breach: series must be .* of type VARCHAR"):
        breaches(con)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("algorithm", ["shared", "kapra", "naive"])
@pytest.mark.parametrize("reads", [False, True])
def test_both_together_are_never_less_than_values_alone(con, seed, algorithm, reads):
    """Random releases, some with own_pattern left in, against counting row by row."""
    rng = np.random.default_rng(seed)
    series = series_tables.walks(60, 3, seed)
    secrets = rng.integers(0, [4, 60][seed % 2], 60).tolist()
    series_tables.load(con, series, secrets)
    con.execute(
        "create or replace table released as select columns(lambda c: c <> 'id') "
        "from tanon.publish_series('original', 'id', 'series', 5, 3, sensitive := 'secret', "
        f"allow_identifying := 'secret', for_owner := true, algorithm := '{algorithm}')"
    )
    if not reads and algorithm == "shared":
        con.execute("alter table released drop own_pattern")
    found = con.execute("from released")
    names = [column[0] for column in found.description]
    published = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    got = breaches(con)
    agree(got, expected(published, series, secrets))
    assert all(both >= max(values, pattern) for _, values, pattern, both, *_ in got)
    if algorithm == "shared":
        assert min(row[3] for row in got) > 0


def test_nested_sensitive_columns_are_refused(con):
    series_tables.load(con, series_tables.walks(20, 4, 4), list(range(20)))
    con.execute("alter table released alter secret type integer[2] using [secret, 1]")
    with pytest.raises(Exception, match=r"that is not nested, got 'secret' of type INTEGER\[2\]"):
        breaches(con)


@pytest.mark.parametrize(("rows", "is_refused"), [(46_000, True), (2_000, False)])
def test_far_too_many_pairs_are_counted_and_not_made(con, rows, is_refused):
    """Ranges that overlap everywhere: every series may be in every row."""
    con.execute(
        f"create table source as select i as id, [i, i + 1.5] as series, i % 7 as secret "
        f"from range({rows}) t(i)"
    )
    con.execute(
        f"create table release as select [-i - 1.0, null] as low, [{rows} + i, null] as high, "
        f"'ab' as word, 2 as level, i % 7 as secret from range({rows}) t(i)"
    )
    call = (
        "select max(possible_by_values) from tanon.series_breach('release', 'source', series_id "
        ":= 'id', "
        "series := 'series', sensitive := 'secret')"
    )
    if not is_refused:
        assert con.execute(call).fetchall() == [(rows,)]
        return
    begun = time.thread_time()
    with pytest.raises(duckdb.Error, match=rf"2000000000 comparisons .*got {rows * rows};"):
        con.execute(call)
    assert time.thread_time() - begun < 10
