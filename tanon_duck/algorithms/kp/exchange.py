"""Moves units between k-groups, and swaps them, to lower the total value loss.

A unit is a row or a P-subgroup. Units are never divided, so words do not change. A step moves a
unit to a near group, or swaps two units of near groups. Each round computes the best step of every
unit. Then it takes the steps with the largest gain that share no group.

A box is a row of the lowest values with their signs changed, then the highest values. So the box
of two boxes together is their maximum. The value loss of a group is its number of series times the
root mean square of the ranges of its box.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import (
    expand_ranges,
    number_labels,
    rows_by_label,
    smallest_of_each,
)
from tanon_duck.algorithms.sax import Floats, Integers

# Units and groups of a neighbourhood. A unit may go to a group of its neighbourhood only.
NEIGHBOURHOOD = 32
# Pairs, and units with all their partners, that are computed at once. They limit the memory.
PAIRS_AT_ONCE = 1 << 16
UNITS_AT_ONCE = 1 << 12
# Two rounds in a row that lower the loss by less than this share are the last.
SMALLEST_GAIN_OF_ROUND = 2e-4
# A change of the loss by less than this share is a rounding error.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Effort:
    """The number of rounds, and the number of near groups with which each unit tries swaps."""

    rounds: int
    partners: int


@dataclass(frozen=True)
class _State:
    """All units and groups."""

    # Of each unit:
    box: Floats
    size: Integers  # its number of series
    kind: Integers | None  # only units of the same kind may be swapped; None: any units
    group: Integers
    box_without: Floats  # the box of its group without the unit
    # Of each group:
    group_box: Floats
    group_size: Integers  # its number of series
    loss: Floats
    n_units: Integers
    starts: Integers  # where its units start in ``by_group``
    # All units, sorted by group:
    by_group: Integers


class _Steps(NamedTuple):
    """Possible steps: ``unit`` goes to group ``target``, and unit ``partner`` comes back.

    ``change`` is the change of the total loss. The partner -1 means a move instead of a swap.
    """

    change: Floats
    unit: Integers
    target: Integers
    partner: Integers


def exchange(
    low: Floats, high: Floats, size: Integers, group: Integers, k: int, effort: Effort
) -> Integers:
    """Return groups of at least k series with a lower value loss, made by moves and swaps.

    ``low``, ``high`` and ``size`` are the envelope and the number of series of each unit.
    """
    return _improve(np.hstack((-low, high)), size, None, group, k, effort)


def exchange_rows(series: Floats, kind: Integers, group: Integers, effort: Effort) -> Integers:
    """Return groups with a lower value loss, made by swaps of rows of the same kind.

    So a group does not change its size, nor its number of rows of any kind.
    """
    ones = np.ones(group.size, dtype=np.int64)
    return _improve(np.hstack((-series, series)), ones, kind, group, 1, effort)


def _improve(
    box: Floats, size: Integers, kind: Integers | None, group: Integers, k: int, effort: Effort
) -> Integers:
    """Return the groups after up to ``effort.rounds`` rounds."""
    if not group.size:
        return group
    state = _describe(box, size, kind, group)
    idle_rounds = 0
    for number in range(effort.rounds):
        check()
        before = float(state.loss.sum())
        state = _describe(box, size, kind, _one_round(state, k, effort.partners, number))
        # Each round has other neighbourhoods, so that the next one may gain after an idle round.
        is_idle = before - float(state.loss.sum()) <= SMALLEST_GAIN_OF_ROUND * before
        idle_rounds = idle_rounds + 1 if is_idle else 0
        if idle_rounds == 2:
            break
    return state.group


def _losses(box: Floats, n_series: Integers) -> Floats:
    """Return the value loss of groups with these boxes and numbers of series."""
    points = box.shape[1] // 2
    ranges = box[:, :points] + box[:, points:]
    squares = np.einsum("bp,bp->b", ranges, ranges)
    loss: Floats = n_series * np.sqrt(squares / points)
    return loss


def _describe(box: Floats, size: Integers, kind: Integers | None, group: Integers) -> _State:
    """Renumber the groups, and compute the box of each group with and without each unit.

    Without a unit, a side of the box is the second largest value, if only this unit has the
    largest.
    """
    group, count = number_labels(group)
    order, starts = rows_by_label(group, count)
    largest = np.maximum.reduceat(box[order], starts, axis=0)
    has_largest = box == largest[group]
    n_with_largest = np.add.reduceat(has_largest[order], starts, axis=0, dtype=np.int64)
    second = np.maximum.reduceat(np.where(has_largest, -np.inf, box)[order], starts, axis=0)
    is_only_one = has_largest & (n_with_largest == 1)[group]
    group_size = np.bincount(group, weights=size, minlength=count).astype(np.int64)
    return _State(
        box=box,
        size=size,
        kind=kind,
        group=group,
        box_without=np.where(is_only_one, second[group], largest[group]),
        group_box=largest,
        group_size=group_size,
        loss=_losses(largest, group_size),
        n_units=np.bincount(group, minlength=count),
        starts=starts,
        by_group=order,
    )


def _loss_without(state: _State, units: Integers) -> Floats:
    """Return the value loss of the group of each unit without the unit, 0 for an empty group."""
    size_without = state.group_size[state.group[units]] - state.size[units]
    box = np.where((size_without == 0)[:, None], 0.0, state.box_without[units])
    return _losses(box, size_without)


def _near_pairs(state: _State, round_number: int) -> list[tuple[Integers, Integers]]:
    """Return pairs of a unit and another group of its neighbourhood, in lists of limited length."""
    points = state.box.shape[1] // 2
    boxes = np.vstack((state.box, state.group_box))
    centres = (boxes[:, points:] - boxes[:, :points]) / 2
    # Each round weighs coordinates differently, so that neighbourhoods have other borders.
    phase = 1.0 + np.arange(points) * (round_number + 1.0) + round_number
    weights = 1.0 + 0.5 * np.cos(phase)
    one_root = np.zeros(boxes.shape[0], dtype=np.int64)
    cells = balanced_split(centres * weights, NEIGHBOURHOOD, one_root)
    unit_cell, group_cell = cells[: state.size.size], cells[state.size.size :]
    cell_count = int(cells.max()) + 1
    groups_by_cell = np.argsort(group_cell, kind="stable")
    groups_in_cell = np.bincount(group_cell, minlength=cell_count)
    starts = np.cumsum(groups_in_cell) - groups_in_cell
    counts = groups_in_cell[unit_cell]
    cuts = np.searchsorted(np.cumsum(counts), np.arange(PAIRS_AT_ONCE, counts.sum(), PAIRS_AT_ONCE))
    lists = []
    for units in np.split(np.arange(counts.size), cuts):
        check()
        index, position = expand_ranges(counts[units], starts[unit_cell[units]])
        unit, target = units[index], groups_by_cell[position]
        is_other = state.group[unit] != target
        lists.append((unit[is_other], target[is_other]))
    return lists


def _one_round(state: _State, k: int, partners: int, round_number: int) -> Integers:
    """Return the groups after the best steps that share no group."""
    pairs = _near_pairs(state, round_number)
    best = [_best_steps(state, k, partners, unit, target) for unit, target in pairs]
    check()
    steps = _Steps(*(np.concatenate(column) for column in zip(*best, strict=True)))
    order = np.lexsort((steps.unit, steps.change))
    unit, target, partner = steps.unit[order], steps.target[order], steps.partner[order]
    source = state.group[unit]
    rank = np.arange(unit.size)
    first_step_of_group = np.full(state.group_size.size, unit.size)
    np.minimum.at(first_step_of_group, source, rank)
    np.minimum.at(first_step_of_group, target, rank)
    is_taken = (first_step_of_group[source] == rank) & (first_step_of_group[target] == rank)
    group = state.group.copy()
    group[unit[is_taken]] = target[is_taken]
    is_swap = is_taken & (partner >= 0)
    group[partner[is_swap]] = source[is_swap]
    return group


def _best_steps(state: _State, k: int, partners: int, unit: Integers, target: Integers) -> _Steps:
    """Return the best step of each unit that lowers the loss, from pairs of unit and target.

    Swaps are tried with the ``partners`` targets whose loss the unit would increase least.
    """
    change_of_target = _losses(
        np.maximum(state.group_box[target], state.box[unit]),
        state.group_size[target] + state.size[unit],
    )
    change_of_target -= state.loss[target]
    candidates = [_moves(state, k, unit, target, change_of_target)]
    for _ in range(partners):
        nearest = smallest_of_each(unit, change_of_target)
        nearest = nearest[np.isfinite(change_of_target[nearest])]
        for start in range(0, nearest.size, UNITS_AT_ONCE):
            check()
            some = nearest[start : start + UNITS_AT_ONCE]
            candidates.append(_swaps(state, k, unit[some], target[some]))
        change_of_target[nearest] = np.inf
    check()
    steps = _Steps(*(np.concatenate(column) for column in zip(*candidates, strict=True)))
    useful = np.flatnonzero(steps.change < -ROUNDING * state.loss[state.group[steps.unit]])
    useful = useful[np.argsort(steps.unit[useful], kind="stable")]
    best = useful[smallest_of_each(steps.unit[useful], steps.change[useful])]
    return _Steps(steps.change[best], steps.unit[best], steps.target[best], steps.partner[best])


def _moves(
    state: _State, k: int, unit: Integers, target: Integers, change_of_target: Floats
) -> _Steps:
    """Return the moves of each unit to its target; a move that is not allowed costs infinity.

    The unit's group must keep at least k series, or none. Units with kinds may not move.
    """
    source = state.group[unit]
    change_of_source = _loss_without(state, unit) - state.loss[source]
    size_without = state.group_size[source] - state.size[unit]
    if state.kind is None:
        is_allowed = (size_without >= k) | (size_without == 0)
    else:
        is_allowed = np.zeros(unit.size, dtype=bool)
    change = np.where(is_allowed, change_of_target + change_of_source, np.inf)
    return _Steps(change, unit, target, np.full(unit.size, -1, dtype=np.int64))


def _swaps(state: _State, k: int, unit: Integers, target: Integers) -> _Steps:
    """Return the swaps of each unit with every unit of its target group.

    A swap that leaves a group with fewer than k series, or of different kinds, costs infinity.
    """
    index, position = expand_ranges(state.n_units[target], state.starts[target])
    partner = state.by_group[position]
    unit, target = unit[index], target[index]
    source = state.group[unit]
    source_size = state.group_size[source] - state.size[unit] + state.size[partner]
    target_size = state.group_size[target] - state.size[partner] + state.size[unit]
    change = _losses(np.maximum(state.box_without[unit], state.box[partner]), source_size)
    change += _losses(np.maximum(state.box_without[partner], state.box[unit]), target_size)
    change -= state.loss[source] + state.loss[target]
    change[(source_size < k) | (target_size < k)] = np.inf
    if state.kind is not None:
        change[state.kind[unit] != state.kind[partner]] = np.inf
    return _Steps(change, unit, target, partner)
