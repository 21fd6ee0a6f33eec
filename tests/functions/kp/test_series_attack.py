"""Simulated adversaries against the same done row by row, and against the promise."""

import numpy as np
import pytest
import series_tables

from oracles.breach import possible

CALL = "from tanon.series_attack('released', 'original', 'id', 'series', 'secret', attack := '{}')"
SETS = {"values": 0, "pattern": 1, "unified": 2, "nearest_any": 2}


def attack(con, name, **options):
    listed = "".join(f", {key} := {value}" for key, value in options.items())
    row = con.execute(CALL.format(name)[:-1] + listed + ")").fetchall()[0]
    return dict(zip([c[0] for c in con.description], row, strict=True))


def walks_that_go_on(rows, seed):
    """Series of six values whose sensitive value is the seventh."""
    walks = np.random.default_rng(seed).normal(size=(rows, 7)).cumsum(axis=1)
    return walks[:, :6], walks[:, 6].tolist()


def certain_and_possible_hits(published, series, secrets, name):
    """Count the guesses that are right however ties fall, and those that may be."""
    certain = reachable = total = 0
    for own, secret in zip(series, secrets, strict=True):
        sets = possible(published, own.tolist(), range(len(own)))
        rows = sets[SETS[name]] or (sets[0] if SETS[name] == 2 else [])
        total += len(rows)
        if not rows:
            continue
        found = [row["secret"] for row in rows]
        if name == "nearest_any":
            best = min(abs(value - own[-1]) for value in found)
            tied = {value for value in found if abs(value - own[-1]) == best}
        else:
            most = max(found.count(value) for value in found)
            tied = {value for value in found if found.count(value) == most}
        certain += tied == {secret}
        reachable += secret in tied
    return certain, reachable, total / len(series)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("kinds", [3, 60])
def test_hits_lie_between_what_is_certain_and_what_is_possible(con, name, kinds):
    series = series_tables.walks(80, 5, 4)
    secrets = np.random.default_rng(kinds).integers(0, kinds, 80).tolist()
    published = series_tables.load(con, series, secrets)
    got = attack(con, name)
    least, most, candidates = certain_and_possible_hits(published, series, secrets, name)
    assert least <= got["hits"] <= most
    assert got["candidates"] == pytest.approx(candidates)
    assert got["hit_rate"] == pytest.approx(got["hits"] / 80)
    assert 0 <= got["low"] < got["hit_rate"] < got["high"] <= 1 or got["hits"] == 0
    assert got["targets"] == 80


def test_who_has_no_idea_of_the_value_stays_within_the_promise(con):
    series, _ = walks_that_go_on(1500, 2)
    series_tables.load(con, series, list(range(1500)), 10, 5)
    got = attack(con, "unified")
    assert got["promised"] == pytest.approx(1 / 5)
    assert got["low"] <= 1 / 5
    assert got["hits"] > 0


def test_who_guesses_that_the_series_goes_on_beats_the_promise(con):
    series, secrets = walks_that_go_on(1500, 2)
    series_tables.load(con, series, secrets, 10, 5, secret_type="double")
    inside, everywhere = attack(con, "nearest_value"), attack(con, "nearest_any")
    assert inside["low"] > inside["promised"]
    assert everywhere["hit_rate"] < inside["hit_rate"]


def test_nearest_value_in_the_own_class_row_by_row(con):
    series, secrets = walks_that_go_on(200, 3)
    published = series_tables.load(con, series, secrets, 8, 4, secret_type="double")
    hits = 0
    classes = {}
    for row in published:
        key = (tuple(row["low"]), tuple(row["high"]), row["word"], row["level"])
        classes.setdefault(key, []).append(row)
    for rows in classes.values():
        for row in rows:
            last = series[row["row"]][-1]
            nearest = min(rows, key=lambda other, last=last: abs(other["secret"] - last))
            hits += nearest is row
    assert attack(con, "nearest_value")["hits"] == hits


def test_repeated_values_break_the_promise_and_the_attack_finds_them(con):
    series = series_tables.walks(300, 5, 8)
    series_tables.load(con, series, [i % 2 for i in range(300)], 8, 4)
    got = attack(con, "unified")
    assert got["low"] > got["promised"]


def test_the_seed_decides_ties_and_row_order_does_not(con):
    series = series_tables.walks(120, 5, 4)
    series_tables.load(con, series, list(range(120)))
    rates = {attack(con, "unified", seed=seed)["hits"] for seed in range(6)}
    assert len(rates) > 1
    wanted = attack(con, "unified")
    for table in ("released", "original"):
        con.execute(f"create or replace table {table} as from {table} order by hash(secret)")
    con.execute("set threads = 1")
    assert attack(con, "unified") == wanted


def test_empty_tables(con):
    series_tables.load(con, series_tables.walks(30, 4, 2), list(range(30)))
    con.execute("delete from released")
    got = attack(con, "unified")
    assert (got["targets"], got["hits"], got["promised"]) == (30, 0, None)
    con.execute("delete from original")
    assert attack(con, "unified")["targets"] == 0


def test_the_interval_without_hits_or_targets(con):
    series_tables.load(con, series_tables.walks(30, 4, 2), list(range(30)))
    con.execute("update original set secret = -1")
    got = attack(con, "unified")
    assert (got["hits"], got["low"]) == (0, 0) and 0.1 < got["high"] < 0.12
    con.execute("delete from original")
    got = attack(con, "unified")
    assert (got["targets"], got["low"], got["high"]) == (0, 0, 1)


def test_wrong_arguments(con):
    series_tables.load(con, series_tables.walks(30, 4, 2), ["x"] * 30, secret_type="varchar")
    with pytest.raises(Exception, match=r"attack must be one of .* did you mean 'unified'"):
        attack(con, "unifid")
    with pytest.raises(Exception, match="sensitive must be a number for this attack, got x"):
        attack(con, "nearest_value")
    with pytest.raises(Exception, match="sensitive must be one column for this attack"):
        con.execute(CALL.format("nearest_value").replace("'secret'", "['secret', 'id']"))


SHARED = (
    "create table t as select id as who, series as s, secret from original;"
    "create or replace table released as select columns(lambda c: c <> 'who') from "
    "tanon.publish_series('t', 'who', 's', 8, 4, algorithm := 'shared', sensitive := 'secret', "
    "allow_identifying := 'secret', for_owner := true)"
)


@pytest.mark.parametrize("kinds", [3, 200])
def test_shared_words_never_make_the_adversary_worse_than_by_values(con, kinds):
    series = series_tables.walks(200, 4, 5)
    series_tables.load(con, series, [i % kinds for i in range(200)])
    con.execute(SHARED)
    read, told = {name: attack(con, name) for name in SETS | {"best": 0}}, shares(con)
    con.execute("alter table released drop own_pattern")
    unread, untold = {name: attack(con, name) for name in SETS | {"best": 0}}, shares(con)
    assert unread["unified"]["candidates"] > read["best"]["candidates"]
    assert unread["unified"]["hits"] > 0
    for found in (read, unread):
        sizes = [found[name]["candidates"] for name in ("best", "unified", "values")]
        assert sizes == sorted(sizes)
        assert found["best"]["hit_rate"] >= found["values"]["low"]
        assert found["best"]["hit_rate"] >= found["pattern"]["low"]
    # Whoever reads more never links worse, series by series; words alone never link best.
    assert (told[:, 2] >= untold[:, 2]).all()
    assert (told[:, 2] > untold[:, 2]).any()
    for linked in (told, untold):
        assert (linked[:, 2] >= linked[:, :2].max(axis=1)).all()
    if kinds == 200:
        # No value repeats: a guess is one of the possible rows at random, and P is kept.
        for found, linked in ((read, told), (unread, untold)):
            expected = dict(zip(("values", "pattern", "best"), linked.mean(axis=0), strict=True))
            for name, share in expected.items():
                assert found[name]["low"] <= share <= found[name]["high"]
            assert expected["pattern"] < expected["values"] < expected["best"]
        assert untold.max() <= unread["best"]["promised"] == 1 / 4


def shares(con):
    """The probabilities of tanon.series_breach: by values, by pattern, by both."""
    return np.array(
        con.execute(
            "select by_values, by_pattern, by_both from tanon.series_breach('released', "
            "'original', "
            "'id', 'series', 'secret') order by id"
        ).fetchall()
    )


def test_a_nested_sensitive_column_is_refused(con):
    series_tables.load(con, series_tables.walks(30, 4, 2), list(range(30)))
    for table in ("released", "original"):
        con.execute(f"alter table {table} alter secret type integer[2] using [secret, 1]")
    with pytest.raises(Exception, match=r"sensitive must be .* each a column that is not nested"):
        attack(con, "unified")
