"""Records of persons and values are dealt as an exhaustive search says that they can be."""

import random
from collections import Counter

import numpy as np
import pytest

from tanon_duck.algorithms.dealing import Draws, deal


def dealt(records, groups, key=b"key"):
    """The groups of (value, person) records, which are in the order of values."""
    counts = list(Counter(value for value, _ in records).values())
    several = {p for p, n in Counter(person for _, person in records).items() if n > 1}
    turns = [turn for turn, (_, person) in enumerate(records) if person in several]
    persons = [records[turn][1] for turn in turns]
    as_integers = (np.array(x, np.int64) for x in (counts, turns, persons))
    return deal(groups, *as_integers, Draws(key)).tolist()


def level(records):
    """The records of whichever value or person has most."""
    return max(max(Counter(column).values()) for column in zip(*records, strict=True))


def can_be_dealt(records, groups):
    """Whether any way to hand out the groups lets no value and no person meet."""

    def place(turn, held):
        if turn == len(records):
            return True
        value, person = records[turn]
        return any(
            place(turn + 1, held | {(g, "v", value), (g, "p", person)})
            for g in range(groups)
            if not {(g, "v", value), (g, "p", person)} & held
        )

    return place(0, frozenset())


def random_records(rng, rows, values, persons):
    return sorted((rng.randrange(values), rng.randrange(persons)) for _ in range(rows))


def assert_dealt(records, groups, found, most=1):
    sizes = Counter(found)
    assert set(sizes) == set(range(groups))
    assert max(sizes.values()) - min(sizes.values()) <= 1
    for end in (0, 1):
        met = Counter((group, record[end]) for group, record in zip(found, records, strict=True))
        assert max(met.values()) <= most


@pytest.mark.parametrize("l", [2, 3])
def test_what_can_be_dealt_is_what_the_theorem_says(l):  # noqa: E741
    rng, met = random.Random(l), Counter()
    for _ in range(400):
        records = random_records(rng, rng.randint(l, 9), rng.randint(l, 9), rng.randint(l, 9))
        groups = len(records) // l
        eligible = level(records) * l <= len(records)
        assert can_be_dealt(records, groups) == eligible
        met[eligible] += 1
        if eligible:
            assert_dealt(records, groups, dealt(records, groups))
    assert min(met.values()) > 60


@pytest.mark.parametrize("seed", range(40))
def test_many_records_of_few_persons(seed):
    rng = random.Random(seed)
    rows = rng.randint(20, 400)
    records = random_records(rng, rows, rng.randint(2, 30), rng.randint(2, rows))
    tight = rows // (rows // level(records))
    for groups in {level(records), max(level(records), rows // tight), rows}:
        assert_dealt(records, groups, dealt(records, groups))


@pytest.mark.parametrize("seed", range(20))
def test_more_records_of_one_than_there_are_groups(seed):
    rng = random.Random(seed)
    records = random_records(rng, 60, 4, 5)
    groups = rng.randint(1, level(records))
    most = -(-level(records) // groups)
    assert_dealt(records, groups, dealt(records, groups), most)


def test_a_person_who_is_in_every_group():
    """A person with two thirds of all records is in every group."""
    records = [(turn % 10, -1 if turn % 3 else turn) for turn in range(300)]
    records.sort()
    assert_dealt(records, 200, dealt(records, 200))


def test_the_key_alone_decides():
    records = random_records(random.Random(1), 300, 12, 150)
    groups = max(level(records), 60)
    assert dealt(records, groups) == dealt(records, groups)
    assert dealt(records, groups) != dealt(records, groups, b"another")


def test_each_way_to_deal_is_as_likely():
    """Two persons with two values each: of four ways two are allowed, each in half of the deals."""
    records = [(0, 0), (0, 1), (1, 0), (1, 1)]
    met = Counter(tuple(dealt(records, 2, str(n).encode())) for n in range(2000))
    assert set(met) == {(0, 1, 1, 0), (1, 0, 0, 1)}
    assert abs(met[0, 1, 1, 0] - 1000) < 120


def test_of_records_that_nobody_repeats_no_group_is_likelier():
    """Six persons, six values, two groups: all 20 ways to choose the first group are alike."""
    records = [(turn, turn) for turn in range(6)]
    met = Counter(tuple(dealt(records, 2, str(n).encode())) for n in range(4000))
    in_rounds = {t for t in met if all(t[i] != t[i + 1] for i in (0, 2, 4))}
    assert set(met) == in_rounds
    assert len(met) == 8
    assert all(abs(n - 500) < 110 for n in met.values())
