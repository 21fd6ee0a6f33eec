"""``tanon_reposition``: counts per (snapshot, value) in, flows of records out."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from duckdb.func import SPECIAL

from tanon_duck.algorithms.reposition.costs import (
    MICRO,
    MuSpec,
    cost_table,
    default_beta,
    suppression_cost,
    table_of_costs,
)
from tanon_duck.algorithms.reposition.eligibility import rational_l
from tanon_duck.algorithms.reposition.stream import IntArray
from tanon_duck.algorithms.reposition.stream import reposition as reposition_counts
from tanon_duck.algorithms.reposition.window import Flow, Settings
from tanon_duck.errors import TanonError
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import list_column, structs

FLOW = (
    "STRUCT(tanon_value BIGINT, tanon_home BIGINT, tanon_slot BIGINT, tanon_records BIGINT, "
    "tanon_loss DOUBLE, tanon_group BIGINT, tanon_share BIGINT, tanon_shares BIGINT)"
)


@arrow_function(
    parameters=[
        "VARCHAR",
        'STRUCT(home BIGINT, "value" BIGINT, records BIGINT)[]',
        "DOUBLE[]",
        "STRUCT(distance BIGINT, cost DOUBLE)[]",
        "VARCHAR",
        "BIGINT",
        "VARCHAR",
        "VARCHAR",
        "VARCHAR",
        "VARCHAR",
    ],
    returns=f"{FLOW}[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def reposition(
    function: pa.ChunkedArray,
    cells: pa.ChunkedArray,
    betas: pa.ChunkedArray,
    table: pa.ChunkedArray,
    l: pa.ChunkedArray,  # noqa: E741
    w: pa.ChunkedArray,
    mu: pa.ChunkedArray,
    method: pa.ChunkedArray,
    start: pa.ChunkedArray,
    late: pa.ChunkedArray,
) -> pa.Array:
    """Reposition the counts of each row: one stream a row."""
    lists = cells.combine_chunks()
    given = (function, betas, table, l, w, mu, method, start, late)
    options = [column.to_pylist() for column in given]
    flows = [
        _one_stream(_counts(lists, row), *option)
        for row, option in enumerate(zip(*options, strict=True))
    ]
    return list_column(flows, FLOW)


def _one_stream(
    counts: tuple[IntArray, IntArray, IntArray],
    function: str,
    betas: Sequence[float] | None,
    table: Sequence[Mapping[str, float]] | None,
    l: str,  # noqa: E741
    w: int,
    mu: str,
    method: str,
    start: str,
    late: str,
) -> pa.Array:
    try:
        settings = stream_settings(l, w, table or mu, betas, int(counts[1].max(initial=-1)) + 1)
        return flow_array(settings, reposition_counts(settings, *counts, method, start, late))
    except ImportError as error:
        raise TanonError(f"{function}: {_needing(method, start)} {error}") from None
    except (ValueError, RuntimeError) as error:
        raise TanonError(f"{function}: {error}") from None


def _needing(method: str, start: str) -> str:
    return f"method {method!r}" if method == "window" else f"start {start!r}"


def _counts(cells: pa.Array, row: int) -> tuple[IntArray, IntArray, IntArray]:
    """The homes, values and records of one row's list."""
    one = cells.slice(row, 1).flatten()
    home, value, records = (
        one.field(name).to_numpy(zero_copy_only=False) for name in ("home", "value", "records")
    )
    return home, value, records


def stream_settings(
    l: str,  # noqa: E741
    w: int,
    mu: str | Sequence[Mapping[str, float]],
    betas: Sequence[float] | None,
    values: int,
) -> Settings:
    """Settings from what a user wrote; betas: one for all, one per value, or None."""
    costs = cost_table(_mu(mu), w)
    per_value = [suppression_cost(beta) for beta in betas or ()] or [default_beta(costs)]
    return Settings(
        rational_l(l), w, costs, per_value * values if len(per_value) == 1 else per_value
    )


def _mu(mu: str | Sequence[Mapping[str, float]]) -> MuSpec:
    if isinstance(mu, str):
        return mu
    return table_of_costs((row["distance"], row["cost"]) for row in mu)


def flow_array(settings: Settings, flows: Sequence[Flow]) -> pa.Array:
    """Flows as Arrow structs, with the loss of one record of each, and numbered.

    A group is the records of one value and home; its share 0 is the way that most of them go.
    """
    value, home, slot, records = (
        pa.array([flow[column] for flow in flows], pa.int64()) for column in range(4)
    )
    distance = pc.fill_null(pc.subtract(slot, home), 0).to_numpy()
    moved = np.asarray(settings.mu)[distance]
    suppressed = np.asarray(settings.betas, np.int64)[value.to_numpy()]
    losses = np.where(slot.is_null().to_numpy(zero_copy_only=False), suppressed, moved) / MICRO
    numbers = map(pa.array, _numbered(value, home, slot, records))
    columns = [value, home, slot, records, pa.array(losses, pa.float64()), *numbers]
    return structs(columns, FLOW)


def _numbered(
    value: pa.Array, home: pa.Array, slot: pa.Array, records: pa.Array
) -> tuple[IntArray, IntArray, IntArray]:
    """Of each flow its group, its share of it, and how many shares the group has."""
    last = np.iinfo(np.int64).max
    at, to, of, n = (pc.fill_null(c, last).to_numpy() for c in (home, slot, value, records))
    order = np.lexsort((to, -n, of, at))
    firsts = np.append(True, (np.diff(at[order]) != 0) | (np.diff(of[order]) != 0))[: order.size]
    starts = np.flatnonzero(firsts)
    sizes = np.diff(starts, append=order.size)
    group, share, shares = (np.empty(order.size, np.int64) for _ in range(3))
    group[order] = np.repeat(np.arange(1, sizes.size + 1), sizes)
    share[order] = np.arange(order.size) - np.repeat(starts, sizes)
    shares[order] = np.repeat(sizes, sizes)
    return group, share, shares
