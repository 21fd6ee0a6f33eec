"""Who reads in a label a number of the table knows that its owner is there."""

import random
import re

TABLES = 20


def incomes(seed):
    draw = random.Random(seed)
    return {round(draw.lognormvariate(10.5, 0.6)) for _ in range(500)}


def bounds(labels):
    return {int(number) for label in labels for number in re.findall(r"-?\d+", label)}


def labels(con, values):
    con.execute("create or replace table t as select unnest($1) as x", [list(values)])
    rows = con.execute("from tanon.quantile_hierarchy('t', 'x', [8, 4, 2], star := false)")
    return {generalized for *_, generalized in rows.fetchall()}


def exact_labels(values):
    """The broken variant: each bin begins with its least value."""
    ordered = sorted(values)
    starts = [ordered[len(ordered) * n // 8] for n in range(1, 8)]
    return {f"<{starts[0]}", *(f"{start}+" for start in starts)}


def hits(told, values):
    """The share of what is guessed to be in the table that is in it."""
    return len(told & values) / len(told)


def test_no_label_tells_who_is_there(con):
    found, chance = [], []
    for seed in range(TABLES):
        values = incomes(seed)
        told = bounds(labels(con, values))
        assert len(told) == 7
        found.append(hits(told, values))
        chance.append(hits(told, incomes(seed + TABLES)))
    assert sum(found) <= sum(chance) + 0.05 * TABLES


def test_control_exact_bounds_tell_it():
    for seed in range(TABLES):
        values = incomes(seed)
        assert hits(bounds(exact_labels(values)), values) == 1
