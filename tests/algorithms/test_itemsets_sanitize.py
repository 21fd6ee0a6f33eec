"""Sanitized supports: no channel left, rows that explain them, the failures of the printed form."""

import tracemalloc

import numpy as np
import pytest

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck.algorithms.itemsets import rows_to_change
from tanon_duck.algorithms.itemsets.channels import Channels, channels_of_collection
from tanon_duck.algorithms.itemsets.collection import CollectionError, Itemsets
from tanon_duck.algorithms.itemsets.counting import count_supports
from tanon_duck.algorithms.itemsets.drawing import drawn_copies
from tanon_duck.algorithms.itemsets.merging import merge_channels
from tanon_duck.algorithms.itemsets.mining import frequent_itemsets
from tanon_duck.algorithms.itemsets.rows_to_change import distinct_rows
from tanon_duck.algorithms.itemsets.sanitize import (
    ChannelsLeftError,
    changed_rows,
    sanitize,
    sanitize_unchecked,
    violations,
)
from tanon_duck.algorithms.itemsets.summary import summarize, warning_of
from tanon_duck.algorithms.itemsets.transactions import Transactions

A, B, C, D, E = range(5)
EXAMPLE = [{A, B}, *[{A, B, C, D, E}] * 7, {A, E}, {C, D, E}, {C, D, E}, {D, E}]
FOUR_ITEMS = [{A, B}, {A, C}, {B, C, D}, {A, B, C, D}]
PRINTED = {(): 10, (A,): 7, (B,): 7, (C,): 7, (A, B): 4, (A, C): 4, (B, C, D): 2}


def transactions(rows, n_items=None):
    return Transactions.from_lists([sorted(row) for row in rows], n_items)


def as_dict(collection):
    return {frozenset(items): support for items, support in collection.lists()}


def row_lists(mined):
    rows = [set() for _ in range(mined.n_rows)]
    for row, item in zip(mined.rows.tolist(), mined.items.tolist(), strict=True):
        rows[row].add(item)
    return [frozenset(row) for row in rows]


def test_the_running_example():
    result = sanitize(transactions(EXAMPLE), 8, 3)
    published = as_dict(result.published)
    expected = {(): 21, (A,): 12, (E,): 17, (A, B): 8, (A, E): 8, (D, E): 13, (C, D, E): 9}
    assert {x: published[frozenset(x)] for x in expected} == expected
    assert sorted(map(sorted, row_lists(result.added))) == [[A], [D, E], [E]]
    printed = sanitize(transactions(EXAMPLE), 8, 3, method="paper").published
    assert as_dict(printed) == {frozenset(x): s for x, s in expected.items()}


def test_repeated_rows_serve_all_channels_they_lie_behind():
    result = sanitize(transactions(EXAMPLE), 8, 3, method="real_rows")
    added = zip(map(sorted, row_lists(result.added)), result.copies.tolist(), strict=True)
    assert [(row, copies) for row, copies in added if copies] == [
        ([A, B], 2),
        ([A, E], 2),
        ([D, E], 2),
    ]


def test_the_printed_form_publishes_supports_no_rows_can_have():
    result = sanitize_unchecked(transactions(FOUR_ITEMS), 2, 2, "paper")
    assert as_dict(result.published) == {frozenset(x): s for x, s in PRINTED.items()}
    read = oracle.read_back(as_dict(result.published))
    assert oracle.inclusion_exclusion(read, frozenset(), frozenset({B, C})) == -2
    with pytest.raises(ChannelsLeftError):
        sanitize(transactions(FOUR_ITEMS), 2, 2, method="paper")


def test_the_printed_form_leaves_a_channel():
    result = sanitize_unchecked(transactions([*FOUR_ITEMS, set()]), 2, 2, "paper")
    published = as_dict(result.published)
    assert published == {frozenset(x): s for x, s in PRINTED.items()} | {frozenset(): 13}
    read = oracle.read_back(published)
    assert read[frozenset({B, C})] == 2
    assert oracle.all_channels(read, 2)[frozenset(), frozenset({B, C})] == 1
    with pytest.raises(ChannelsLeftError) as caught:
        sanitize(transactions([*FOUR_ITEMS, set()]), 2, 2, method="paper")
    assert len(caught.value.channels) > 0


@pytest.mark.parametrize("empty_rows", [0, 1])
@pytest.mark.parametrize("min_count", [2, 3, 6])
def test_the_family_of_counterexamples_is_repaired(min_count, empty_rows):
    rows = [{A, B}, {A, C}, {B, C, D}, *[{A, B, C, D}] * (min_count - 1), *[set()] * empty_rows]
    printed = sanitize_unchecked(transactions(rows), min_count, 2, "paper")
    assert len(violations(printed.published, 2, closed=True))
    result = sanitize(transactions(rows), min_count, 2)
    assert oracle.all_channels(as_dict(result.published), 2) == {}


def test_merging_onto_an_infrequent_base_has_no_rows_that_keep_it_infrequent():
    rows = transactions([{A, B}, {A, B}, {A, C}, {A, C}, {B, C}])
    frequent = frequent_itemsets(rows, 2)
    channels = channels_of_collection(frequent, 2)
    free = row_lists(merge_channels(channels, 3))
    assert frozenset({B, C}) in free
    bound = row_lists(merge_channels(channels, 3, frequent))
    assert all(row in as_dict(frequent) for row in bound)
    assert sanitize_unchecked(rows, 2, 2, "paper").rows_added == 2 * len(free)


def test_a_channel_joins_the_base_that_need_not_grow_for_it():
    rows = transactions(random_rows(33)[0])
    frequent = frequent_itemsets(rows, 6)
    channels = channels_of_collection(frequent, 3)
    assert [base for base, _, _ in channels.lists()] == [(1, 3), (3, 4), (3, 4)]
    assert frozenset({1, 3, 4}) in as_dict(frequent)
    assert row_lists(merge_channels(channels, 6, frequent)) == [{1, 3}, {3, 4}]


def thresholds(rows, seed):
    k = 2 + seed % 3
    return max(k, len(rows) // (3 + seed % 4)), k


@pytest.mark.parametrize("seed", range(150))
def test_additive_keeps_the_itemsets_and_has_rows_that_explain_it(seed):
    rows, _ = random_rows(seed)
    min_count, k = thresholds(rows, seed)
    result = sanitize(transactions(rows), min_count, k)
    original, published = oracle.frequent(rows, min_count), as_dict(result.published)
    assert oracle.all_channels(published, k) == {}
    assert set(published) == set(original)
    assert all(published[x] >= original[x] for x in original)
    added = row_lists(result.added)
    witness = rows + [row for row in added for _ in range(k)]
    assert oracle.frequent(witness, min_count) == published
    assert sorted(map(sorted, row_lists(changed_rows(transactions(rows), result)))) == sorted(
        map(sorted, witness)
    )


@pytest.mark.parametrize("seed", range(150))
def test_numbers_drawn_close_channels_and_have_rows_that_explain_them(seed):
    rows, _ = random_rows(seed)
    min_count, k = thresholds(rows, seed)
    texts = [f"item {i}" for i in range(9)]
    key = bytes([seed]) * 32
    result = sanitize(
        transactions(rows), min_count, k, draw=lambda added: drawn_copies(added, k, key, texts)
    )
    original, published = oracle.frequent(rows, min_count), as_dict(result.published)
    assert oracle.all_channels(published, k) == {}
    assert set(published) == set(original)
    assert all(published[x] >= original[x] for x in original)
    copies = result.copies.tolist()
    assert all(k <= own <= 2 * k for own in copies)
    added = zip(row_lists(result.added), copies, strict=True)
    witness = rows + [row for row, own in added for _ in range(own)]
    assert oracle.frequent(witness, min_count) == published


def test_every_number_is_drawn_alike_often_and_equal_rows_for_themselves():
    k, texts = 4, [str(i) for i in range(500)]
    added = transactions([{i} for i in range(500)])
    drawn = drawn_copies(added, k, b"key", texts)
    assert drawn.tolist() == drawn_copies(added, k, b"key", texts).tolist()
    assert drawn.tolist() != drawn_copies(added, k, b"another", texts).tolist()
    counts = np.bincount(drawn, minlength=2 * k + 1)
    assert counts[:k].sum() == 0
    assert (abs(counts[k:] - 100) < 40).all()
    again = drawn_copies(transactions([{0}] * 50 + [set()]), k, b"key", texts)
    assert again[0] == drawn[0]
    assert len(set(again.tolist())) == k + 1
    split, whole = (transactions(rows, 2) for rows in ([{0, 1}], [{0}]))
    texts = [["a", "1:b"], ["a1:1:b"]]
    assert [_draws(rows, own) for rows, own in zip((split, whole), texts, strict=True)] == [
        _draws(split, texts[0]),
        _draws(whole, texts[1]),
    ]
    assert _draws(split, texts[0]) != _draws(whole, texts[1])


def _draws(rows, texts):
    return [int(drawn_copies(rows, 99, bytes([n]), texts)[0]) for n in range(9)]


def all_at_once(mined, min_count, k):
    everything = np.ones(mined.n_rows, dtype=bool)
    frequent = frequent_itemsets(mined, min_count)
    return rows_to_change._remove_together(mined, everything, frequent, min_count, k)


@pytest.mark.parametrize("seed", range(150))
def test_one_channel_at_a_time_never_loses_more_than_all_at_once(seed):
    rows, _ = random_rows(seed)
    min_count, k = thresholds(rows, seed)
    mined = transactions(rows)
    _, quick = all_at_once(mined, min_count, k)
    careful = sanitize(mined, min_count, k, method="suppressive")
    assert len(careful.published) >= len(quick)


@pytest.mark.parametrize("most_work", [1 << 25, 3000])
def test_one_channel_at_a_time_loses_fewer_itemsets(most_work, monkeypatch):
    monkeypatch.setattr(rows_to_change, "MAX_WORK", most_work)
    lost = {"quick": 0, "careful": 0}
    for seed in range(150):
        rows, _ = random_rows(seed)
        min_count, k = thresholds(rows, seed)
        mined = transactions(rows)
        frequent = frequent_itemsets(mined, min_count)
        _, quick = all_at_once(mined, min_count, k)
        _, careful = rows_to_change.remove_rows(mined, min_count, k, 99)
        lost["quick"] += len(frequent) - len(quick)
        lost["careful"] += len(frequent) - len(careful)
        # Something always stays where something was frequent.
        assert len(careful) > 1 or len(frequent) < 2
    assert 0 < lost["careful"] < 0.8 * lost["quick"]


def test_where_one_at_a_time_is_too_much_work_all_go_at_once(monkeypatch):
    monkeypatch.setattr(rows_to_change, "MAX_WORK", 0)
    result = sanitize(transactions(EXAMPLE), 8, 3, method="suppressive")
    assert oracle.all_channels(as_dict(result.published), 3) == {}


@pytest.mark.parametrize("seed", range(100))
def test_merging_wherever_items_agree_still_leaves_no_channel(seed):
    rows, _ = random_rows(seed)
    min_count, k = thresholds(rows, seed)
    mined = transactions(rows)
    frequent = frequent_itemsets(mined, min_count)
    added = merge_channels(channels_of_collection(frequent, k), mined.n_items)
    witness = rows + [row for row in row_lists(added) for _ in range(k)]
    published = {x: oracle.support(witness, x) for x in oracle.frequent(rows, min_count)}
    assert oracle.all_channels(published, k) == {}
    copies = np.full(added.n_rows, k)
    gains = count_supports(frequent, added, copies)
    assert published == {
        frozenset(items): support + gain
        for level, supports, gain_level in zip(
            frequent.levels, frequent.supports, gains, strict=True
        )
        for items, support, gain in zip(
            level.tolist(), supports.tolist(), gain_level.tolist(), strict=True
        )
    }


@pytest.mark.parametrize("seed", range(100))
def test_real_rows_repeats_rows_there_are(seed):
    rows, _ = random_rows(seed)
    min_count, k = thresholds(rows, seed)
    result = sanitize(transactions(rows), min_count, k, method="real_rows")
    published, added = as_dict(result.published), row_lists(result.added)
    assert oracle.all_channels(published, k) == {}
    assert set(added) <= set(rows)
    witness = rows + [
        row for row, copies in zip(added, result.copies, strict=True) for _ in range(copies)
    ]
    assert published == {x: oracle.support(witness, x) for x in oracle.frequent(rows, min_count)}


@pytest.mark.parametrize("seed", range(100))
def test_suppressive_publishes_what_is_frequent_in_the_rows_left(seed):
    rows, _ = random_rows(seed)
    min_count, k = thresholds(rows, seed)
    result = sanitize(transactions(rows), min_count, k, method="suppressive")
    published = as_dict(result.published)
    assert oracle.all_channels(published, k) == {}
    left = [row for row, kept in zip(rows, result.kept, strict=True) if kept]
    assert published == oracle.frequent(left, min_count)
    assert bool(result.rows_removed) == bool(
        oracle.all_channels(oracle.frequent(rows, min_count), k)
    )


@pytest.mark.parametrize("method", ["additive", "paper", "real_rows", "suppressive"])
def test_the_order_of_the_rows_changes_nothing(method):
    for seed in range(25):
        rows, n_items = random_rows(seed)
        shuffled = [rows[i] for i in np.random.default_rng(seed).permutation(len(rows))]
        first, second = (
            sanitize_unchecked(transactions(order, n_items), 4, 3, method)
            for order in (rows, shuffled)
        )
        assert list(first.published.lists()) == list(second.published.lists())
        assert first.rows_added == second.rows_added
        assert first.rows_removed == second.rows_removed


def test_repeating_rows_costs_fewer_rows_than_adding_virtual_ones():
    added = {"additive": 0, "real_rows": 0}
    for seed in range(150):
        rows, _ = random_rows(seed)
        for method in added:
            added[method] += sanitize(transactions(rows), 6, 3, method=method).rows_added
    assert 0 < added["real_rows"] < added["additive"]


@pytest.mark.parametrize("seed", range(60))
def test_the_summary_counts_what_changed(seed):
    rows, _ = random_rows(seed)
    min_count, k = thresholds(rows, seed)
    original = oracle.frequent(rows, min_count)
    for method in ("additive", "paper", "real_rows", "suppressive"):
        mined = transactions(rows)
        result = sanitize_unchecked(mined, min_count, k, method)
        explained = oracle.frequent(row_lists(changed_rows(mined, result)), min_count)
        published = as_dict(result.published)
        changes = [abs(s - original[x]) / original[x] for x, s in published.items()]
        summary = summarize(mined, result, min_count)
        assert summary.itemsets == len(published)
        told = [summary.share_touched, summary.mean_change, summary.worst_change]
        if changes:
            touched = np.mean([change > 0 for change in changes])
            assert told == pytest.approx([touched, np.mean(changes), max(changes)])
        else:
            assert told == [None, None, None]
        assert summary.itemsets_lost == len(set(original) - set(explained))
        assert summary.itemsets_spurious == len(set(explained) - set(original))
        changed = summary.rows_added + summary.rows_removed
        assert (warning_of(len(rows), result) is None) == (changed <= len(rows) / 10)


@pytest.mark.parametrize(
    ("min_count", "k", "method", "message"),
    [
        (5, 1, "additive", "k must be at least 2, got 1"),
        (4, 5, "additive", "min_support must be at least k = 5 transactions"),
        (5, 5, "subtractive", "method must be one of"),
    ],
)
def test_thresholds_that_protect_nobody(min_count, k, method, message):
    with pytest.raises(CollectionError, match=message):
        sanitize(transactions(EXAMPLE), min_count, k, method)


def test_series_patterns_whose_rows_all_occur_p_times_leak_nothing_below_p():
    rng = np.random.default_rng(3)
    words = rng.integers(0, 3, size=(400, 5))
    rows = [frozenset((5 * np.arange(5) + word).tolist()) for word in words]
    counts = {row: rows.count(row) for row in set(rows)}
    raw = channels_of_collection(frequent_itemsets(transactions(rows), 5), 5)
    safe = [row for row in rows if counts[row] >= 5]
    published = channels_of_collection(frequent_itemsets(transactions(safe), 5), 5)
    assert len(raw)
    assert len(safe) > 20
    assert not len(published)


def test_merging_needs_no_memory_for_items_without_channels():
    singles = Itemsets.from_lists(9000, [[i] for i in range(9000)], [5] * 9000)
    channels = Channels(
        np.array([[7, -1], [-1, -1]], np.int32),
        np.array([[7, 8999], [8999, -1]], np.int32),
        np.array([1, 1]),
    )
    tracemalloc.start()
    try:
        merged = merge_channels(channels, 9000, singles)
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()
    assert (merged.rows.tolist(), merged.items.tolist()) == ([0], [7])


def test_one_long_row_does_not_make_the_others_long():
    rows = transactions([range(5000), *([i % 40, 40 + i % 25] for i in range(2000)), set()])
    tracemalloc.start()
    try:
        contents, class_of = distinct_rows(rows)
        assert tracemalloc.get_traced_memory()[1] < 4e6
    finally:
        tracemalloc.stop()
    listed = [tuple(sorted(row)) for row in row_lists(rows)]
    assert [tuple(sorted(row)) for row in row_lists(contents)] == sorted(set(listed))
    assert [sorted(set(listed))[i] for i in class_of] == listed
