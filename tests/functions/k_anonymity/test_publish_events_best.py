"""tanon.publish_events takes the best of all choices, minimal ones and those above them."""

import random
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import product

import duckdb
import pytest
from functions.k_anonymity.test_minimal_generalizations import (
    GRANULARITIES,
    LEVELS,
    ZIPS,
    create,
    is_finer,
)
from functions.k_anonymity.test_publish_events_levels import CALL, QI, preferred

from oracles.dated_rows import up
from oracles.generalization import minimal_nodes

WANTED = [
    "entropy",
    "discernibility",
    {"zip": 3, "age": 1, "seen": 0.2},
    {"zip": 1, "age": 0, "seen": 0},
]


def drawn(seed):
    """Rows of which few are rare, so that one level more keeps many of them."""
    draw = random.Random(seed)
    size = draw.choice([40, 80, 120])
    return [
        {
            "who": draw.randrange(size) if seed % 2 else number,
            "zip": draw.choices(ZIPS, (40, 20, 8, 3, 2, 3))[0],
            "age": draw.choices([None, 3, 17, 23, 41, 44], (2, 30, 12, 4, 30, 2))[0],
            "seen": datetime(2023, 11, 1) + timedelta(days=draw.randrange((3, 40, 300)[seed % 3])),
        }
        for number in range(size)
    ]


def chosen(con, k, share, choose_by):
    words = f", choose_by := {choose_by!r}"
    call = CALL.format("publish_events", k, share, words + ", result := 'summary'")
    granularity, levels, *_ = con.execute(call).fetchone()
    return tuple(levels[name] for name in QI), granularity


@pytest.mark.parametrize("choose_by", WANTED)
def test_the_best_of_all_nodes(con, choose_by):
    """Which is a minimal one for some tables, and not for others."""
    ups = {name: up(name) for name in GRANULARITIES}
    above = set()
    for seed, share in ((0, "0.3"), (1, "0.6"), (3, "0.1"), (4, "0.3")):
        rows, k = drawn(seed), 2 + seed % 4
        con.execute("drop table if exists r; drop table if exists h; drop table if exists calendar")
        create(con, rows)
        best = preferred(rows, k, share, choose_by)
        assert chosen(con, k, share, choose_by) == best, seed
        given = (rows, "who", QI, "seen", ups, is_finer, LEVELS, k, Fraction(share))
        above.add(best not in minimal_nodes(*given))
    assert True in above


def people(con, seed):
    """A table with a population, and hierarchies of three levels for each of two attributes."""
    con.execute(f"""create table p as select
        (i % {(400, 250)[seed % 2]})::integer as who,
        (pow(hash(i + {seed}) % 997 / 997, 2) * 12)::integer as a,
        (pow(hash(i * 3 + {seed}) % 997 / 997, 3) * 9)::integer as b,
        (hash(i * 5 + {seed}) % 4 + hash(i) % 2 * 9)::integer as ill
        from range(400) t(i)""")
    con.execute("create table r as from p where hash(a, b, who) % 3 = 0")
    con.execute("""create table h as
        select name as attribute, level, value::varchar as value,
            case level when 3 then '*' else (value // ([2, 6])[level])::varchar end as generalized
        from (values ('a'), ('b')) n(name), range(0, 20) v(value), range(1, 4) l(level)""")


ASKED = [
    "sensitive := 'ill', limits := {'distinct_l': 2, 'frequency_l': 2}",
    "sensitive := 'ill', limits := {'t': 0.35}",
    "population := 'p', presence := {'k_map': 8}",
    "population := 'p', presence := {'delta_high': 0.45}",
]


@pytest.mark.parametrize(
    ("asked", "choose_by", "place"),
    [(asked, *(("entropy", 1), ("discernibility", 0))[n % 2]) for n, asked in enumerate(ASKED)],
)
def test_the_best_within_limits_as_each_node_published_by_itself(con, asked, choose_by, place):
    """Above a node within limits there may be one outside: all that are published are compared."""
    people(con, place)
    call = (
        "select levels, [discernibility, entropy] from tanon.publish_events('r', "
        f"respondent := 'who', qi := ['a', 'b'], k := 3, hierarchies := 'h', {asked}, "
        f"max_suppression := 0.25, choose_by := '{choose_by}', result := 'summary'"
    )
    found = []
    for a, b in product(range(4), range(4)):
        try:
            found += con.execute(f"{call}, levels := {{'a': {a}, 'b': {b}}})").fetchall()
        except duckdb.Error as error:
            assert "got none for" in str(error)
    ((_, best),) = con.execute(call + ")").fetchall()
    assert 0 < len(found) < 16
    assert best[place] == pytest.approx(min(lost[place] for _, lost in found), abs=1e-9)


def test_the_same_for_any_row_order_and_threads(con):
    create(con, drawn(4))
    call = CALL.format("publish_events", 4, "0.3", ", choose_by := 'discernibility'")
    first = con.execute(call).fetchall()
    con.execute("create or replace table r as from r order by random()")
    con.execute("set threads = 1")
    assert con.execute(call).fetchall() == first
