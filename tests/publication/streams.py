"""A stream to publish, and what publishing it in one piece gives, worked out row by row."""

import hashlib
from bisect import bisect_right
from collections import Counter, defaultdict

ARGUMENTS = "respondent := 'person', ts := 'day', sensitive := 'disease', w := 4"
BEGIN = {
    "respondent": "person",
    "ts": "day",
    "sensitive": "disease",
    "qi": ["age", "district"],
    "l": 2,
    "w": 4,
}


def whole(con, more="", l=2, name="flu"):  # noqa: E741
    """Released and suppressed rows of the plan for all cases, sorted: equal values of a snapshot
    in the order of SHA-256 keyed by the secret of the publication, the nearest slot first."""
    planned = con.execute(
        f"from tanon.publish_stream('cases', {ARGUMENTS}, l := {l}{more}, result := 'plan')"
    ).fetchall()
    slots, homes = defaultdict(list), sorted({home for _, home, _, _, _ in planned})
    for sensitive, home, slot, n, _ in sorted(planned, key=lambda flow: (flow[2] is None, flow[2])):
        slots[home, sensitive] += [slot] * n
    groups, copies, key = defaultdict(list), Counter(), key_of(con, name)
    for row in con.execute("select day, person, age, district, disease from cases").fetchall():
        text = "".join("-" if c is None else f"{len(str(c).encode())}:{c}" for c in row)
        copies[text] += 1
        order = hashlib.sha256(key + f"{copies[text]} of {text}".encode()).hexdigest()[:24]
        groups[homes[bisect_right(homes, row[0]) - 1], row[4]].append((order, row))
    released, suppressed = [], []
    for group, rows in groups.items():
        for (_, row), slot in zip(sorted(rows), slots[group], strict=True):
            released += [] if slot is None else [(slot, *row[1:])]
            suppressed += [row] if slot is None else []
    return sorted(released), sorted(suppressed)


def key_of(con, name):
    """What keys the hashes of a publication."""
    types = ", ".join(kind for _, kind, *_ in con.execute(f"describe {name}.released").fetchall())
    ((secret,),) = con.execute(f"select secret from {name}.state").fetchall()
    text = "\n".join(["tanon_duck 1", secret, "tanon.publication", types])
    return hashlib.sha256(text.encode()).digest()


def published(con, name="flu"):
    """The same of a publication."""
    columns = "day, person, age, district, disease"
    return tuple(
        con.execute(f"select {columns} from {name}.{table} order by all").fetchall()
        for table in ("released", "suppressed")
    )
