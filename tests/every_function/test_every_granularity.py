"""Every function that takes a granularity, over every built-in one and some buckets.

Time is looked up in the oracle and stands in the table as a plain column of labels; what a function
makes of a granularity must be what it, or a count in Python, makes of that column. A granularity
that is known in one place only, and elsewhere taken for another, shows here.
"""

import random
from collections import defaultdict
from datetime import datetime, timedelta

import duckdb
import pytest
from every_function.examples import FUNCTIONS

from oracles.finer import finer
from oracles.granules import BUILT_IN, DAY, granule, instant, moment
from tanon_duck.macros import catalog
from tanon_duck.macros.granularities import GRANULARITIES

BUCKETS = ("90 seconds", "25 minutes", "3 hours", "5 hours", "3 days", "2 weeks", "5 months")
EVERY = (*BUILT_IN, *BUCKETS)
WITHOUT_GAPS = [
    g for g in EVERY if g not in ("business_day", "business_week", "dekad", "half_month")
]
K = 3
TAKERS = [
    name
    for name in FUNCTIONS
    if any(
        a.kind.name in ("granularity", "granularities", "snapshots", "time")
        for a in catalog.function(name).header.arguments
    )
]


def rows(granularity):
    """Weekday times around changes of year and month, close enough for some to share granules."""
    draw = random.Random(7)
    made = []
    while len(made) < 90:
        day = datetime(2023, 12, 18) + timedelta(days=draw.randrange(80))
        at = day + timedelta(hours=draw.choice([0, 5, 6, 13, 23]), minutes=draw.choice([0, 14, 31]))
        if at.weekday() < 5:
            made.append((draw.randrange(25), draw.choice("ab"), at))
    return [(who, sex, at, granule(granularity, instant(at))) for who, sex, at in made]


def groups(granularity):
    """Respondents and rows by (sex, label), counted here."""
    people, tuples = defaultdict(set), defaultdict(int)
    for who, sex, _, found in rows(granularity):
        people[sex, found.label].add(who)
        tuples[sex, found.label] += 1
    return {key: (len(people[key]), tuples[key]) for key in people}


@pytest.fixture
def table(con, request):
    con.execute("create table t (who integer, sex varchar, seen timestamp, label varchar)")
    given = [(who, sex, at, g.label) for who, sex, at, g in rows(request.param)]
    con.executemany("insert into t values (?, ?, ?, ?)", given)
    return con, request.param


def fetch(con, sql, *values):
    return con.execute(sql, list(values)).fetchall()


def scalars(con, g):
    sql = "select tanon.up(seen, $1), tanon.granule_label(seen, $1), "
    found = fetch(
        con, sql + "tanon.granule_start(seen, $1), tanon.granule_end(seen, $1), seen from t", g
    )
    for index, label, start, end, at in found:
        wanted = granule(g, instant(at))
        assert (index, label) == (wanted.index, wanted.label)
        assert (start, end) == (moment(wanted.start), moment(wanted.end))


def generalize(con, g):
    found = fetch(con, "select seen, label from tanon.generalize('t', 'seen', $1)", g)
    assert found and all(generalized == label for generalized, label in found)


def frequency_set(con, g):
    found = fetch(con, "from tanon.frequency_set('t', 'who', 'sex', 'seen', $1)", g)
    assert {(sex, label): (f, n) for sex, label, f, n in found} == groups(g)


def k_anonymity(con, g):
    found = fetch(con, "from tanon.k_anonymity('t', 'who', 'sex', 'seen', $1)", g)
    assert found == fetch(con, "from tanon.k_anonymity('t', 'who', ['sex', 'label'])")


def k_anonymity_violations(con, g):
    found = fetch(con, f"from tanon.k_anonymity_violations('t', 'who', 'sex', {K}, 'seen', $1)", g)
    below = {key: found for key, found in groups(g).items() if found[0] < K}
    assert {(sex, label): (f, n) for sex, label, f, n in found} == below


def metrics(con, g, function):
    sql = "select gen_m, gen_s, groups, suppressed_tuples from tanon."
    call = f"{function}('t', 'who', 'sex', 'seen', [$1], {K}, max_suppression := 0.9999)"
    found = groups(g).values()
    kept = [f for f, _ in found if f >= K]
    suppressed = sum(n for f, n in found if f < K)
    if suppressed > 0.9999 * 90:
        kept = [f for f, _ in found]
        if function == "least_generalization":
            assert fetch(con, sql + call, g) == []
            return
    assert fetch(con, sql + call, g) == [(min(kept), sum(kept), len(found), suppressed)]


def granularity_metrics(con, g):
    metrics(con, g, "granularity_metrics")


def least_generalization(con, g):
    metrics(con, g, "least_generalization")


def publish_k_anonymous(con, g):
    kept = {key: n for key, (f, n) in groups(g).items() if f >= K}
    if kept:
        sql = (
            "select sex, seen, count(*) from tanon.publish_k_anonymous('t', 'who', 'sex', 'seen', "
        )
        found = fetch(con, sql + f"[$1], {K}, max_suppression := 0.9999) group by all", g)
        assert {(sex, label): n for sex, label, n in found} == kept


def k_anonymous_suppressed(con, g):
    below = {key: found for key, found in groups(g).items() if found[0] < K}
    if len(below) < len(groups(g)):
        sql = "select sex, seen, frequency, tuples from tanon.k_anonymous_suppressed("
        call = f"'t', 'who', 'sex', 'seen', [$1], {K}, max_suppression := 0.9999)"
        assert {(s, label): (f, n) for s, label, f, n in fetch(con, sql + call, g)} == below


def minimal_generalizations(con, g):
    con.execute(
        "create or replace table h as select 'sex' as attribute, 1 as level, value, "
        "'*' as generalized from (values ('a'), ('b')) as v(value)"
    )
    sql = (
        "select gen_m, gen_s, groups from tanon.minimal_generalizations('t', 'who', 'sex', 2, 'h',"
        " 'seen', [$1], max_suppression := 0.9999) where sex = 0"
    )
    found = groups(g).values()
    kept = [f for f, _ in found if f >= 2]
    if kept and sum(n for f, n in found if f < 2) <= 0.9999 * 90:
        assert fetch(con, sql, g) == [(min(kept), sum(kept), len(found))]


def risk_profile(con, g):
    sql = "select groups, unique_share from tanon.risk_profile('t', 'who', 'sex', 'seen', [$1])"
    people = {who for who, _, _, _ in rows(g)}
    alone = {who for who, sex, _, x in rows(g) if groups(g)[sex, x.label][0] == 1}
    assert fetch(con, sql, g) == [(len(groups(g)), len(alone) / len(people))]


def granularity_graph(con, g):
    others = [other for other in ("day", "week", "month", "year", "3 hours") if other != g]
    for other in others:
        graph = "from tanon.granularity_graph([$1, $2])"
        if finer(g, other) and finer(other, g):
            with pytest.raises(duckdb.Error, match="must have different granules"):
                fetch(con, graph, g, other)
            continue
        pairs = [(a, b) for a, b in ((g, other), (other, g)) if finer(a, b)]
        assert fetch(con, graph, g, other) == pairs


def dates(con, g):
    """What parts days is refused for a DATE, or not feasible, and nothing else is."""
    parts_days = any(x.start % DAY or x.end % DAY for _, _, _, x in rows(g))
    con.execute("create or replace table d as select seen::date as day, who, sex from t limit 9")
    sql = "select feasible from tanon.granularity_metrics('d', 'who', 'sex', 'day', [$1], 2)"
    assert fetch(con, sql, g) == [(not parts_days,)]
    calls = ["from tanon.generalize('d', 'day', $1)"]
    if g in WITHOUT_GAPS:
        calls.append("from tanon.l_eligibility('d', 'day', 'sex', 2, granularity := $1)")
    for call in calls:
        if parts_days:
            with pytest.raises(duckdb.Error, match=r"granularity must .* of whole days"):
                fetch(con, call, g)
        else:
            assert fetch(con, call, g)


def snapshots(con, g, function, arguments, counts):
    if g not in WITHOUT_GAPS:
        return
    by_start = defaultdict(int)
    for _, _, _, found in rows(g):
        by_start[moment(found.start)] += 1
    sql = (
        f"select {counts} from tanon.{function}('t', 'seen', 'sex', {arguments}, granularity := $1"
    )
    found = dict(fetch(con, f"{sql}) group by all", g))
    assert {start: n for start, n in found.items() if n} == by_start


def l_eligibility(con, g):
    if g not in ("second", "90 seconds"):  # more than can be listed between the first and the last
        snapshots(con, g, "l_eligibility", "2", "seen, sum(records)::bigint")


def reposition_plan(con, g):
    snapshots(con, g, "reposition_plan", "2, 2", "seen, sum(records)::bigint")


def reposition(con, g):
    start = "seen, count(*)"
    if g in WITHOUT_GAPS:
        starts = {moment(x.start) for _, _, _, x in rows(g)}
        sql = "from tanon.reposition('t', 'seen', 'sex', 2, 1, granularity := $1)"
        found = fetch(con, f"select distinct {start.split(',')[0]} {sql}", g)
        assert {at for (at,) in found} <= starts


def reposition_summary(con, g):
    if g in WITHOUT_GAPS:
        sql = (
            "select records from tanon.reposition_summary('t', 'seen', 'sex', 2, 1, granularity := "
        )
        assert fetch(con, sql + "$1)", g) == [(90,)]


CHECKS = {
    "up": scalars,
    "granule_label": scalars,
    "granule_start": scalars,
    "granule_end": scalars,
    "generalize": generalize,
    "frequency_set": frequency_set,
    "k_anonymity": k_anonymity,
    "k_anonymity_violations": k_anonymity_violations,
    "granularity_metrics": granularity_metrics,
    "least_generalization": least_generalization,
    "publish_k_anonymous": publish_k_anonymous,
    "k_anonymous_suppressed": k_anonymous_suppressed,
    "minimal_generalizations": minimal_generalizations,
    "risk_profile": risk_profile,
    "granularity_graph": granularity_graph,
    "l_eligibility": l_eligibility,
    "reposition": reposition,
    "reposition_plan": reposition_plan,
    "reposition_summary": reposition_summary,
}


def test_every_function_that_takes_a_granularity_is_checked():
    assert sorted(CHECKS) == sorted(TAKERS)


def test_the_oracle_knows_every_granularity():
    assert sorted(BUILT_IN) == sorted(g.name for g in GRANULARITIES)


@pytest.mark.parametrize("table", EVERY, indirect=True)
def test_every_function_means_the_same(table):
    con, granularity = table
    for check in dict.fromkeys([*CHECKS.values(), dates]):
        check(con, granularity)
