"""Random series, small releases of them, and both as tables."""

import numpy as np
import tables

from oracles.simple_release import simple_release

PUBLISHED = {
    "k_group": "bigint",
    "p_group": "bigint",
    "low": "double[]",
    "high": "double[]",
    "word": "varchar",
    "level": "integer",
}


def walks(rows, points, seed):
    """Random walks on a grid of tenths, so that ties occur."""
    steps = np.random.default_rng(seed).normal(size=(rows, points))
    return np.round(steps.cumsum(axis=1), 1)


def load(con, series, secrets, k=6, p=3, highest=4, secret_type="integer", keep_id=False):
    """Create the tables original and released; return the published rows with their secrets."""
    source = [
        {"id": i, "series": own.tolist(), "secret": secret}
        for i, (own, secret) in enumerate(zip(series, secrets, strict=True))
    ]
    types = {"id": "integer", "series": "double[]", "secret": secret_type}
    tables.create(con, "original", types, source)
    published = [
        {**row, "secret": secrets[row["row"]], "id": row["row"]}
        for row in simple_release(series, k, p, highest)
    ]
    columns = {**PUBLISHED, "secret": secret_type, **({"id": "integer"} if keep_id else {})}
    tables.create(con, "released", columns, published)
    return published


def load_series(con, series):
    """Create a table t of series with ids w0000, w0001, ... and falling secrets."""
    rows = [
        {"who": f"w{i:04}", "s": list(map(float, row)), "secret": 1000 - i}
        for i, row in enumerate(series)
    ]
    tables.create(con, "t", {"who": "varchar", "s": "double[]", "secret": "integer"}, rows)


# Words with a letter that their level does not have.
FOREIGN_WORDS = [("ac", 2), ("AB", 3), ("é.", 3), ("a`", 3), ("ab", 27)]


def load_word(con, word, level):
    """Keep a release of four rows of this word as the table released."""
    con.execute(
        "create table released as select [1.0, null]::double[] as low, "
        f"[2.0, null]::double[] as high, '{word}' as word, {level} as level from range(4)"
    )
