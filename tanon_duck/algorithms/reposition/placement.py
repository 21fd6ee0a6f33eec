"""Places all pending records of a window in its slots, at the lowest loss.

``place`` solves an integer programme (``programme``). To keep it small, most values are pooled: all
records with the same beta are then one commodity. Values that may limit a slot are not pooled. The
steps are:

1. ``_likely_limiting`` guesses which values may reach the level of a slot.
2. ``_pool_values`` makes the commodities, and ``_solve_pooled`` solves the programme.
3. ``_share_out`` divides the moves of a pool among its values.
4. If a pooled value then exceeds one l-th of a slot, repeat from 2 without pooling this value.
5. ``in_order_of_origins`` exchanges records of a value so that none overtakes another.

``pending`` has the number of records by value and origin.
"""

from collections import defaultdict
from dataclasses import dataclass

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.programme import Moves, Solver, Supply, build
from tanon_duck.algorithms.reposition.window import Flow, Settings, loss

# With more records, the solver's floating point numbers cannot distinguish single records.
MOST_RECORDS = 100_000_000
# The relative precision of the solver's floating point numbers.
SOLVER_PRECISION = 1e-9


@dataclass(frozen=True)
class Placement:
    """The flow of each pending record, and how far the loss may be above the lowest possible."""

    flows: list[Flow]
    gap: int


def place(settings: Settings, pending: Supply, low: int, high: int, solver: Solver) -> Placement:
    """Return the placement of pending records in slots ``low`` to ``high`` with the lowest loss."""
    refuse_too_many(pending)
    limiting = _likely_limiting(settings, pending)
    while True:
        check()
        moves, bound = _solve_pooled(settings, pending, limiting, low, high, solver)
        too_frequent = _values_above_limit(settings, moves) - limiting
        if not too_frequent:
            break
        limiting |= too_frequent
    flows = in_order_of_origins(moves, pending)
    total = loss(settings, flows)
    loss_of_suppressing_all = sum(settings.betas[value] * n for (value, _), n in pending.items())
    gap = total - loss_of_suppressing_all + bound
    return Placement(flows, without_rounding(gap, total))


def without_rounding(gap: float, total: float) -> int:
    """Return the gap of a loss ``total``, 0 if the solver's rounding errors explain it."""
    return round(gap) if gap > max(2.0, SOLVER_PRECISION * total) else 0


def refuse_too_many(pending: Supply) -> None:
    """Raise ValueError if there are more records than the solver can count exactly."""
    if (records := sum(pending.values())) > MOST_RECORDS:
        raise ValueError(
            f"method 'window' and start 'ilp' must place at most {MOST_RECORDS} records at once, "
            f"got {records}: method 'step' has no such limit"
        )


def _likely_limiting(settings: Settings, pending: Supply) -> set[int]:
    """Return values that may have one l-th of a slot; a wrong guess only costs time.

    These have more than half of the eligible level of their snapshot.
    """
    counts_of_origin: dict[int, dict[int, int]] = defaultdict(dict)
    for (value, origin), records in pending.items():
        counts_of_origin[origin][value] = records
    limiting = set()
    for counts in counts_of_origin.values():
        level = eligible_level(counts.values(), settings.l)
        limiting |= {value for value, records in counts.items() if 2 * records > level}
    return limiting


@dataclass
class Pools:
    """The commodities: the limiting values first, then one pool for each beta of other values.

    ``betas`` has the beta of each commodity. ``supply`` has its number of records, and ``members``
    the records and values that it consists of, by commodity and origin.
    """

    betas: list[int]
    supply: dict[tuple[int, int], int]
    members: dict[tuple[int, int], list[tuple[int, int]]]


def _pool_values(settings: Settings, pending: Supply, limiting: set[int]) -> Pools:
    """Return the commodities of the pending records."""
    values = sorted(limiting)
    commodity_of_value = {value: i for i, value in enumerate(values)}
    pools = Pools([settings.betas[v] for v in values], defaultdict(int), defaultdict(list))
    commodity_of_beta: dict[int, int] = {}
    for (value, origin), records in sorted(pending.items()):
        beta = settings.betas[value]
        if value in commodity_of_value:
            commodity = commodity_of_value[value]
        else:
            commodity = commodity_of_beta.setdefault(beta, len(pools.betas))
            if commodity == len(pools.betas):
                pools.betas.append(beta)
        pools.supply[commodity, origin] += records
        pools.members[commodity, origin].append((records, value))
    return pools


def _solve_pooled(
    settings: Settings, pending: Supply, limiting: set[int], low: int, high: int, solver: Solver
) -> tuple[Moves, float]:
    """Return the number of records by value, origin and slot, and an upper bound of the gain."""
    pools = _pool_values(settings, pending, limiting)
    programme = build(settings, pools.supply, pools.betas, len(limiting), low, high)
    moved, bound = solver.solve(programme)
    keys = sorted(pools.supply)
    slots_of_cell: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    columns = zip(programme.cell.tolist(), programme.slot.tolist(), moved.tolist(), strict=True)
    for cell, slot, records in columns:
        if records:
            slots_of_cell[keys[cell]].append((slot + low, records))
    moves: Moves = defaultdict(int)
    for (commodity, origin), slots in slots_of_cell.items():
        _share_out(origin, slots, pools.members[commodity, origin], moves)
    return moves, bound


def _share_out(
    origin: int, slots: list[tuple[int, int]], members: list[tuple[int, int]], moves: Moves
) -> None:
    """Divide the records (slot, records) of a pool among its values (records, value).

    Values with few records get the nearest slots. Add the records to ``moves`` in place.
    """
    remaining = sorted(members, reverse=True)
    for slot, records in slots:
        check()
        while records:
            check()
            available, value = remaining.pop()
            batch = min(available, records)
            moves[value, origin, slot] += batch
            records -= batch
            if available > batch:
                remaining.append((available - batch, value))


def _values_above_limit(settings: Settings, moves: Moves) -> set[int]:
    """Return the values that have more than one l-th of the records of some slot."""
    slots: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for (value, _, slot), records in moves.items():
        slots[slot][value] += records
    above = set()
    for counts in slots.values():
        limit = sum(counts.values()) * settings.l.denominator // settings.l.numerator
        above |= {value for value, records in counts.items() if records > limit}
    return above


def in_order_of_origins(moves: Moves, pending: Supply) -> list[Flow]:
    """Return flows in which no record overtakes another of its value.

    Each slot has as many records of each value as in ``moves``. Of equally possible records, those
    with the latest origin are published, which costs least.
    """
    sizes: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    runs_of_value: dict[int, list[list[int]]] = defaultdict(list)
    for (value, _, slot), records in moves.items():
        sizes[value][slot] += records
    for (value, origin), records in sorted(pending.items()):
        runs_of_value[value].append([origin, records])
    flows: list[Flow] = []
    for value, runs in runs_of_value.items():
        published = _take_latest_origins(runs, sorted(sizes[value].items()))
        flows += [(value, origin, None, records) for origin, records in runs if records]
        flows += match_in_order(value, published, sorted(sizes[value].items()))
    return flows


def _take_latest_origins(
    runs: list[list[int]], slots: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Take the records of each slot from the latest origins up to the slot.

    ``runs`` are lists [origin, records], and ``slots`` pairs (slot, records). Return the records
    taken from each origin. The records in ``runs`` decrease in place.
    """
    taken: dict[int, int] = defaultdict(int)
    for slot, wanted in slots:
        for run in reversed(runs):
            if run[0] <= slot and wanted:
                batch = min(run[1], wanted)
                run[1] -= batch
                wanted -= batch
                taken[run[0]] += batch
    return sorted((origin, records) for origin, records in taken.items() if records)


def match_in_order(
    value: int, origins: list[tuple[int, int]], slots: list[tuple[int, int]]
) -> list[Flow]:
    """Return flows that match origins with slots in order, the earliest with the earliest.

    If mu is strictly convex, no other matching costs as little.
    """
    flows: list[Flow] = []
    waiting = [list(origin) for origin in reversed(origins)]
    for slot, wanted in slots:
        check()
        while wanted:
            check()
            batch = min(wanted, waiting[-1][1])
            flows.append((value, waiting[-1][0], slot, batch))
            wanted -= batch
            waiting[-1][1] -= batch
            if not waiting[-1][1]:
                waiting.pop()
    return flows
