"""Times with zone in every role: the setting TimeZone changes no row of a result."""

import pytest

import tanon_duck
from tanon_duck.quoting import literal

ZONES = ["Asia/Kathmandu", "America/St_Johns"]
# Visits of 200 people, with times that another clock puts on another day, or an hour apart twice.
TABLE = """
    create table zoned as
    select
        'p' || lpad((i % 200)::varchar, 3, '0') as person,
        timestamptz '2024-10-27 00:30:00+00' + to_hours(((i * 7) % 4)::int) as opened,
        timestamptz '2024-01-31 20:00:00+00' + to_days(((i * 11) % 3)::int) as booked,
        timestamptz '2024-03-01 22:15:00+00' + to_hours(((i * 13) % 5)::int) as outcome,
        timestamptz '2024-06-01 18:00:00+00' + to_hours((i % 2 * 12)::int) as noted,
        date '2024-07-01' + (i // 100)::int as day,
        [opened, booked] as both_times
    from range(600) as r(i)
"""
NODES = (
    "(select ''opened'' as attribute, 1 as level, value, ''all'' as generalized from "
    "(select distinct opened as value from zoned))"
)
BUILT = (
    "(from tanon.date_hierarchy(''zoned'', attribute := ''opened'', "
    "granularities := [''day'', ''month''], tz := ''Europe/Zurich'') union all "
    "from tanon.quantile_hierarchy(''zoned'', attribute := ''booked'', bins := [2]))"
)
QI = "qi := ['opened', 'booked']"
KEPT = "keep := ['noted'], allow_identifying := ['noted']"
RELEASE = f"tanon.publish_events('zoned', respondent := 'person', {QI}, k := 5, {KEPT}"
LIMITS = "sensitive := 'outcome', limits := {'distinct_l': 2}"
PAIR = (
    "tanon.publish_table_pair('zoned', qi := ['opened', 'noted'], sensitive := 'outcome', l := 2, "
    "respondent := 'person', allow_identifying := ['opened', 'noted']"
)
STREAM = "'zoned', ts := 'day', sensitive := 'outcome', l := 2, w := 3, granularity := 'day'"
CALLS = {
    "release": f"from {RELEASE})",
    "release of typed nodes": f"from {RELEASE}, hierarchies := '{NODES}', "
    "levels := {'opened': 1})",
    "release of built nodes": f"from {RELEASE}, hierarchies := '{BUILT}')",
    "release with cells": f"from {RELEASE}, hierarchies := '{BUILT}', suppression := 'cells', "
    "max_suppression := 0.2)",
    "release with remainder": f"from {RELEASE}, remainder := true, max_suppression := 0.2, "
    f"{LIMITS})",
    "release in population": f"from {RELEASE}, hierarchies := '{BUILT}', "
    "population := 'zoned', presence := {'k_map': 2})",
    "summary": "from tanon.publish_events('zoned', respondent := 'person', "
    f"{QI}, k := 5, hierarchies := '{BUILT}', result := 'summary')",
    "least nodes": f"from tanon.minimal_generalizations('zoned', respondent := 'person', {QI}, k "
    f":= 5, "
    f"hierarchies := '{BUILT}')",
    "k": f"from tanon.k_anonymity('zoned', respondent := 'person', {QI})",
    "groups below": f"from tanon.k_anonymity_violations('zoned', respondent := 'person', {QI}, k "
    f":= 60)",
    "sizes": f"from tanon.group_sizes('zoned', respondent := 'person', {QI}, ts := 'day', "
    "granularities := ['day'])",
    "frequencies": f"from tanon.frequency_set('zoned', respondent := 'person', {QI})",
    "warnings": f"from tanon.publish_events('zoned', respondent := 'person', {QI}, k := 5, "
    "keep := ['noted'], result := 'warnings')",
    "diversity": "from tanon.diversity_metrics('zoned', respondent := 'person', "
    "groups := ['opened', 'booked'], sensitive := 'outcome')",
    "queries": f"from tanon.evaluate_events('(from {RELEASE.replace(chr(39), chr(39) * 2)}))'"
    f", 'zoned', {QI}, keep := ['noted'])",
    "check": f"from tanon.check_release('(from {RELEASE.replace(chr(39), chr(39) * 2)}))', "
    f"{QI}, keep := ['noted'], k := 5)",
    "groups of Anatomy": "from tanon.diverse_groups('zoned', sensitive := 'outcome', l := 2, "
    "respondent := 'person', partition := ['booked'])",
    "individuals": f"from {PAIR}, result := 'individuals')",
    "values": f"from {PAIR}, result := 'values')",
    "queries of Anatomy": "from tanon.evaluate_table_pair("
    f"'(from {PAIR.replace(chr(39), chr(39) * 2)}, result := ''individuals''))', "
    f"'(from {PAIR.replace(chr(39), chr(39) * 2)}, result := ''values''))', "
    "'zoned', qi := ['opened', 'noted'], sensitive := 'outcome')",
    "eligibility": "from tanon.l_eligibility('zoned', ts := 'day', sensitive := 'outcome', l := 2, "
    "respondent := 'person')",
    "stream": f"from tanon.publish_stream({STREAM}, respondent := 'person', keep := ['noted'])",
    "stream of the owner": f"from tanon.publish_stream({STREAM}, respondent := 'person', "
    f"for_owner := "
    f"true)",
    "plan of the stream": f"from tanon.publish_stream({STREAM}, respondent := 'person', result "
    f":= 'plan')",
    "days": "from tanon.date_hierarchy('zoned', attribute := 'opened', granularities := ['day'], "
    "tz := 'Europe/Zurich')",
    "bins": "from tanon.quantile_hierarchy('zoned', attribute := 'booked', bins := [2])",
    "list": "from tanon.list_hierarchy('zoned', attribute := 'opened')",
    "list of groups": "from tanon.list_hierarchy('zoned', attribute := 'noted', groups := "
    "{'2024-06-01 18:00:00+00': 'night', '2024-06-02 06:00:00+00': 'morning'})",
    "parents": "from tanon.parent_hierarchy('zoned', attribute := 'opened', parents := "
    "'(select distinct opened as child, booked as day from zoned where booked = "
    "(select min(booked) from zoned))', child := 'child', levels := ['day'])",
    "items": "from tanon.frequent_itemsets('zoned', transaction := 'person', item := 'outcome', "
    "min_support := 3)",
    "sanitized": "from tanon.publish_itemsets('zoned', transaction := 'person', item := 'outcome', "
    "min_support := 20, k := 5)",
    "nested": f"from {RELEASE}, hierarchies := '(from tanon.list_hierarchy(''zoned'', "
    "attribute := ''both_times''))')".replace("['opened', 'booked']", "['both_times']"),
}


@pytest.fixture(scope="module")
def zoned():
    with tanon_duck.connect() as con:
        con.execute("set timezone = 'UTC'")
        con.execute(TABLE)
        yield con


def made(con, table, zone, call):
    con.execute(f"set timezone = {literal(zone)}")
    con.execute(f"create or replace temp table {table} as {call}")


@pytest.mark.sweep
@pytest.mark.parametrize("name", CALLS)
def test_no_time_zone_changes_a_row(zoned, name):
    made(zoned, "wanted", "UTC", CALLS[name])
    assert zoned.execute("select count(*) > 0 from wanted").fetchall() == [(True,)]
    for zone in ZONES:
        made(zoned, "found", zone, CALLS[name])
        for one, other in (("wanted", "found"), ("found", "wanted")):
            more = zoned.execute(f"select count(*) from (from {one} except all from {other})")
            assert more.fetchall() == [(0,)], zone
