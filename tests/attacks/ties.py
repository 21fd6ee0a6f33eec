"""An adversary who knows all series, the code and the order in which ties are supposed to fall.

Where equal series are torn, the code and an order of persons say who went where.
"""

from collections import Counter, defaultdict

import numpy as np


def right_classes(series, truth, supposed):
    """Right guesses of the class of those whose equals are torn, how many, and chance.

    series, truth and supposed: by person, the readings, the class and the class that is supposed.
    """
    equals = Counter(series[who] for who in truth)
    together = Counter((series[who], truth[who]) for who in truth)
    torn = [who for who in truth if together[series[who], truth[who]] < equals[series[who]]]
    hits = sum(truth[who] == supposed[who] for who in torn)
    chance = sum(together[series[who], supposed[who]] / equals[series[who]] for who in torn)
    return hits, len(torn), chance / max(1, len(torn))


def supposed(con, groups):
    """The class of each person if ties fall in the order of a public hash of their names.

    groups: gives the groups of series in such an order. A class is known by its ranges.
    """
    rows = con.execute("select who, s from t order by sha256(who)").fetchall()
    found = np.asarray(groups(np.array([own for _, own in rows]))).tolist()
    members = defaultdict(list)
    for group, (_, own) in zip(found, rows, strict=True):
        members[group].append(own)
    ranges = {
        group: tuple(tuple(map(end, zip(*own, strict=True))) for end in (min, max))
        for group, own in members.items()
    }
    return {who: ranges[group] for group, (who, _) in zip(found, rows, strict=True)}


def published(con, call):
    """The readings of each person, and the class of each that is published."""
    series = {who: tuple(own) for who, own in con.execute("select who, s from t").fetchall()}
    rows = con.execute(f"select who, low, high {call}").fetchall()
    return series, {who: (tuple(low), tuple(high)) for who, low, high in rows}
