"""tanon.population_uniques against the printed formulae, and against populations that are known."""

from collections import Counter
from math import log

import duckdb
import numpy as np
import pyarrow
import pytest

from oracles import uniqueness

CALL = "from tanon.population_uniques('s', respondent := 'who', qi := ['q'], {})"


def rows(con, arguments):
    found = con.execute(CALL.format(arguments)).fetchall()
    names = [column[0] for column in con.description]
    return {row[0]: dict(zip(names, row, strict=True)) for row in found}


def load(con, labels):
    drawn = pyarrow.table({"q": np.asarray(labels, dtype=np.int64)})
    con.register("drawn", drawn)
    con.execute("create or replace table s as select row_number() over () as who, q from drawn")
    con.unregister("drawn")


def sizes(labels):
    return dict(Counter(Counter(np.asarray(labels).tolist()).values()))


def restaurant(draw, people, theta, alpha):
    """A population of Pitman's model: newcomers sit down alone, or with somebody."""
    at, seated = np.empty(people, dtype=np.int64), []
    for i in range(people):
        if draw.random() * (theta + i) < theta + alpha * len(seated):
            at[i] = len(seated)
            seated.append(1)
            continue
        table = at[draw.integers(i)]
        while draw.random() * seated[table] >= seated[table] - alpha:
            table = at[draw.integers(i)]
        at[i] = table
        seated[table] += 1
    return at


def populations():
    draw = np.random.default_rng(4)
    yield "pitman", restaurant(draw, 20_000, 50, 0.5)
    yield "snb", np.repeat(np.arange(4000), 1 + draw.negative_binomial(0.8, 0.15, 4000))
    yield "zipf", draw.zipf(1.5, 20_000)


@pytest.mark.parametrize("seed", range(3))
def test_as_the_formulae_say(con, seed):
    draw = np.random.default_rng(seed)
    labels = draw.zipf(1.7, 250) if seed else draw.integers(0, 200, 250)
    load(con, labels)
    found = rows(con, "population_size := 900")
    groups = sizes(labels)
    for method in ("pitman", "zayatz"):
        wanted = getattr(uniqueness, method)(groups, 900)
        assert found[method]["population_uniques"] == pytest.approx(wanted, rel=1e-3), method
        assert found[method]["share"] == pytest.approx(wanted / 900, rel=1e-3)
        here = wanted * 250 / 900
        assert found[method]["expected_here"] == pytest.approx(min(here, groups[1]), rel=1e-3)


def test_shifted_negative_binomial_as_the_formulae_say(con):
    draw = np.random.default_rng(1)
    people = np.repeat(np.arange(300), 1 + draw.negative_binomial(0.9, 0.3, 300))
    labels = draw.choice(people, len(people) // 2, replace=False)
    load(con, labels)
    wanted = uniqueness.shifted_negative_binomial(sizes(labels), len(people))
    found = rows(con, f"population_size := {len(people)}")["snb"]["population_uniques"]
    assert found == pytest.approx(wanted, rel=1e-3)


def test_populations_whose_uniques_are_known(con):
    """Each model where the help says that it holds; all errors are printed."""
    draw, errors = np.random.default_rng(9), {}
    for name, people in populations():
        true = sizes(people)[1]
        for fraction in (0.05, 0.1, 0.3, 0.7):
            drawn = draw.choice(people, int(len(people) * fraction), replace=False)
            load(con, drawn)
            found = rows(con, f"population_size := {len(people)}")
            for method, row in found.items():
                value = row["population_uniques"]
                errors[name, fraction, method] = None if value is None else value / true - 1
            print(name, fraction, true, {m: errors[name, fraction, m] for m in found})
    for fraction in (0.05, 0.1, 0.3, 0.7):
        assert abs(errors["pitman", fraction, "pitman"]) < 0.25
        assert abs(errors["pitman", fraction, "dankar"]) < 0.25
    for fraction in (0.3, 0.7):
        assert abs(errors["snb", fraction, "snb"]) < 0.15
        assert abs(errors["snb", fraction, "dankar"]) < 0.15
        assert abs(errors["pitman", fraction, "zayatz"]) < 0.15
        assert abs(errors["zipf", fraction, "dankar"]) < 0.15
    # What the help warns of.
    assert errors["snb", 0.05, "zayatz"] > 3
    assert errors["snb", 0.05, "dankar"] > 0.5


def test_the_rule(con):
    load(con, np.random.default_rng(2).zipf(1.7, 300))
    for fraction, taken in ((0.1, ["pitman"]), (0.11, ["snb", "zayatz"])):
        found = rows(con, f"sampling_fraction := {fraction}")
        (method,) = [name for name, row in found.items() if row["taken"]]
        assert method in taken
        least = min(
            (found[m]["population_uniques"] for m in taken if found[m]["population_uniques"]),
        )
        assert found[method]["population_uniques"] == least
        assert found["dankar"]["population_uniques"] == least


def test_weights(con):
    con.execute(
        "create table s as select * from "
        "(values (1, 7, 4.0), (2, 8, 10), (3, 9, 2), (4, 9, 2), (3, 9, 2)) v(who, q, w)"
    )
    found = rows(con, "weight := 'w'")
    of_four, of_ten = log(4) / 3, log(10) / 9  # p / (1 - p) ln(1 / p)
    assert found["individual"]["risk"] == pytest.approx((of_four + of_ten) / 2)
    assert found["individual"]["population_uniques"] is None
    assert found["pitman"]["sampling_fraction"] == pytest.approx(4 / 18)
    con.execute("update s set w = 3 where rowid = 4")
    with pytest.raises(duckdb.Error, match="weight must be one number of 1 or more for each"):
        rows(con, "weight := 'w'")


def test_the_range_is_that_of_the_models(con):
    load(con, np.random.default_rng(2).zipf(1.7, 300))
    found = rows(con, "sampling_fraction := 0.2")
    models = [found[m]["population_uniques"] for m in ("pitman", "zayatz", "snb")]
    known = [value for value in models if value is not None]
    assert len(known) > 1
    assert found["smallest"]["population_uniques"] == min(known)
    assert found["largest"]["population_uniques"] == max(known)


def test_a_mixture_misleads_the_rule(con):
    """As the help says: 5,000 people are alone, and all others are in groups of 110."""
    draw = np.random.default_rng(3)
    people = np.concatenate([np.repeat(np.arange(500), 110), 1000 + np.arange(5000)])
    for fraction in (0.01, 0.05, 0.1):
        load(con, draw.choice(people, int(len(people) * fraction), replace=False))
        found = rows(con, f"population_size := {len(people)}")
        assert found["dankar"]["population_uniques"] < 500


def test_the_individual_risk_is_too_low_and_too_high_as_the_help_says(con):
    """Who links each sample unique to somebody like them is right as often as is counted here."""
    draw = np.random.default_rng(3)
    zipf, tens = draw.zipf(1.5, 100_000), np.repeat(np.arange(10_000), 10)
    for people, fraction, said, true in ((zipf, 0.02, 0.08, 0.4), (tens, 0.3, 0.52, 0.1)):
        drawn = draw.choice(people, int(len(people) * fraction), replace=False)
        load(con, drawn)
        at_large, here = Counter(people.tolist()), Counter(drawn.tolist())
        right = np.mean([1 / at_large[q] for q, n in here.items() if n == 1])
        found = rows(con, f"sampling_fraction := {fraction}")["individual"]["risk"]
        assert (round(found, 2), round(right, 1)) == (said, true)


def test_the_individual_risk_is_right_where_its_model_is(con):
    """Groups as often of F people as 1 / F says: one draw after the other, until each is seen."""
    draw = np.random.default_rng(5)
    sizes = np.arange(1, 2001)
    people = np.repeat(np.arange(60_000), draw.choice(sizes, 60_000, p=1 / sizes / sum(1 / sizes)))
    drawn = people[draw.random(len(people)) < 0.1]
    load(con, drawn)
    at_large, here = Counter(people.tolist()), Counter(drawn.tolist())
    right = np.mean([1 / at_large[q] for q, n in here.items() if n == 1])
    found = rows(con, "sampling_fraction := 0.1")["individual"]["risk"]
    assert found == pytest.approx(right, rel=0.05)


def test_edges(con):
    load(con, [])
    empty = rows(con, "sampling_fraction := 0.5")
    assert empty.pop("individual")["risk"] is None
    assert {row["population_uniques"] for row in empty.values()} == {0}
    load(con, [1])
    assert rows(con, "sampling_fraction := 0.5")["pitman"]["population_uniques"] == 2
    load(con, [1, 1])
    assert rows(con, "sampling_fraction := 0.5")["dankar"]["population_uniques"] == 0
    load(con, range(50))
    assert rows(con, "sampling_fraction := 0.1")["dankar"]["population_uniques"] == 500
    load(con, [1, 2, 3, 3])
    assert rows(con, "sampling_fraction := 1")["dankar"]["population_uniques"] == 2


def test_time_is_one_of_them(con):
    con.execute(
        "create table s as select i as who, i % 10 as q, date '2024-01-01' + i::integer as seen "
        "from range(120) r(i)"
    )
    more = "sampling_fraction := 0.2, ts := 'seen', granularity := 'month'"
    found = rows(con, more)
    con.execute("create or replace table s as select who, q * 100 + month(seen) as q from s")
    assert rows(con, "sampling_fraction := 0.2") == found


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("tz := null", "sampling_fraction must be given, unless population_size or weight"),
        ("sampling_fraction := 0", "sampling_fraction must be a number in"),
        ("sampling_fraction := 0.1, population_size := 9", "population_size must be omitted"),
        ("sampling_fraction := 0.1, weight := 'q'", "weight must be omitted"),
        ("population_size := 2", "population_size must be at least the 3 respondents of source"),
        ("weight := 'who'", "weight must be one number"),
    ],
)
def test_bad_input(con, arguments, message):
    con.execute("create table s as select i - 1 as who, i as q from range(3) r(i)")
    with pytest.raises(duckdb.Error, match=f"tanon.population_uniques: {message}"):
        rows(con, arguments)
