"""Releases through SQL: what is published, what it tells, and what is refused."""

import numpy as np
import pytest
import series_tables

from oracles import kp_anonymity as slow
from oracles import sax
from oracles.example_tables import INCOMES, normal_walk
from tanon_duck import new_secret, secret

KAPRA = ", algorithm := 'kapra'"


def publish(con, k, p, options="", source="t"):
    call = (
        f"select * from tanon.publish_series('{source}', series_id := 'who', series := 's', k := "
        f"{k}, "
        f"p := {p}, sensitive := 'secret', allow_identifying := 'secret', "
        f"for_owner := true{options}) order by all"
    )
    found = con.execute(call)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def violations(rows, k, p):
    """Count by ranges and words as a reader does."""
    boxes, words = {}, {}
    for row in rows:
        box = (*row["low"], *row["high"])
        boxes.setdefault(box, []).append(row)
        words.setdefault((box, row["word"], row["level"]), []).append(row)
    small_boxes = [b for b, r in boxes.items() if len(r) < k]
    return small_boxes + [w for w, r in words.items() if len(r) < p]


@pytest.mark.parametrize("algorithm", ["naive", "kapra", "kapra_refined", "shared"])
@pytest.mark.parametrize("p", [2, 5])
def test_rows_are_hidden_in_ranges_and_words(con, algorithm, p):
    series = normal_walk(300)[:, :6]
    series_tables.load_series(con, series)
    rows = publish(con, 10, p, f", algorithm := '{algorithm}'")
    assert violations(rows, 10, p) == []
    for row in rows:
        own = series[int(row["who"][1:])]
        assert row["secret"] == 1000 - int(row["who"][1:])
        assert (np.array(row["low"]) <= own).all()
        assert (own <= np.array(row["high"])).all()
        is_own = row["word"] == sax.word(own.tolist(), row["level"])
        assert row.get("own_pattern", True) == is_own
    suppressed = con.execute(
        f"select who from tanon.publish_series('t', series_id := 'who', series := 's', k := 10, "
        f"p := {p}, "
        f"algorithm := '{algorithm}', result := 'suppressed')"
    ).fetchall()
    assert len(suppressed) < p
    assert sorted([r["who"] for r in rows] + [w for (w,) in suppressed]) == [
        f"w{i:04}" for i in range(300)
    ]


def test_kapra_over_incomes_is_the_known_release(con):
    series_tables.load_series(con, INCOMES[:, :6])
    rows = publish(con, 4, 2, KAPRA)
    words = {row["who"]: f"{row['word']}@{row['level']}" for row in rows}
    known = ["aabbcc@3", "aabbcc@3", "ddcbaa@4", "aabbcc@3", "ddcbaa@4", "aaaaaa@1"]
    assert [words[f"w{i:04}"] for i in range(8)] == [*known, "ddcbaa@4", "aaaaaa@1"]
    assert {row["k_group"] for row in rows} == {1}
    capped = publish(con, 4, 2, KAPRA + ", max_level := 2")
    assert [row["who"] for row in capped] == [f"w{i:04}" for i in (0, 1, 2, 3, 4, 6, 7)]


def test_groups_equal_plain_loops_whatever_the_order_of_the_table(con):
    series = normal_walk(120)[:, :4]
    series_tables.load_series(con, series)
    rows = publish(con, 6, 3, KAPRA + ", split := 'sequential'")
    order = con.execute(
        "select who from t order by tanon._keyed("
        "tanon._key($1, 'tanon.kp_anonymize', 'VARCHAR'), who)",
        [secret.held_secret()],
    ).fetchall()
    numbers = [int(w[1:]) for (w,) in order]
    groups, level, _ = slow.kapra(series[numbers].tolist(), 6, 3, 10, slow.sequential_halves)
    expected = sorted(sorted(numbers[i] for sub in group for i in sub) for group in groups)
    found = {}
    for row in rows:
        found.setdefault(row["k_group"], []).append(int(row["who"][1:]))
    assert sorted(map(sorted, found.values())) == expected
    levels = {numbers[i]: at for i, at in level.items()}
    assert {int(r["who"][1:]): r["level"] for r in rows} == levels
    refined = publish(con, 6, 3, KAPRA)
    con.execute("create or replace table t as from t order by secret")
    assert publish(con, 6, 3, KAPRA + ", split := 'sequential'") == rows
    assert publish(con, 6, 3, KAPRA) == refined


def test_scale_says_in_what_ranges_are_narrow(con):
    """Small series get small ranges only where nearness is measured in their own size."""
    sizes = np.exp(np.random.default_rng(0).normal(0, 2, (300, 1)))
    series = (normal_walk(300)[:, :5] + 10) * sizes
    series_tables.load_series(con, series)
    for algorithm in ("kapra", "shared"):
        shares = {}
        for scale in ("none", "position", "series"):
            rows = publish(con, 6, 2, f", algorithm := '{algorithm}', scale := '{scale}'")
            assert violations(rows, 6, 2) == []
            assert len(rows) > 298
            width = {row["who"]: np.subtract(row["high"], row["low"]).max() for row in rows}
            shares[scale] = np.median([w / sizes[int(who[1:]), 0] for who, w in width.items()])
        assert shares["series"] < 0.8 * shares["none"], algorithm
        assert shares["series"] < 0.8 * shares["position"], algorithm
        assert rows != publish(con, 6, 2, f", algorithm := '{algorithm}'")


def test_wide_columns_are_a_series_and_the_id_stays_home(con):
    series_tables.load_series(con, normal_walk(60)[:, :3])
    con.execute("create table wide as select who, s[1] as a, s[2] as b, s[3] as c, secret from t")
    call = (
        "from tanon.publish_series('{}', series_id := 'who', series := {}, k := 6, p := 2, "
        "sensitive := 'secret', allow_identifying := 'secret')"
    )
    listed = con.execute(call.format("t", "'s'"))
    names = [column[0] for column in listed.description]
    rows = listed.fetchall()
    assert names == ["k_group", "p_group", "low", "high", "word", "level", "secret"]
    assert con.execute(call.format("wide", "['a', 'b', 'c']")).fetchall() == rows
    shared = con.execute(call.format("t", "'s'").replace(")", ", algorithm := 'shared')"))
    assert [column[0] for column in shared.description] == names


def test_order_and_numbers_come_from_what_is_published(con):
    series_tables.load_series(con, normal_walk(80)[:, :4])
    call = (
        "from tanon.publish_series('t', series_id := 'who', series := 's', k := 8, p := 2, "
        "sensitive := 'secret', allow_identifying := 'secret', secret := {})"
    )
    rows = con.execute(call.format("null")).fetchall()
    numbers = [row[0] for row in rows]
    assert rows == sorted(rows)
    assert len(set(numbers)) > 1
    boxes = sorted({(row[0], *row[2], *row[3]) for row in rows})
    assert [box[1:] for box in boxes] == sorted(box[1:] for box in boxes)
    other = con.execute(call.format(f"'{new_secret()}'")).fetchall()
    assert other == sorted(other)


def test_a_shift_in_time_of_ids_changes_no_number_when_groups_are_the_same(con):
    """Two far clusters: renaming everybody must change neither numbers nor order."""
    base = normal_walk(8)[:, :4]
    series_tables.load_series(con, np.vstack((base, base + 1000)))
    call = (
        "from tanon.publish_series('{}', series_id := 'who', series := 's', k := 8, p := 2, "
        "sensitive := 'secret', allow_identifying := 'secret', algorithm := 'naive')"
    )
    rows = con.execute(call.format("t")).fetchall()
    con.execute("create table renamed as select 'x' || hash(who) as who, s, secret from t")
    assert con.execute(call.format("renamed")).fetchall() == rows


def test_foreign_words_only_where_asked_for(con):
    series_tables.load_series(con, normal_walk(200)[:, :5])
    for words, foreign in (("false", False), ("true", True)):
        rows = publish(con, 10, 4, f", algorithm := 'naive', foreign_words := {words}")
        series = normal_walk(200)[:, :5].tolist()
        strangers = [
            r for r in rows if sax.word(series[int(r["who"][1:])], r["level"]) != r["word"]
        ]
        assert bool(strangers) == foreign
        assert violations(rows, 10, 4) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("k := 2.5", "k must be an integer > 1, got 2.5"),
        ("k := 1", "k must be an integer > 1, got 1"),
        ("p := 'two'", "p must be an integer >= 1, got 'two'"),
        ("p := 1", "p must be at least 2, or 1 with allow_p1 := true, got 1"),
        ("p := 5", "p must be at most k, got 5"),
        ("k := 99", "source must be at least k = 99 series, got 12"),
        ("max_level := 27", r"max_level must be an integer in \[1, 26\], got 27"),
        ("scale := 'serie'", "scale must be one of .*; did you mean 'series'"),
        ("algorithm := 'kapra2'", "algorithm must be one of .*; did you mean 'kapra'"),
        ("sensitive := ['secret', 'secret']", "sensitive must be columns of source, none twice"),
        ("sensitive := 'secrets'", "did you mean secret?"),
        ("sensitive := ['WHO']", "sensitive must be columns other than series_id and series"),
        ("sensitive := 's'", "sensitive must be columns other than series_id and series"),
        ("series := 'secret'", "series must be at least 2 readings, got 12 shorter series: w0000"),
        ("series := 'who'", "series must be columns of source.*'who' of type VARCHAR"),
        (
            "series_id := 'whom'",
            "series_id must be a column of source, got 'whom'; did you mean who",
        ),
    ],
)
def test_wrong_arguments_are_refused(con, change, message):
    series_tables.load_series(con, normal_walk(12)[:, :4])
    arguments = {"series_id": "'who'", "series": "'s'", "k": "4", "p": "2"}
    name, _, value = change.partition(" := ")
    arguments[name] = value
    written = ", ".join(f"{n} := {v}" for n, v in arguments.items())
    with pytest.raises(Exception, match=rf"tanon\.publish_series: .*{message}"):
        con.execute(f"from tanon.publish_series('t', {written})").fetchall()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (
            "update t set who = 'w0001' where secret < 998",
            "series_id must be unique, got 1 ids .*w0001",
        ),
        (
            "update t set who = null where secret < 998",
            "series_id must be free of NULL, got 9 rows",
        ),
        ("update t set s = s[:2] where secret < 998", "one length .4 readings., got 9 of other"),
        ("update t set s = null where secret = 998", "free of NULL.*got 1 series.*: w0002"),
        ("update t set s = [1, null, 2, 3] where secret = 998", "got 1 series that are not: w0002"),
        (
            "update t set s = [1, 'nan'::double, 2, 3] where secret = 998",
            "NaN.*got 1 series.*: w0002",
        ),
        (
            "update t set s = [1, '-inf'::double, 2, 3] where secret < 992",
            "got 3 series.*: w0009, w0010",
        ),
        ("update t set s = s[:1]", "at least 2 readings, got 12 shorter series: .*w0004, ...$"),
    ],
)
def test_wrong_series_are_named(con, spoil, message):
    series_tables.load_series(con, normal_walk(12)[:, :4])
    con.execute(spoil)
    with pytest.raises(Exception, match=rf"tanon\.publish_series: .*{message}"):
        con.execute(
            "from tanon.publish_series('t', series_id := 'who', series := 's', k := 4, p := 2)"
        ).fetchall()


def test_p_of_one_is_possible_when_asked_for(con):
    series_tables.load_series(con, normal_walk(30)[:, :4])
    rows = publish(con, 5, 1, ", allow_p1 := true")
    assert len(rows) == 30
    assert violations(rows, 5, 1) == []


def test_rows_of_one_series_are_told_how_to_become_one(con):
    con.execute("create table rows_of as select i // 2 as id, [i, 1.0] as s from range(20) t(i)")
    said = (
        r"series_id must be unique, got 10 ids .*; tanon\.series_from_rows makes one series "
        r"of several"
    )
    with pytest.raises(Exception, match=said):
        con.execute("from tanon.publish_series('rows_of', 'id', 's', 2, 2)").fetchall()
