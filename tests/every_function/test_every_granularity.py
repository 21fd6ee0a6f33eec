"""Every function that takes a granularity, over every built-in one and some buckets.

Time is looked up in the oracle and stands in the table as a plain column of labels; what a function
makes of a granularity must be what it, or a count in Python, makes of that column. A granularity
that is known in one place only, and elsewhere taken for another, shows here.
"""

import random
from collections import Counter, defaultdict
from datetime import datetime, timedelta

import duckdb
import pytest
from every_function.examples import FUNCTIONS

from oracles.counted_queries import asked, count, of_time, summary
from oracles.finer import finer
from oracles.granules import BUILT_IN, DAY, granule, instant, moment
from tanon_duck.macros import catalog
from tanon_duck.macros.granularities import GRANULARITIES

BUCKETS = ("90 seconds", "25 minutes", "3 hours", "5 hours", "3 days", "2 weeks", "5 months")
EVERY = (*(g.name for g in GRANULARITIES), *BUCKETS)
EVEN = [*(g.name for g in GRANULARITIES if g.is_even), *BUCKETS]
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
    sql = "select tanon.granule_index(seen, $1), tanon.granule_label(seen, $1), "
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


def publish_events(con, g):
    kept = {key: n for key, (f, n) in groups(g).items() if f >= K}
    if kept:
        sql = "select sex, seen, count(*) from tanon.publish_events('t', 'who', 'sex', 'seen', "
        found = fetch(con, sql + f"[$1], {K}, max_suppression := 0.9999) group by all", g)
        assert {(sex, label): n for sex, label, n in found} == kept


def group_sizes(con, g):
    found = fetch(con, "from tanon.group_sizes('t', 'who', 'sex', 'seen', [$1])", g)
    counted = defaultdict(list)
    for frequency, tuples in groups(g).values():
        counted[frequency].append(tuples)
    assert found == [(g, f, len(n), sum(n)) for f, n in sorted(counted.items())]


def dominated_total_violations(con, g):
    """Contributions are the numbers of respondents, once for each row."""
    sql = (
        "select sex, seen, respondents, total, largest from "
        "tanon.dominated_total_violations('t', 'who', "
        "'sex', 'who', 0.5, ts := 'seen', granularity := $1)"
    )
    parts = defaultdict(lambda: defaultdict(int))
    for who, sex, _, found in rows(g):
        parts[sex, found.label][who] += who
    wanted = {
        (*key, len(of), sum(of.values()), max(of.values()))
        for key, of in parts.items()
        if max(of.values()) > 0.5 * sum(of.values())
    }
    found = fetch(con, sql, g)
    assert (set(found), len(found)) == (wanted, len(wanted))


TURNS = []


def in_turn(check):
    """A check of which each granularity would take long, for those whose turn it is.

    What these functions find and place by a granularity are the steps of tanon.publish_events,
    which is checked with every one.
    """
    place = len(TURNS)
    TURNS.append(check)

    def checked(con, g):
        if EVERY.index(g) % len(TURNS) == place:
            check(con, g)

    return checked


class Release:
    """Rows in groups of K respondents, with a column that is made of who: counted here."""

    call = (
        f"'(select *, who % 3 as kept from t)', 'who', 'sex', 'seen', [$1], {K}, "
        "max_suppression := 0.9999, keep := 'kept'"
    )

    def __init__(self, g):
        self.groups = defaultdict(list)
        for who, sex, _, found in rows(g):
            if groups(g)[sex, found.label][0] >= K:
                self.groups[sex, found.label].append(who)
        self.rows = sum(map(len, self.groups.values()))
        self.people = set().union(*self.groups.values())
        self.alone, self.alike = set(), set()
        for whos in self.groups.values():
            by_value = [{w for w in whos if w % 3 == value} for value in range(3)]
            self.alone |= {who for of in by_value if len(of) == 1 for who in of}
            self.alike |= set(whos) if set(whos) in by_value else set()
        self.guessed = sum(most_of(whos) for whos in self.groups.values())


def most_of(whos):
    """The rows that have the most frequent value."""
    return max(sum(who % 3 == value for who in whos) for value in range(3))


@in_turn
def publish_events_suppressed(con, g):
    below = {key: found for key, found in groups(g).items() if found[0] < K}
    if len(below) < len(groups(g)):
        sql = "select sex, seen, frequency, tuples from tanon.publish_events("
        call = f"'t', 'who', 'sex', 'seen', [$1], {K}, max_suppression := 0.9999, "
        call += "result := 'suppressed')"
        assert {(s, label): (f, n) for s, label, f, n in fetch(con, sql + call, g)} == below


@in_turn
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


@in_turn
def publish_events_attacks(con, g):
    release = Release(g)
    call = f"{release.call}, result := 'attacks'"
    sql = f"select criterion, targets, hits from tanon.publish_events({call})"
    found = {criterion: rest for criterion, *rest in fetch(con, sql, g)}
    assert found["inference"] == [release.rows, release.guessed]
    assert found["singling out"] == [len(release.people), len(release.alone)]


@in_turn
def publish_events_warnings(con, g):
    release = Release(g)
    call = f"{release.call}, result := 'warnings'"
    sql = f"select warning, respondents from tanon.publish_events({call})"
    found = dict(fetch(con, sql, g))
    assert found.get("singles out", 0) == len(release.alone)
    alike = release.alike if len({who % 3 for who in release.people}) > 1 else ()
    assert found.get("one value", 0) == len(alike)
    assert found.get("nobody left", 0) == len({who for who, *_ in rows(g)} - release.people)


@in_turn
def publish_events_columns(con, g):
    release = Release(g)
    call = f"{release.call}, result := 'columns'"
    sql = (
        "select singled_out, in_groups_of_one_value, round(guess_rate * $2)::bigint "
        f"from tanon.publish_events({call}) where column_name = 'kept'"
    )
    if release.rows:
        wanted = (len(release.alone), len(release.alike), release.guessed)
        assert fetch(con, sql, g, release.rows) == [wanted]


@in_turn
def report_events(con, g):
    release = Release(g)
    sql = f"select fact, about, value from tanon.report_events({release.call}) where section ="
    told = {fact: value for fact, _, value in fetch(con, f"{sql} 'granularities'", g)}
    assert (told["groups"], told["rows below k"]) == (len(groups(g)), 90 - release.rows)
    sizes = [groups(g)[key][0] for key in release.groups or groups(g)]
    assert told["smallest group"] == min(sizes)
    left_out = fetch(con, f"{sql} 'left out' and fact = 'group'", g)
    below = [f"sex = {sex}, seen = {x}" for sex, x in groups(g) if (sex, x) not in release.groups]
    assert {about for _, about, _ in left_out} <= set(below)
    assert bool(left_out) == bool(below)


@in_turn
def publish_events_summary(con, g):
    release = Release(g)
    if release.rows:
        sql = (
            "select granularity, records, suppressed, respondents, groups, gen_m, gen_s, "
            f"discernibility from tanon.publish_events({release.call}, result := 'summary')"
        )
        sizes = [groups(g)[key][0] for key in release.groups]
        squares = sum(len(of) ** 2 for of in release.groups.values())
        kept = (g, release.rows, 90 - release.rows, len(release.people), len(sizes))
        lost = squares + (90 - release.rows) * 90
        assert fetch(con, sql, g) == [(*kept, min(sizes), sum(sizes), lost)]


@in_turn
def tune_events(con, g):
    release = Release(g)
    if release.rows:
        sql = (
            "select granularity, suppressed_share, groups, gen_m, discernibility "
            "from tanon.tune_events('t', 'who', 'sex', k := [$2], ts := 'seen', "
            "granularities := [$1], max_suppression := [0.9999], queries := 10)"
        )
        sizes = [groups(g)[key][0] for key in release.groups]
        left_out = 90 - release.rows
        lost = sum(len(of) ** 2 for of in release.groups.values()) + left_out * 90
        found = fetch(con, sql, g, K)
        assert found == [(g, left_out / 90, len(sizes), min(sizes), lost)]


@in_turn
def report_stream(con, g):
    """The records of each snapshot before anything is moved, by when it begins."""
    if g in EVEN and g not in ("second", "90 seconds"):  # see l_eligibility
        by_start = defaultdict(int)
        for _, _, _, found in rows(g):
            by_start[moment(found.start)] += 1
        sql = (
            "select about::timestamp, regexp_extract(text, '[0-9]+')::bigint "
            "from tanon.report_stream('t', 'seen', 'sex', 2, 2, "
            "rows_are_persons := true, granularity := $1) "
            "where section = 'eligibility' and fact = 'before'"
        )
        assert {start: n for start, n in fetch(con, sql, g) if n} == by_start


@in_turn
def evaluate_events(con, g):
    """A row stands for the part of its granule that a query asks for."""
    source = [{"seen": at, "sex": sex} for _, sex, at, _ in rows(g)]
    answers = []
    for query in asked(source, ["seen", "sex"], 100):
        seen, sexes = query.get("seen"), query.get("sex", "ab")
        estimate = sum(
            of_time(moment(x.start), moment(x.end), min(seen), max(seen) + timedelta(0, 0, 1))
            if seen
            else 1
            for _, sex, _, x in rows(g)
            if sex in sexes
        )
        answers.append((count(source, query), estimate))
    sql = (
        "select selectivity, queries, median_relative_error, median_absolute_error "
        "from tanon.evaluate_events('(select sex, label as seen from t)', 't', 'sex', "
        "'seen', $1, queries := 100)"
    )
    found = {name: tuple(figures) for name, *figures in fetch(con, sql, g)}
    for name, wanted in summary(source, answers).items():
        assert found[name] == pytest.approx(wanted, abs=1e-9)


@in_turn
def population_uniques(con, g):
    """Where each respondent stands for one, who is alone here is alone."""
    alone = any(f == 1 for f, _ in groups(g).values())
    sql = (
        "select risk from tanon.population_uniques('(select *, 1 as stands_for from t)', "
        "'who', 'sex', weight := 'stands_for', ts := 'seen', granularity := $1) "
        "where method = 'individual'"
    )
    assert fetch(con, sql, g) == [(1 if alone else None,)]


def risk_by_granularity(con, g):
    sql = (
        "select groups, unique_share from tanon.risk_by_granularity('t', 'who', 'sex', 'seen', "
        "[$1])"
    )
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
    if g in EVEN:
        calls.append(
            "from tanon.l_eligibility('d', 'day', 'sex', 2, granularity := $1, "
            "rows_are_persons := true)"
        )
    for call in calls:
        if parts_days:
            with pytest.raises(duckdb.Error, match=r"granularity must .* of whole days"):
                fetch(con, call, g)
        else:
            assert fetch(con, call, g)


def snapshots(con, g, function, arguments, counts):
    if g not in EVEN:
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
        snapshots(
            con, g, "l_eligibility", "2, rows_are_persons := true", "seen, sum(records)::bigint"
        )


def reposition_plan(con, g):
    snapshots(
        con,
        g,
        "publish_stream",
        "2, 2, rows_are_persons := true, result := 'plan'",
        "seen, sum(records)::bigint",
    )


def reposition(con, g):
    start = "seen, count(*)"
    if g in EVEN:
        starts = {moment(x.start) for _, _, _, x in rows(g)}
        sql = "from tanon.publish_stream('t', 'seen', 'sex', 2, 1, granularity := $1, "
        sql += "rows_are_persons := true)"
        found = fetch(con, f"select distinct {start.split(',')[0]} {sql}", g)
        assert {at for (at,) in found} <= starts


def reposition_summary(con, g):
    if g in EVEN:
        sql = (
            "select records from tanon.publish_stream('t', 'seen', 'sex', 2, 1, "
            "rows_are_persons := true, granularity := "
        )
        assert fetch(con, sql + "$1, result := 'summary')", g) == [(90,)]


def reposition_warnings(con, g):
    """Where nothing may move, as many of both values stay in each snapshot as of the rarer one."""
    if g in EVEN:
        by_start = defaultdict(Counter)
        for _, sex, _, found in rows(g):
            by_start[found.start][sex] += 1
        lost = sum(abs(met["a"] - met["b"]) for met in by_start.values())
        sql = (
            "select records from tanon.publish_stream('t', 'seen', 'sex', 2, 1, "
            "rows_are_persons := true, granularity := $1, result := 'warnings') "
            "where warning = 'suppressed'"
        )
        assert fetch(con, sql, g) == ([(lost,)] if lost else [])


CHECKS = {
    "granule_index": scalars,
    "granule_label": scalars,
    "granule_start": scalars,
    "granule_end": scalars,
    "generalize": generalize,
    "frequency_set": frequency_set,
    "k_anonymity": k_anonymity,
    "k_anonymity_violations": k_anonymity_violations,
    "granularity_metrics": granularity_metrics,
    "group_sizes": group_sizes,
    "dominated_total_violations": dominated_total_violations,
    "publish_events: attacks": publish_events_attacks,
    "publish_events: warnings": publish_events_warnings,
    "publish_events: columns": publish_events_columns,
    "report_events": report_events,
    "publish_events: summary": publish_events_summary,
    "report_stream": report_stream,
    "least_generalization": least_generalization,
    "publish_events": publish_events,
    "publish_events: suppressed": publish_events_suppressed,
    "minimal_generalizations": minimal_generalizations,
    "tune_events": tune_events,
    "evaluate_events": evaluate_events,
    "population_uniques": population_uniques,
    "risk_by_granularity": risk_by_granularity,
    "granularity_graph": granularity_graph,
    "l_eligibility": l_eligibility,
    "publish_stream": reposition,
    "publish_stream: plan": reposition_plan,
    "publish_stream: summary": reposition_summary,
    "publish_stream: warnings": reposition_warnings,
}


def test_every_function_that_takes_a_granularity_is_checked():
    assert sorted({name.partition(":")[0] for name in CHECKS}) == sorted(TAKERS)


def test_the_oracle_knows_every_granularity():
    assert sorted(BUILT_IN) == sorted(g.name for g in GRANULARITIES)


@pytest.mark.sweep
@pytest.mark.parametrize("table", EVERY, indirect=True)
def test_every_function_means_the_same(table):
    con, granularity = table
    for check in dict.fromkeys([*CHECKS.values(), dates]):
        check(con, granularity)
