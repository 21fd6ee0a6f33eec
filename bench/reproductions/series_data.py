"""The tables of Shou et al.: Walk and Uniform generated, Motion read when --data has it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from bench._data import Floats, uniform_series, unit_walks
from bench.harness import Bench
from tanon_duck.algorithms.sax import letters

MOTION = "cmu_motion_01_01_to_01_04.parquet"
WALKS = 6_553
STRINGS = 2_500
POSITIONS = 10
STRING_LEVEL = 20


def tables(bench: Bench) -> dict[str, Floats]:
    """The numeric tables by name."""
    if bench.quick:
        return {"Walk": unit_walks(300)[:, :POSITIONS]}
    found = {"Walk": unit_walks(WALKS)[:, :POSITIONS]}
    found["Uniform"] = uniform_series(WALKS)[:, :POSITIONS]
    path = bench.data(MOTION)
    if path is not None:
        found["Motion"] = motion(path)
    return found


def string_table(bench: Bench) -> Floats:
    """The alphabetic table: letters at level 20 of Motion, or of Walk without it, as numbers."""
    known = tables(bench)
    source = known.get("Motion", known["Walk"])
    # The prefix-tree baseline compares every cut sequence with every path that is kept.
    picked = np.random.default_rng(5).permutation(len(source))[:STRINGS]
    source = source[np.sort(picked)]
    codes: Floats = letters(source, STRING_LEVEL).astype(np.float64) / (STRING_LEVEL - 1)
    return codes


@lru_cache(maxsize=1)
def motion(path: Path) -> Floats:
    """Ten channels of the motion frames, picked once, all scaled together to [0, 1]."""
    import pyarrow.parquet as pq

    frames = pq.read_table(path)
    numeric = [f.name for f in frames.schema if f.name not in ("trial", "frame")]
    columns = [frames[name].to_numpy().astype(np.float64) for name in numeric]
    varied = [column for column in columns if column.std() > 0]
    picked = np.random.default_rng(11).choice(len(varied), POSITIONS, replace=False)
    values = np.stack([varied[i] for i in sorted(picked)], axis=1)
    scaled: Floats = (values - values.min()) / (values.max() - values.min())
    return scaled


def protocol(bench: Bench, *more: str) -> str:
    """Return how the tables, and whatever else is named, differ from those of the paper."""
    rows = {name: f"{len(series):,}" for name, series in tables(bench).items()}
    said = ["Walk is generated"]
    if "Motion" in rows:
        said.append(f"Motion has {rows['Motion']} series (paper: 20,352)")
    return "; ".join([*said, *more]) + "."


def absence(bench: Bench) -> str:
    """Return a sentence that Motion is absent, if it is."""
    if bench.quick or bench.data(MOTION) is not None:
        return ""
    return f" (Motion is absent: {MOTION} was not found, see --data.)"
