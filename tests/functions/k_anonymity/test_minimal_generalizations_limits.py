"""tanon.minimal_generalizations with limits of diversity, against trying every node."""

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import duckdb
import pytest
from functions.k_anonymity.test_minimal_generalizations import LEVELS, ZIPS, age_level, zip_level

from oracles.diversity import equal, figures, ordered

LIMITS = {
    "{'distinct_l': 3}": lambda f: f["distinct_l"] >= 3,
    "{'frequency_l': 2}": lambda f: f["frequency_l"] >= 2,
    "{'entropy_l': 2.2}": lambda f: f["entropy_l"] >= 2.2 - 1e-9,
    "{'recursive_c': 1.5}": lambda f: f["recursive_c"] is not None and f["recursive_c"] < 1.5,
    "{'t': 0.25}": lambda f: f["t"] <= 0.25 + 1e-9,
    "{'beta': 1.2, 'distinct_l': 2}": lambda f: f["beta"] <= 1.2 + 1e-9 and f["distinct_l"] > 1,
}


def patients(seed, several):
    draw = random.Random(seed)
    return [
        {"who": draw.randrange(14) if several else n, "zip": draw.choice(ZIPS[:4]),
         "age": draw.choice([3, 17, 41]), "dx": draw.choice([None, 1, 1, 2, 2, 3])}
        for n in range(40)
    ]  # fmt: skip


def create(con, rows):
    con.execute("create table r (who integer, zip varchar, age integer, dx integer)")
    con.executemany("insert into r values (?, ?, ?, ?)", [list(r.values()) for r in rows])
    con.execute(
        "create table h (attribute varchar, level integer, value varchar, generalized text)"
    )
    given = [["zip", n, zip, zip_level(n)(zip)] for n in range(1, 5) for zip in ZIPS[:4]]
    given += [["age", n, str(age), str(age_level(n)(age))] for n in (1, 2) for age in (3, 17, 41)]
    con.executemany("insert into h values (?, ?, ?, ?)", given)


def groups(rows, node):
    """Rows, respondents and values of each group."""
    found = {}
    for row in rows:
        key = tuple(LEVELS[q][h](row[q]) for q, h in zip(("zip", "age"), node, strict=True))
        found.setdefault(key, []).append(row)
    return found


def left_out(rows, node, k, is_within, cost):
    """The rows in groups of fewer than k, or outside limits; each person counts once a value."""
    whole = Counter(dx for _, dx in {(r["who"], r["dx"]) for r in rows})
    distance = cost(sorted(whole, key=lambda v: (v is not None, v or 0)))
    out = 0
    for members in groups(rows, node).values():
        counts = Counter(dx for _, dx in {(r["who"], r["dx"]) for r in members})
        people = {r["who"] for r in members}
        if len(people) < k or not is_within(figures(counts, whole, distance)):
            out += len(members)
    return out


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("several", [False, True])
def test_as_an_exhaustive_search_finds(con, limits, several):
    nodes = list(product(range(5), range(3)))
    seed, cost = len(limits), ordered if "t" in limits else equal
    rows = patients(seed, several)
    create(con, rows)
    found_any = 0
    for share in ("0", "0.35"):
        out = {n: left_out(rows, n, 2, LIMITS[limits], cost) for n in nodes}
        fine = [n for n in nodes if out[n] <= Fraction(share) * len(rows)]
        wanted = {
            (*n, out[n] / len(rows)) for n in fine
            if not any(o != n and o[0] <= n[0] and o[1] <= n[1] for o in fine)
        }  # fmt: skip
        distance = "ordered" if cost is ordered else "equal"
        found = con.execute(
            "select zip, age, suppressed_share from tanon.minimal_generalizations('r', 'who', "
            f"['zip', 'age'], 2, 'h', max_suppression := {share}, sensitive := 'dx', "
            f"limits := {limits}, distance := '{distance}')"
        ).fetchall()
        assert set(found) == wanted and len(found) == len(wanted)
        found_any += len(found)
    assert found_any


def test_what_is_published_is_within_limits(con):
    create(con, patients(4, True))
    options = (
        "hierarchies := 'h', max_suppression := 0.4, sensitive := 'dx', keep := ['dx', 'who'], "
    )
    call = (
        "('(select *, who as pid from r)', 'pid', ['zip', 'age'], k := 2, "
        + options + "accept := ['who'], limits := {'entropy_l': 2, 't': 0.4})"
    )  # fmt: skip
    released = con.execute(f"create table released as from tanon.publish_k_anonymous{call}")
    released = con.execute("from released").fetchall()
    out = con.execute(f"from tanon.k_anonymous_suppressed{call}").fetchall()
    assert {row[-1] for row in out} <= {"outside limits", "fewer than 2 respondents"}
    assert len(released) + sum(row[3] for row in out) == 40
    assert released and out
    broken = con.execute(
        "from tanon.diversity_violations('released', ['zip', 'age'], 'dx', uid := 'who', "
        "limits := {'entropy_l': 2})"
    ).fetchall()
    assert broken == []


def test_limits_are_looked_at_again_in_the_release(con):
    import tanon_duck

    create(con, patients(4, True))
    text = tanon_duck.sql(
        "publish_k_anonymous", source="r", uid="who", qi=["zip", "age"], k=2, hierarchies="h",
        sensitive="dx", limits={"distinct_l": 4}, max_suppression=0.9,
    )  # fmt: skip
    lying = text.replace("or not tanon_holds", "or false")
    assert lying != text
    with pytest.raises(duckdb.Error, match="limits must hold in the release, got"):
        con.execute(lying).fetchall()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("sensitive := 'dx'", "limits must be given where sensitive is, and only there"),
        ("limits := {'t': 0.2}", "limits must be given where sensitive is, and only there"),
        ("sensitive := 'zip', limits := {'t': 0.2}", "sensitive must be a column that is not amo"),
        ("sensitive := 'dx', limits := {'t': 2}", "limits must be limits by name such as"),
        ("sensitive := 'who', limits := {'t': 0.2}", "sensitive must be a column other than uid"),
    ],
)
def test_bad_input(con, change, message):
    create(con, patients(1, False))
    for function in ("minimal_generalizations", "publish_k_anonymous"):
        with pytest.raises(duckdb.Error, match=f"tanon.{function}: {message}"):
            con.execute(
                f"from tanon.{function}('r', uid := 'who', qi := ['zip', 'age'], k := 2, "
                f"hierarchies := 'h', {change})"
            ).fetchall()
