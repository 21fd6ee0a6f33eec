"""Attacks on tanon.publish_events with limits: what is not there tells why it is not.

Whoever knows sex and district of everybody knows which groups have k persons or more. Where one of
them is missing in the release, its values are outside the limits: they guess one value of everybody
who is missing, and are right more often than the limits promise of any group.
"""

import random
import re
from collections import Counter
from itertools import product

from attacks.judging import assert_breaks, assert_holds

import tanon_duck

K = 5
PROMISE = 1 / 2  # of frequency_l: 2


def create_patients(con, draw, outbreaks):
    """In a quarter of the districts most have one disease: everywhere the same, or one of two."""
    rows = []
    for who in range(700):
        district, sex = draw.randrange(40), draw.choice("fm")
        weights = [1, 1, 1, 1]
        if district % 4 == 0:
            weights[district // 4 % outbreaks] = 8
        ill = draw.choices(["flu", "cold", "asthma", "gout"], weights)[0]
        rows.append((who, district, sex, ill))
    con.execute("create or replace table patients (who int, district int, sex text, ill text)")
    con.executemany("insert into patients values (?, ?, ?, ?)", rows)
    return rows


def release_sql(leave_out):
    return tanon_duck.sql(
        "publish_events",
        source="patients",
        respondent="who",
        qi=["district", "sex"],
        k=K,
        hierarchies="(select 'district' as attribute, level, district::varchar as value, "
        "(district // (4 ** level)::int)::varchar as generalized "
        "from range(40) as d(district), range(1, 4) as l(level))",
        max_suppression=leave_out,
        sensitive="ill",
        limits={"frequency_l": 2},
        keep=["ill"],
        allow_identifying=["ill"],
        choose_by="least",
    )


def without_what_hides(sql):
    """The same release, made by a search that does not ask what is missing."""
    lying = re.sub(r"list_contains\(tanon_tells, 5\)", "false", sql)
    guard = re.escape("limits must hold for what they leave out of the release as well")
    lying = re.sub(rf"(?s)('{guard}.*?)where not \(", r"\1where false and (", lying)
    assert lying.count("false") >= sql.count("false") + 2
    return lying


def hits_by_absence(published, rows):
    """Right guesses of one value for all who are missed, by the value they have most often."""
    shown = {row[:2] for row in published}
    for width in (1, 4, 16, 64):
        groups = {}
        for _, district, sex, ill in rows:
            groups.setdefault((str(district // width), sex), []).append(ill)
        if shown <= groups.keys():
            break
    missed = [
        ill for key, ills in groups.items() if key not in shown and len(ills) >= K for ill in ills
    ]
    return Counter(missed).most_common(1)[0][1] if missed else 0, len(missed)


def attacked(con, outbreaks_tried, change=lambda sql: sql):
    hits = tries = 0
    for seed, outbreaks in product(range(3), outbreaks_tried):
        rows = create_patients(con, random.Random(seed), outbreaks)
        found = hits_by_absence(con.execute(change(release_sql(0.6))).fetchall(), rows)
        hits, tries = hits + found[0], tries + found[1]
    return hits, tries


def test_who_is_missed_has_no_value_more_likely_than_promised(con):
    assert_holds(*attacked(con, (1, 2)), PROMISE)


def test_control_where_nobody_asks_what_is_missing_it_tells(con):
    assert_breaks(*attacked(con, (1,), without_what_hides), PROMISE)
