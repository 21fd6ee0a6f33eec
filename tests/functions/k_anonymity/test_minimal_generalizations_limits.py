"""tanon.minimal_generalizations with limits of diversity, against trying every node."""

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import duckdb
import pytest
from functions.k_anonymity.test_minimal_generalizations import LEVELS, ZIPS, age_level, zip_level

import tanon_duck
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


def values_of(rows):
    """How many persons have each value: each counts once for every value of theirs."""
    return Counter(dx for _, dx in {(r["who"], r["dx"]) for r in rows})


def left_out(rows, node, k, is_within, cost):
    """The rows in groups of fewer than k, or outside limits; and whether what limits leave out is
    within them, taken together: else whoever misses somebody knows what is the matter with them."""
    whole = values_of(rows)
    distance = cost(sorted(whole, key=lambda v: (v is not None, v or 0)))
    out, missed = 0, []
    for members in groups(rows, node).values():
        if len({r["who"] for r in members}) < k:
            out += len(members)
        elif not is_within(figures(values_of(members), whole, distance)):
            out += len(members)
            missed += members
    return out, not missed or is_within(figures(values_of(missed), whole, distance))


NODES = list(product(range(5), range(3)))


def case(limits, several):
    return patients(len(limits) + 5, several), ordered if "t" in limits else equal


def test_of_what_is_left_out_some_tells_and_some_does_not():
    met = Counter()
    for limits, several in product(LIMITS, (False, True)):
        rows, cost = case(limits, several)
        for node in NODES:
            out, is_hidden = left_out(rows, node, 2, LIMITS[limits], cost)
            met[is_hidden] += out <= 0.35 * len(rows)
    assert min(met[True], met[False]) > 10, met


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("several", [False, True])
def test_as_an_exhaustive_search_finds(con, limits, several):
    rows, cost = case(limits, several)
    create(con, rows)
    found_any = 0
    for share in ("0", "0.35"):
        out = {n: left_out(rows, n, 2, LIMITS[limits], cost) for n in NODES}
        fine = [n for n in NODES if out[n][0] <= Fraction(share) * len(rows) and out[n][1]]
        wanted = {
            (*n, out[n][0] / len(rows)) for n in fine
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
        "tanon.publish_events('(select *, who as pid from r)', 'pid', ['zip', 'age'], k := 2, "
        + options + "allow_identifying := ['who'], limits := {'entropy_l': 2, 't': 0.4}"
    )  # fmt: skip
    released = con.execute(f"create table released as from {call})")
    released = con.execute("from released").fetchall()
    out = con.execute(f"from {call}, result := 'suppressed')").fetchall()
    assert {row[-1] for row in out} <= {"outside limits", "fewer than 2 respondents"}
    assert len(released) + sum(row[3] for row in out) == 40
    assert released and out
    broken = con.execute(
        "from tanon.limit_violations('released', ['zip', 'age'], 'dx', respondent := 'who', "
        "limits := {'entropy_l': 2})"
    ).fetchall()
    assert broken == []


@pytest.mark.parametrize(
    ("limit", "said", "unsaid", "message"),
    [
        (4, "or not tanon_holds", "or false", "in the release, got"),
        (3, "list_contains(tanon_tells, 2)", "false", "for what they leave out of the release"),
    ],
)
def test_limits_are_looked_at_again_in_the_release(con, limit, said, unsaid, message):
    create(con, patients(2, True))
    text = tanon_duck.sql(
        "publish_events", source="r", respondent="who", qi=["zip", "age"], k=2, hierarchies="h",
        sensitive="dx", limits={"distinct_l": limit}, max_suppression=0.9, choose_by="entropy",
    )  # fmt: skip
    lying = text.replace(said, unsaid)
    assert lying != text
    with pytest.raises(duckdb.Error, match=f"limits must hold {message}"):
        con.execute(lying).fetchall()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("sensitive := 'dx'", "limits must be given if sensitive is given"),
        (
            "limits := {'t': 0.2}",
            "(limits|sensitive) must be given if (sensitive|limits) is given",
        ),
        ("sensitive := 'zip', limits := {'t': 0.2}", "sensitive must be a column that is not amo"),
        ("sensitive := 'dx', limits := {'t': 2}", "limits must be limits by name such as"),
        (
            "sensitive := 'who', limits := {'t': 0.2}",
            "sensitive must be a column other than respondent",
        ),
    ],
)
def test_bad_input(con, change, message):
    create(con, patients(1, False))
    for function in ("minimal_generalizations", "publish_events"):
        with pytest.raises(duckdb.Error, match=f"tanon.{function}: {message}"):
            con.execute(
                f"from tanon.{function}('r', respondent := 'who', qi := ['zip', 'age'], k := 2, "
                f"hierarchies := 'h', {change})"
            ).fetchall()
