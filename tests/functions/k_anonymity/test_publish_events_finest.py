"""Which choice tanon.publish_events releases, against all choices that there are."""

import random
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from functools import cache
from itertools import product

import duckdb
import pytest

from oracles.dated_rows import create_calendar, up
from oracles.finer import finer
from oracles.generalization import bits_lost

LENGTHS = ["shift", "day", "3 days", "week", "month", "fiscal year"]
OFFERS = [["week", "month"], ["3 days", "month", "week"], ["day", "fiscal year", "week"],
          ["month", "shift", "3 days"]]  # fmt: skip
PREFERRED = [None, "least", "gen_s", "discernibility", "entropy", {"zip": 3, "seen": 0.5}]
LEVELS = {"zip": [lambda v: v, lambda v: v[:2], lambda v: "*"], "sex": [lambda v: v]}
SHARES = [0, 0.1, 0.3]
is_finer = cache(finer)


def people(seed):
    """Stays of up to three months, few of them in the first and in the last."""
    draw = random.Random(seed)
    return [
        {
            "who": draw.randrange(30) if seed % 2 else number,
            "zip": draw.choices(["101", "102", "201", "202"], (6, 5, 4, (1, 4)[seed % 3 > 0]))[0],
            "sex": draw.choice("fm"),
            "seen": datetime(2024, 1, 29)
            + timedelta(days=int(draw.triangular(0, (20, 62)[seed % 2]))),
            "ill": draw.choices("abc", (5, 3, 1))[0],
        }
        for number in range(draw.choice([60, 120]))
    ]


def create(con, rows):
    create_calendar(con)
    con.execute("create table r (who int, zip varchar, sex varchar, seen timestamp, ill varchar)")
    con.executemany("insert into r values (?, ?, ?, ?, ?)", [list(row.values()) for row in rows])
    con.execute("create table h (attribute text, level int, value text, generalized text)")
    con.executemany(
        "insert into h values ('zip', ?, ?, ?)",
        [[n, v, LEVELS["zip"][n](v)] for n in (1, 2) for v in ("101", "102", "201", "202")],
    )


def judged(rows, node, k, share, diverse):
    """(gen_m, gen_s, share left out, discernibility) of a choice that is acceptable."""
    groups = defaultdict(list)
    for r in rows:
        groups[LEVELS["zip"][node[0]](r["zip"]), r["sex"], up(node[1])(r["seen"])].append(r)
    if any(granule is None for *_, granule in groups):
        return None
    stays, told, lost, squares, sizes = 0, set(), 0, 0, []
    for group in groups.values():
        size, values = len({r["who"] for r in group}), {r["ill"] for r in group}
        if size >= k and len(values) >= diverse:
            sizes.append(size)
            squares += len(group) ** 2
            stays += len(group)
        else:
            lost += len(group)
            told |= values if size >= k else set()
    if lost > share * len(rows) or 0 < len(told) < diverse:
        return None
    return min(sizes, default=0), sum(sizes), lost / len(rows), squares + lost * len(rows)


def best(rows, offer, heights, k, share, prefer, diverse):
    """The choice to release of all that there are, and None where none is acceptable."""
    nodes = {n: judged(rows, n, k, share, diverse) for n in product(heights, offer)}
    found = {n: told for n, told in nodes.items() if told}
    if prefer in (None, "least", "gen_s"):
        found = {
            n: told
            for n, told in found.items()
            if not any(o != n and o[0] <= n[0] and is_finer(o[1], n[1]) for o in found)
        }

    def bits(node):
        columns = {
            "zip": (lambda r: r["zip"], lambda r: LEVELS["zip"][node[0]](r["zip"])),
            "sex": (lambda r: r["sex"], lambda r: r["sex"]),
            "seen": (lambda r: r["seen"], lambda r: up(node[1])(r["seen"])),
        }
        weights = prefer if isinstance(prefer, dict) else {}
        return round(bits_lost(rows, columns, weights, found[node][2]), 9)

    def cost(node):
        gen_m, gen_s, _, discernibility = found[node]
        place = (node[0], LENGTHS.index(node[1]))
        if prefer is None:
            return (bits(node), *place)
        first = {"least": (gen_m, -gen_s), "gen_s": -gen_s, "discernibility": discernibility}
        preferred = first[prefer] if str(prefer) in first else bits(node)
        return (preferred, -gen_s, discernibility, bits(node), *place)

    return min(found, key=cost, default=None)


HIERARCHIES = {
    "none": ("", [0]),
    "fixed": (", hierarchies := 'h', levels := {'zip': 0, 'sex': 0}", [0]),
    "free": (", hierarchies := 'h'", [0, 1, 2]),
}
LIMITS = {1: "", 2: ", sensitive := 'ill', limits := {'distinct_l': 2}"}


def pairs():
    """Draws of all arguments, until every two values of two arguments have met."""
    draw = random.Random(1)
    values = [PREFERRED, list(HIERARCHIES), OFFERS, SHARES, [1, 2]]
    wanted = {
        (a, str(x), b, str(y))
        for a, b in product(range(5), repeat=2)
        if a < b
        for x, y in product(values[a], values[b])
    }

    def met(case):
        return {(a, str(case[a]), b, str(case[b])) for a, b in product(range(5), repeat=2)}

    while wanted:
        cases = [[draw.choice(each) for each in values] for _ in range(40)]
        case = max(cases, key=lambda c: len(met(c) & wanted))
        wanted -= met(case)
        yield case


CASES = list(pairs())


def asked(function, offer, k, share, more):
    return (
        f"from tanon.{function}('r', respondent := 'who', qi := ['zip', 'sex'], ts := 'seen', "
        f"granularities := {offer}, calendar := 'calendar', k := {k}, max_suppression := {share}"
        f"{more})"
    )


@pytest.mark.parametrize("part", range(4))
def test_the_best_of_all_choices(con, part):
    """The summary, what is left out, the list of choices and a sweep agree with all choices."""
    released = 0
    for number, (prefer, named, offer, share, diverse) in enumerate(CASES[part::4]):
        rows, k = people(number), 2 + number % 3
        con.execute("drop table if exists r; drop table if exists h; drop table if exists calendar")
        create(con, rows)
        words, heights = HIERARCHIES[named]
        node = best(rows, offer, heights, k, share, prefer, diverse)
        more = words + LIMITS[diverse] + (f", choose_by := {prefer!r}" if prefer else "")
        summary = asked("publish_events", offer, k, share, more + ", result := 'summary'")
        sweep = asked("tune_events", offer, [k], [share], more)
        found = con.execute(f"select granularity, levels from ({sweep})").fetchall()
        if node is None:
            assert found == [(None, None)]
            with pytest.raises(duckdb.Error, match="got none for"):
                con.execute(summary).fetchall()
            continue
        wanted = [(node[1], {"zip": node[0], "sex": 0})]
        case = (number, k, share, more, offer)
        assert con.execute(f"select granularity, levels from ({summary})").fetchall() == wanted, (
            case
        )
        assert found == wanted, case
        left_out = asked("publish_events", offer, k, share, more + ", result := 'suppressed'")
        lost = judged(rows, node, k, share, diverse)[2]
        ((tuples,),) = con.execute(f"select coalesce(sum(tuples), 0) from ({left_out})").fetchall()
        assert tuples == pytest.approx(lost * len(rows))
        if prefer in (None, "least", "gen_s") and named != "none":
            listed = asked("minimal_generalizations", offer, k, share, more)
            assert con.execute(f"select zip, seen from ({listed}) where preferred").fetchall() == [
                node
            ], case
        released += 1
    assert released > 1


def border(con):
    """Two weeks of twelve people; one lies in two months, with six people in the first of them."""
    con.execute(
        "create table r as select row_number() over ()::integer as who, 'q' as q, d as seen "
        "from (values (date '2024-01-31', 6), (date '2024-02-01', 6), (date '2024-02-06', 12)) "
        "as t(d, n), range(n) as _(i)"
    )


TIME = "respondent := 'who', qi := ['q'], ts := 'seen', granularities := ['week', 'month'], k := 5"


def test_a_border_month_does_not_make_the_month_the_choice(con):
    border(con)
    metrics = con.execute(
        "select granularity, gen_m, gen_s, acceptable, least "
        f"from tanon.granularity_metrics('r', {TIME})"
    ).fetchall()
    assert metrics == [("week", 12, 24, True, False), ("month", 6, 24, True, True)]
    call = f"from tanon.publish_events('r', {TIME}"
    finest = Counter({("q", "2024-W05"): 12, ("q", "2024-W06"): 12})
    assert Counter(con.execute(call + ")").fetchall()) == finest
    least = Counter({("q", "2024-01"): 6, ("q", "2024-02"): 18})
    assert Counter(con.execute(call + ", choose_by := 'least')").fetchall()) == least
