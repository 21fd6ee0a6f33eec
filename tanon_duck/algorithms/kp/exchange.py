"""Moves and swaps of whole units between k-groups that only ever lower the total value loss.

A unit is a row or a P-subgroup: words, and hence pattern loss and the P-requirement, never change.
"""

from dataclasses import dataclass

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import best_of, dense, expand, members
from tanon_duck.algorithms.sax import Floats, Integers

NEIGHBOURS = 32
PAIRS_AT_ONCE = 1 << 16
UNITS_AT_ONCE = 1 << 12
WORTHWHILE = 2e-4


@dataclass(frozen=True)
class Effort:
    """How many rounds, and with how many near groups each unit tries a swap."""

    rounds: int
    partners: int


@dataclass(frozen=True)
class _State:
    """Units and groups as boxes (lows negated, then highs) with what each group would be without.

    `order` lists the units by group; `without` is a unit's group when the unit has left.
    """

    box: Floats
    size: Integers
    kind: Integers | None
    group: Integers
    order: Integers
    starts: Integers
    count: Integers
    group_box: Floats
    group_size: Integers
    loss: Floats
    without: Floats


def exchange(
    low: Floats, high: Floats, size: Integers, group: Integers, k: int, effort: Effort
) -> Integers:
    """Return better groups of at least k rows; every accepted step lowers the total value loss."""
    return _rounds(np.hstack((-low, high)), size, None, group, k, effort)


def exchange_rows(series: Floats, kind: Integers, group: Integers, effort: Effort) -> Integers:
    """Return better groups by swaps of rows of one kind: no group changes in size or kinds."""
    ones = np.ones(group.size, dtype=np.int64)
    return _rounds(np.hstack((-series, series)), ones, kind, group, 1, effort)


def _rounds(
    box: Floats, size: Integers, kind: Integers | None, group: Integers, k: int, effort: Effort
) -> Integers:
    """Take the best steps round after round, until two in a row were not worth it."""
    if not group.size:
        return group
    state = _describe(box, size, kind, group)
    idle = 0
    for turn in range(effort.rounds):
        check()
        before = float(state.loss.sum())
        state = _describe(box, size, kind, _one_round(state, k, effort.partners, turn))
        # A round looks at other neighbourhoods than the one before: one idle round means little.
        idle = idle + 1 if before - float(state.loss.sum()) <= WORTHWHILE * before else 0
        if idle == 2:
            break
    return state.group


def _losses(box: Floats, rows: Integers) -> Floats:
    """Return the value loss of that many rows in each of these envelopes."""
    points = box.shape[1] // 2
    ranges = box[:, :points] + box[:, points:]
    squares = np.einsum("bp,bp->b", ranges, ranges)
    loss: Floats = rows * np.sqrt(squares / points)
    return loss


def _describe(box: Floats, size: Integers, kind: Integers | None, group: Integers) -> _State:
    """Renumber the groups and work out every envelope with and without each unit."""
    group, count = dense(group)
    order, starts = members(group, count)
    widest = np.maximum.reduceat(box[order], starts, axis=0)
    holds = box == widest[group]
    holders = np.add.reduceat(holds[order], starts, axis=0, dtype=np.int64)
    runner_up = np.maximum.reduceat(np.where(holds, -np.inf, box)[order], starts, axis=0)
    alone = holds & (holders == 1)[group]
    without = np.where(alone, runner_up[group], widest[group])
    group_size = np.bincount(group, weights=size, minlength=count).astype(np.int64)
    loss = _losses(widest, group_size)
    units = np.bincount(group, minlength=count)
    return _State(box, size, kind, group, order, starts, units, widest, group_size, loss, without)


def _loss_without(state: _State, units: Integers) -> Floats:
    """Return the value loss of each unit's group after the unit has left (0 if it was alone)."""
    left = state.group_size[state.group[units]] - state.size[units]
    box = np.where((left == 0)[:, None], 0.0, state.without[units])
    return _losses(box, left)


def _pairs(state: _State, turn: int) -> list[tuple[Integers, Integers]]:
    """Pair units with the other groups of their neighbourhood, in lists of bearable length."""
    points = state.box.shape[1] // 2
    boxes = np.vstack((state.box, state.group_box))
    centres = (boxes[:, points:] - boxes[:, :points]) / 2
    # Other weights each round draw the borders between neighbourhoods elsewhere.
    weights = 1.0 + 0.5 * np.cos(1.0 + np.arange(points) * (turn + 1.0) + turn)
    cells = balanced_split(centres * weights, NEIGHBOURS, np.zeros(boxes.shape[0], dtype=np.int64))
    unit_cell, group_cell = cells[: state.size.size], cells[state.size.size :]
    cell_count = int(cells.max()) + 1
    by_cell = np.argsort(group_cell, kind="stable")
    per_cell = np.bincount(group_cell, minlength=cell_count)
    starts = np.cumsum(per_cell) - per_cell
    counts = per_cell[unit_cell]
    cuts = np.searchsorted(np.cumsum(counts), np.arange(PAIRS_AT_ONCE, counts.sum(), PAIRS_AT_ONCE))
    lists = []
    for units in np.split(np.arange(counts.size), cuts):
        check()
        owner, place = expand(counts[units], starts[unit_cell[units]])
        unit, target = units[owner], by_cell[place]
        other = state.group[unit] != target
        lists.append((unit[other], target[other]))
    return lists


def _one_round(state: _State, k: int, partners: int, turn: int) -> Integers:
    """Find the best step of every unit and take those that do not meet in a group."""
    found = [_best_steps(state, k, partners, *pair) for pair in _pairs(state, turn)]
    check()
    gain = np.concatenate([step[0] for step in found])
    unit, target, partner = (np.concatenate([step[i] for step in found]) for i in (1, 2, 3))
    order = np.lexsort((unit, gain))
    unit, target, partner = unit[order], target[order], partner[order]
    home = state.group[unit]
    rank = np.arange(unit.size)
    first = np.full(state.group_size.size, unit.size)
    np.minimum.at(first, home, rank)
    np.minimum.at(first, target, rank)
    taken = (first[home] == rank) & (first[target] == rank)
    group = state.group.copy()
    group[unit[taken]] = target[taken]
    swapped = taken & (partner >= 0)
    group[partner[swapped]] = home[swapped]
    return group


def _best_steps(
    state: _State, k: int, partners: int, unit: Integers, target: Integers
) -> tuple[Floats, Integers, Integers, Integers]:
    """Return gain (negative), unit, target and partner (-1: a move) of each unit's best step."""
    entering = _losses(
        np.maximum(state.group_box[target], state.box[unit]),
        state.group_size[target] + state.size[unit],
    )
    entering -= state.loss[target]
    home = state.group[unit]
    leaving = _loss_without(state, unit) - state.loss[home]
    left = state.group_size[home] - state.size[unit]
    may_leave = (left >= k) | (left == 0) if state.kind is None else np.zeros(unit.size, dtype=bool)
    move = np.where(may_leave, entering + leaving, np.inf)
    found = [(move, unit, target, np.full(unit.size, -1, dtype=np.int64))]
    for _ in range(partners):
        nearest = best_of(unit, entering)
        nearest = nearest[np.isfinite(entering[nearest])]
        for start in range(0, nearest.size, UNITS_AT_ONCE):
            check()
            some = nearest[start : start + UNITS_AT_ONCE]
            found.append(_swaps(state, k, unit[some], target[some]))
        entering[nearest] = np.inf
    check()
    all_gain = np.concatenate([step[0] for step in found])
    all_unit, all_target, all_partner = (
        np.concatenate([step[i] for step in found]) for i in (1, 2, 3)
    )
    useful = np.flatnonzero(all_gain < -1e-12 * state.loss[state.group[all_unit]])
    useful = useful[np.argsort(all_unit[useful], kind="stable")]
    best = useful[best_of(all_unit[useful], all_gain[useful])]
    return all_gain[best], all_unit[best], all_target[best], all_partner[best]


def _swaps(
    state: _State, k: int, unit: Integers, target: Integers
) -> tuple[Floats, Integers, Integers, Integers]:
    """Return the gain of exchanging each unit with every member of its target group."""
    owner, place = expand(state.count[target], state.starts[target])
    partner = state.order[place]
    unit, target = unit[owner], target[owner]
    home = state.group[unit]
    home_size = state.group_size[home] - state.size[unit] + state.size[partner]
    target_size = state.group_size[target] - state.size[partner] + state.size[unit]
    gain = _losses(np.maximum(state.without[unit], state.box[partner]), home_size)
    gain += _losses(np.maximum(state.without[partner], state.box[unit]), target_size)
    gain -= state.loss[home] + state.loss[target]
    gain[(home_size < k) | (target_size < k)] = np.inf
    if state.kind is not None:
        gain[state.kind[unit] != state.kind[partner]] = np.inf
    return gain, unit, target, partner
