"""Moves records of a stream to later snapshots: counts in, flows of records out.

A count is the number of records of one sensitive value in one snapshot. Value and snapshot are
integers. A flow is a number of records of one value that go from their true snapshot ("home") to
the same or a later snapshot ("slot"), or are suppressed (slot NULL).
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from duckdb.func import SPECIAL

from tanon_duck.algorithms.reposition.costs import (
    MICRO,
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
from tanon_duck.udfs._arrow import list_array, struct_array

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
    """Return one list of flows for each row; a row is a stream.

    ``cells`` lists the counts of the stream. ``function`` is the SQL function, for messages.
    """
    lists = cells.combine_chunks()
    arguments = (function, betas, table, l, w, mu, method, start, late)
    options = [column.to_pylist() for column in arguments]
    flows = [
        _flows_of_stream(_read_counts(lists, row), *option)
        for row, option in enumerate(zip(*options, strict=True))
    ]
    return list_array(flows, FLOW)


def _flows_of_stream(
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
    """Return the flows of one stream as structs FLOW; errors name the SQL function."""
    try:
        n_values = int(counts[1].max(initial=-1)) + 1
        settings = stream_settings(l, w, table or mu, betas, n_values)
        return flow_structs(settings, reposition_counts(settings, *counts, method, start, late))
    except ImportError as error:
        # The error says which package to install. Only these two options need one.
        option = f"method {method!r}" if method == "window" else f"start {start!r}"
        raise TanonError(f"{function}: {option} {error}") from None
    except (ValueError, RuntimeError) as error:
        raise TanonError(f"{function}: {error}") from None


def _read_counts(cells: pa.Array, row: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return the snapshots, values and numbers of records in the list of one row."""
    structs = cells.slice(row, 1).flatten()
    home, value, records = (
        structs.field(name).to_numpy(zero_copy_only=False) for name in ("home", "value", "records")
    )
    return home, value, records


def stream_settings(
    l: str,  # noqa: E741
    w: int,
    mu: str | Sequence[Mapping[str, float]],
    betas: Sequence[float] | None,
    n_values: int,
) -> Settings:
    """Return the settings of a stream from the arguments that a user wrote.

    ``betas`` has the cost of suppressing a record: one cost for each value, one for all values,
    or none for the default.
    """
    formula_or_table = (
        mu if isinstance(mu, str) else table_of_costs((row["distance"], row["cost"]) for row in mu)
    )
    costs = cost_table(formula_or_table, w)
    suppression = [suppression_cost(beta) for beta in betas or ()] or [default_beta(costs)]
    if len(suppression) == 1:
        suppression *= n_values
    return Settings(rational_l(l), w, costs, suppression)


def flow_structs(settings: Settings, flows: Sequence[Flow]) -> pa.Array:
    """Return one struct FLOW for each flow.

    ``tanon_loss`` is the information loss of one of its records. ``_number_flows`` explains the
    last three fields.
    """
    value, home, slot, records = (
        pa.array([flow[column] for flow in flows], pa.int64()) for column in range(4)
    )
    distance = pc.fill_null(pc.subtract(slot, home), 0).to_numpy()
    loss_if_moved = np.asarray(settings.mu)[distance]
    loss_if_suppressed = np.asarray(settings.betas, np.int64)[value.to_numpy()]
    is_suppressed = slot.is_null().to_numpy(zero_copy_only=False)
    losses = np.where(is_suppressed, loss_if_suppressed, loss_if_moved) / MICRO
    numbers = map(pa.array, _number_flows(value, home, slot, records))
    columns = [value, home, slot, records, pa.array(losses, pa.float64()), *numbers]
    return struct_array(columns, FLOW)


def _number_flows(
    value: pa.Array, home: pa.Array, slot: pa.Array, records: pa.Array
) -> tuple[IntArray, IntArray, IntArray]:
    """Return for each flow its group, its share within the group, and the group's shares.

    A group, numbered from 1, is all flows of one value from one snapshot. Each of its flows is a
    share, numbered from 0 by falling number of records. Flows of equal size are in the order of
    their slots, the suppressed one last.
    """
    last = np.iinfo(np.int64).max
    columns = (pc.fill_null(column, last).to_numpy() for column in (home, slot, value, records))
    homes, slots, values, sizes = columns
    order = np.lexsort((slots, -sizes, values, homes))
    changes = (np.diff(homes[order]) != 0) | (np.diff(values[order]) != 0)
    starts = np.flatnonzero(np.append(True, changes)[: order.size])
    group_sizes = np.diff(starts, append=order.size)
    group, share, shares = (np.empty(order.size, np.int64) for _ in range(3))
    group[order] = np.repeat(np.arange(1, group_sizes.size + 1), group_sizes)
    share[order] = np.arange(order.size) - np.repeat(starts, group_sizes)
    shares[order] = np.repeat(group_sizes, group_sizes)
    return group, share, shares
