"""Placing every open record anew: pooling, splitting the pools, timestamp order."""

from collections import defaultdict
from dataclasses import dataclass

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.eligibility import eligible_level
from tanon_duck.algorithms.reposition.programme import Moves, Solver, Supply, build
from tanon_duck.algorithms.reposition.window import Flow, Settings, loss

# beyond, the solver's floating point does not tell single records apart any more
MOST_RECORDS = 100_000_000


@dataclass(frozen=True)
class Placement:
    """Where every open record goes, and how far from optimal that may be (millionths)."""

    flows: list[Flow]
    gap: int


def place(settings: Settings, pending: Supply, low: int, high: int, solver: Solver) -> Placement:
    """Place pending records in slots low..high at the lowest loss."""
    refuse_too_many(pending)
    held = _likely_held(settings, pending)
    while True:
        check()
        moves, bound = _solve_pooled(settings, pending, held, low, high, solver)
        broken = _above_level(settings, moves) - held
        if not broken:
            break
        held |= broken
    flows = in_timestamp_order(moves, pending)
    spent = loss(settings, flows)
    gap = spent - sum(settings.betas[value] * n for (value, _), n in pending.items()) + bound
    # the solver counts in floating point: a part in 10^9 is its noise
    return Placement(flows, round(gap) if gap > max(2.0, 1e-9 * spent) else 0)


def refuse_too_many(pending: Supply) -> None:
    """Refuse what the solver cannot count."""
    if (records := sum(pending.values())) > MOST_RECORDS:
        raise ValueError(
            f"method 'window' and start 'ilp' must place at most {MOST_RECORDS} records at once, "
            f"got {records}: method 'step' has no such limit"
        )


def _likely_held(settings: Settings, pending: Supply) -> set[int]:
    """Guess the values that fill a snapshot up to its level; a wrong guess only costs time."""
    homes: dict[int, dict[int, int]] = defaultdict(dict)
    for (value, home), records in pending.items():
        homes[home][value] = records
    held = set()
    for counts in homes.values():
        level = eligible_level(counts.values(), settings.l)
        held |= {value for value, records in counts.items() if 2 * records > level}
    return held


@dataclass
class Pools:
    """Commodities: the held values first, then one pool per beta of all others."""

    betas: list[int]
    supply: dict[tuple[int, int], int]
    members: dict[tuple[int, int], list[tuple[int, int]]]


def _pool(settings: Settings, pending: Supply, held: set[int]) -> Pools:
    own = sorted(held)
    number = {value: i for i, value in enumerate(own)}
    pools = Pools([settings.betas[v] for v in own], defaultdict(int), defaultdict(list))
    commodity_of_beta: dict[int, int] = {}
    for (value, home), records in sorted(pending.items()):
        beta = settings.betas[value]
        if value in number:
            commodity = number[value]
        else:
            commodity = commodity_of_beta.setdefault(beta, len(pools.betas))
            if commodity == len(pools.betas):
                pools.betas.append(beta)
        pools.supply[commodity, home] += records
        pools.members[commodity, home].append((records, value))
    return pools


def _solve_pooled(
    settings: Settings, pending: Supply, held: set[int], low: int, high: int, solver: Solver
) -> tuple[Moves, float]:
    pools = _pool(settings, pending, held)
    programme = build(settings, pools.supply, pools.betas, len(held), low, high)
    moved, bound = solver.solve(programme)
    keys = sorted(pools.supply)
    shares: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    columns = zip(programme.cell.tolist(), programme.slot.tolist(), moved.tolist(), strict=True)
    for cell, slot, records in columns:
        if records:
            shares[keys[cell]].append((slot + low, records))
    moves: Moves = defaultdict(int)
    for key, places in shares.items():
        _share_out(key[1], places, pools.members[key], moves)
    return moves, bound


def _share_out(
    home: int, places: list[tuple[int, int]], members: list[tuple[int, int]], moves: Moves
) -> None:
    """Give a pool's places to its values: the nearest slots to the smallest values."""
    left = sorted(members, reverse=True)
    for slot, records in places:
        check()
        while records:
            check()
            available, value = left.pop()
            batch = min(available, records)
            moves[value, home, slot] += batch
            records -= batch
            if available > batch:
                left.append((available - batch, value))


def _above_level(settings: Settings, moves: Moves) -> set[int]:
    """Return the values that take more than one l-th of a slot."""
    slots: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for (value, _, slot), records in moves.items():
        slots[slot][value] += records
    above = set()
    for counts in slots.values():
        limit = sum(counts.values()) * settings.l.denominator // settings.l.numerator
        above |= {value for value, records in counts.items() if records > limit}
    return above


def in_timestamp_order(moves: Moves, pending: Supply) -> list[Flow]:
    """Keep the slot sizes, publish the youngest records that will do, oldest home first."""
    sizes: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    homes: dict[int, list[list[int]]] = defaultdict(list)
    for (value, _, slot), records in moves.items():
        sizes[value][slot] += records
    for (value, home), records in sorted(pending.items()):
        homes[value].append([home, records])
    flows: list[Flow] = []
    for value, available in homes.items():
        published = _youngest_that_fit(available, sorted(sizes[value].items()))
        flows += [(value, home, None, records) for home, records in available if records]
        flows += fifo(value, published, sorted(sizes[value].items()))
    return flows


def _youngest_that_fit(
    available: list[list[int]], slots: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Take each slot's records from the youngest homes up to it; `available` keeps the rest."""
    taken: dict[int, int] = defaultdict(int)
    for slot, wanted in slots:
        for run in reversed(available):
            if run[0] <= slot and wanted:
                batch = min(run[1], wanted)
                run[1] -= batch
                wanted -= batch
                taken[run[0]] += batch
    return sorted((home, records) for home, records in taken.items() if records)


def fifo(value: int, homes: list[tuple[int, int]], slots: list[tuple[int, int]]) -> list[Flow]:
    """Match homes with slots in order: the only cheapest way if mu is strictly convex."""
    flows: list[Flow] = []
    waiting = [list(home) for home in reversed(homes)]
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
