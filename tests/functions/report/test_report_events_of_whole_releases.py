"""tanon.report_events tells of the rows that tanon.publish_events gives for its call."""

import math
import random
from collections import Counter, defaultdict
from datetime import datetime, timedelta

import duckdb
import pytest
from drawn import is_long

from oracles.known_columns import alone, best_linked, told

WHO, SEX, ZIP, AGE, SEEN, ILL, NOTE = (
    "the 'who'", 'se"x', "zip {k}", "age", "seen; --", "ill", "a note",
)  # fmt: skip
TIME = {"ts": SEEN, "granularities": ["week", "month", "year"]}
LEVELS = {"hierarchies": "ladders"}
LIMITS = {"sensitive": ILL, "limits": {"distinct_l": 2, "t": 0.6, "frequency_l": 1.2}}
CALLS = {
    "no time": {"qi": [SEX], "max_suppression": 0.5},
    "levels": {"qi": [SEX, ZIP, AGE], **LEVELS, **TIME, "max_suppression": 0.4},
    "levels, no time": {"qi": [ZIP, AGE], **LEVELS, "max_suppression": 0.2},
    "fixed levels": {"qi": [ZIP, AGE], **LEVELS, **TIME, "levels": {ZIP: 1}, "choose_by": "gen_s",
                     "max_suppression": 0.3},
    "limits": {"qi": [SEX, AGE], **TIME, **LIMITS, "max_suppression": 0.7},
    "limits, no time": {"qi": [SEX], **LIMITS, "max_suppression": 0.7, "remainder": True},
    "population": {"qi": [SEX, ZIP], "population": "everybody",
                   "hierarchies": f"(from ladders where attribute = '{ZIP}')",
                   "presence": {"k_map": 6, "delta_high": 0.8}, "max_suppression": 0.6},
    "cells": {"qi": [SEX, ZIP], **TIME, "suppression": "cells", "max_suppression": 0.9},
    "cells, levels": {"qi": [SEX, ZIP, AGE], **LEVELS, "suppression": "cells",
                      "max_suppression": 0.5},
    "remainder": {"qi": [SEX], **TIME, "remainder": True, "max_suppression": 0.9},
    "time alone": {"qi": [SEX], **TIME, "max_suppression": 0.9},
}  # fmt: skip


def named(name):
    return '"' + name.replace('"', '""') + '"'


def people(seed):
    draw = random.Random(seed)
    many = draw.choice([15, 40])
    return [
        {
            WHO: f"p{draw.randrange(many)}" if seed % 2 else f"p{number}",
            SEX: draw.choice(["f", "m", None]),
            ZIP: draw.choices(["801", "802", "811", "900", None], [9, 9, 9, 1, 2])[0],
            AGE: draw.choice([None, 1, 2, 11, 12]),
            SEEN: datetime(2023, 11, 1) + timedelta(hours=draw.randrange(24 * (20, 200)[seed % 2])),
            ILL: draw.choice(["flu", "flu", "cold", "gout", None]),
            NOTE: draw.choice(["x", "y", None]),
        }
        for number in range(60)
    ]


def create(con, rows):
    types = {AGE: "integer", SEEN: "timestamp"}
    columns = ", ".join(f"{named(c)} {types.get(c, 'varchar')}" for c in rows[0])
    for table in ("events", "everybody"):
        con.execute(f"create or replace table {table} ({columns})")
    more = [r | {WHO: f"q{i}{r[WHO]}"} for i in range(2) for r in rows[:40]]
    for table, given in (("events", rows), ("everybody", rows + more)):
        con.executemany(
            f"insert into {table} values (?, ?, ?, ?, ?, ?, ?)", [[*r.values()] for r in given]
        )
    con.execute(
        "create or replace table ladders as select * from (values "
        + ", ".join(
            f"('{ZIP}', {level}, '{z}', '{z[: 3 - level]}')"
            for z in ("801", "802", "811", "900") for level in (1, 2)
        )
        + ", " + ", ".join(f"('{AGE}', 1, '{a}', '{a // 10}x')" for a in (1, 2, 11, 12))
        + f", ('{AGE}', 1, null, 'unknown')) as t(attribute, level, value, generalized)"
    )  # fmt: skip


def called(con, function, given, **more):
    words = {"source": "events", "respondent": WHO, "keep": [ILL, NOTE], "k": 3} | given | more
    sql = f"from tanon.{function}({', '.join(f'{n} := ${n}' for n in words)})"
    cursor = con.execute(sql, words)
    names = [c for c, *_ in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def facts_of(con, given, **more):
    found = called(con, "report_events", given, **more)
    return {(f["section"], f["fact"], f["about"]): f for f in found}


def tried(con, name, seeds):
    """Tables for which there is a release: what is told of it, its rows and those of its source."""
    given, found = CALLS[name], 0
    for seed in seeds:
        rows = people(seed)
        create(con, rows)
        try:
            release = called(con, "publish_events", given, for_owner=True)
        except duckdb.Error as error:
            if "keep must be columns that do not tell together" in str(error):
                facts = facts_of(con, given)
                assert {ILL, NOTE} <= {about for _, fact, about in facts if fact == "singled out"}
                continue
            with pytest.raises(duckdb.Error) as said:
                facts_of(con, given)
            assert str(error).partition(": ")[2].split(":", 1)[1].split("\n")[0] in str(said.value)
            continue
        facts = {key: fact["value"] for key, fact in facts_of(con, given, queries=40).items()}
        found += 1
        yield facts, [r for r in release if r.get("stands_for") in (None, 1)], rows, given
        if found == 2 and not is_long():
            return
    assert found >= 2


def groups_of(release, given):
    known = [*given["qi"], *([SEEN] if "ts" in given else [])]
    groups = defaultdict(list)
    for row in release:
        groups[tuple(row[c] for c in known)].append(row)
    return groups


def without_rest(con, release, given):
    """The rows of the release but those of its remainder, which the owner's copy has one by one."""
    if not given.get("remainder"):
        return release
    return [r for r in release if any(r[q] != "*" for q in given["qi"])]


@pytest.mark.parametrize("name", [n for n in CALLS if n != "time alone"])
def test_the_facts_are_those_of_the_rows_that_are_published(con, name):
    for facts, everything, rows, given in tried(con, name, range(4)):
        release = without_rest(con, everything, given)
        groups = groups_of(release, given)
        sizes = {value: len({r[WHO] for r in own}) for value, own in groups.items()}
        out = {r[WHO] for r in release}
        assert facts["release", "rows released", None] == len(release)
        assert facts["release", "respondents released", None] == len(out)
        assert facts["release", "groups released", None] == len(groups)
        assert facts["release", "rows", None] == len(rows)
        assert facts["promise", "smallest group", None] == min(sizes.values(), default=None)
        left_out = 1 - len(release) / len(rows)
        assert facts["promise", "share left out", None] == pytest.approx(left_out)
        classes = Counter(3 * 2 ** int(math.log2(n / 3)) for n in sizes.values())
        told_sizes = {
            int(about.split()[0]): v for (s, f, about), v in facts.items()
            if (s, f) == ("group sizes", "groups") and "left" not in about
            and int(about.split()[0]) >= 3
        }  # fmt: skip
        assert told_sizes == dict(classes)
        smallest = {w: min(sizes[g] for g, own in groups.items() if w in {r[WHO] for r in own})
                    for w in out}  # fmt: skip
        if out:
            mean = sum(1 / n for n in smallest.values()) / len(out)
            assert facts["risk", "mean risk of respondents after", None] == pytest.approx(mean)
        for column in (ILL, NOTE):
            single, alike, guessed, *_ = told(groups, WHO, column)
            assert facts["what if", "singled out", column] == (
                pytest.approx(single / len(out)) if out else None
            )
            assert facts["what if", "one value", column] == (
                pytest.approx(alike / len(out)) if out else None
            )
            assert facts["attacks", "inference", column] == (
                pytest.approx(guessed / len(release)) if out else None
            )
        found = len(alone(groups, WHO, [ILL, NOTE]))
        assert facts["attacks", "singling out", None] == (
            pytest.approx(found / len(out)) if out else None
        )
        raw = defaultdict(list)
        for row in rows:
            raw[tuple(row[c] for c in (*given["qi"], *([SEEN] if "ts" in given else [])))].append(
                row
            )
        control = len(alone(raw, WHO, [])) / len({r[WHO] for r in rows})
        assert facts["attacks", "control", None] in (
            pytest.approx(control), pytest.approx(_linked_in_source(rows, given))
        )  # fmt: skip
        if given.get("suppression") == "cells":
            assert facts["release", "cells hidden", None] == sum(
                r[q] == "*" for r in release for q in given["qi"]
            )


def _linked_in_source(rows, given):
    home = {SEX, ZIP, AGE} - set(given["qi"])
    targets, hits, _ = best_linked(rows, WHO, [*given["qi"], *home, ILL, NOTE, SEEN])
    return float(hits / targets) if targets else None


@pytest.mark.parametrize("name", CALLS)
def test_utility_and_what_is_left_out_are_those_of_their_functions(con, name):
    for facts, _, _, given in tried(con, name, range(3)):
        (chosen,) = called(con, "publish_events", given, result="summary")
        words = {"source": "events", "respondent": WHO, "keep": [ILL, NOTE], "k": 3} | given
        con.execute(
            "create or replace table released as from tanon.publish_events("
            f"{', '.join(f'{n} := ${n}' for n in words)})",
            words,
        )
        asked = {n: given[n] for n in ("qi", "ts", "hierarchies") if n in given}
        asked |= {"release": "released", "source": "events", "keep": [ILL, NOTE], "queries": 40}
        asked |= {"granularity": chosen["granularity"]} if "ts" in given else {}
        asked |= {"levels": chosen["levels"]} if "hierarchies" in given else {}
        asked |= {"records": "stands_for"} if given.get("remainder") else {}
        sql = f"from tanon.evaluate_events({', '.join(f'{n} := ${n}' for n in asked)})"
        for selectivity, *errors in con.execute(sql, asked).fetchall():
            names = ("queries", "median relative error", "ninth decile", "median absolute error")
            assert [facts["utility", f, selectivity] for f in names] == pytest.approx(errors)
        levels = {q: facts["columns", "quasi-identifier", q] for q in given["qi"]}
        assert levels == chosen["levels"]
        if given.get("suppression") != "cells":
            hidden = called(con, "publish_events", given, result="suppressed")
            assert facts["release", "groups left out", None] == len(hidden)
            assert sorted(f for (s, n, _), f in facts.items() if (s, n) == ("left out", "group")) \
                == sorted(r["frequency"] for r in hidden)  # fmt: skip


def test_limits_and_the_population_are_found_as_they_are_in_the_release(con):
    for facts, release, rows, given in tried(con, "limits", range(4)):
        if not release:
            continue
        groups = groups_of(release, given)
        values = [{(r[WHO], r[ILL]) for r in own} for own in groups.values()]
        distinct = [len({ill for _, ill in own}) for own in values]
        most = [len(own) / max(Counter(i for _, i in own).values()) for own in values]
        whole = Counter(i for _, i in {(r[WHO], r[ILL]) for r in rows})
        far = [
            sum(abs(Counter(i for _, i in own)[i] / len(own) - n / whole.total())
                for i, n in whole.items()) / 2
            for own in values
        ]  # fmt: skip
        assert facts["promise", "distinct_l", ILL] == min(distinct)
        assert facts["promise", "frequency_l", ILL] == pytest.approx(min(most))
        assert facts["promise", "t", ILL] == pytest.approx(max(far))
    for facts, release, _, given in tried(con, "population", range(4)):
        if not release:
            continue
        (chosen,) = called(con, "publish_events", given, result="summary")
        level = chosen["levels"][ZIP]
        wide = con.execute(f"select {named(SEX)}, {named(ZIP)}, {named(WHO)} from everybody")
        there = defaultdict(set)
        for sex, code, who in wide.fetchall():
            there[(sex, code and code[: 3 - level])].add(who)
        here = {g: len({r[WHO] for r in own}) for g, own in groups_of(release, given).items()}
        assert facts["promise", "k_map", None] == min(len(there[g]) for g in here)
        shares = [n / len(there[g]) for g, n in here.items()]
        assert facts["promise", "delta_high", None] == pytest.approx(max(shares))


def test_the_remainder_is_that_of_the_release(con):
    for facts, release, *_ in tried(con, "remainder", range(4)):
        rest = defaultdict(list)
        for row in release:
            if row[SEX] == "*":
                rest[row[SEEN]].append(row)
        assert facts["release", "rows of the remainder", None] == len(rest)
        assert facts["release", "rows that these stand for", None] == sum(map(len, rest.values()))
        assert facts["promise", "smallest remainder", None] == min(
            (len({r[WHO] for r in own}) for own in rest.values()), default=None
        )


def test_what_nothing_will_do_for_is_refused_as_the_publisher_does(con):
    create(con, people(1))
    with pytest.raises(duckdb.Error, match=r"report_events: max_suppression must be a share"):
        facts_of(con, {"qi": [ZIP, AGE, SEX]})
    with pytest.raises(duckdb.Error, match=r"granularities must be given if ts is given"):
        facts_of(con, {"qi": [SEX], "ts": SEEN})


def test_granularities_are_told_at_the_levels_that_are_chosen(con):
    create(con, people(2))
    given = CALLS["fixed levels"]
    (chosen,) = called(con, "publish_events", given, result="summary")
    facts = facts_of(con, given)
    told_by_k = {a: f["value"] for (s, n, a), f in facts.items()
                 if (s, n) == ("granularities", "share below k")}  # fmt: skip
    con.execute(
        f"create table general as select {named(WHO)}, {named(SEEN)}, "
        f"{named(ZIP)}[:{3 - chosen['levels'][ZIP]}] as {named(ZIP)}, "
        + (
            f"coalesce(({named(AGE)} // 10) || 'x', 'unknown') as {AGE} from events"
            if chosen["levels"][AGE]
            else f"{AGE} from events"
        )
    )
    metrics = con.execute(
        "select granularity, suppressed_share from tanon.granularity_metrics('general', "
        "respondent := $w, qi := $q, ts := $t, granularities := $g, k := 3, max_suppression := "
        "0.3)",
        {"w": WHO, "q": [ZIP, AGE], "t": SEEN, "g": TIME["granularities"]},
    ).fetchall()
    assert told_by_k == pytest.approx(dict(metrics))
    taken = [a for (s, n, a), f in facts.items() if (s, n) == ("granularities", "chosen")
             and f["holds"]]  # fmt: skip
    assert taken == [chosen["granularity"]]
