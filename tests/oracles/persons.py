"""Records of one person in a stream: which are repeats, and who comes together, row by row."""

import hashlib
from collections import Counter, defaultdict
from fractions import Fraction


def encoded(*cells):
    """Cells with their length in front, as the keyed hash reads them."""
    return "".join("-" if c is None else f"{len(str(c).encode())}:{c}" for c in cells)


def repeats(rows, w, secret):
    """The indices of the repeats among rows (snapshot number, person, value, *kept columns).

    The first snapshot of a person is kept, then the first that is w or more later, and so on. Of
    several records in a kept snapshot the one with the smallest keyed hash is kept.
    """
    text = "\n".join(["tanon_duck 1", secret, "tanon.repeats", ""])
    key = hashlib.sha256(text.encode()).digest()

    def drawn(index):
        home, person, value, *kept = rows[index]
        cell = f"{home} {encoded(person, value)}"
        return [
            hashlib.sha256(key + said.encode()).hexdigest()[:24]
            for said in (cell, cell + encoded(*kept))
        ]

    of_person = defaultdict(lambda: defaultdict(list))
    for index, (home, person, *_) in enumerate(rows):
        of_person[person][home].append(index)
    found = set()
    for snapshots in of_person.values():
        last = None
        for home in sorted(snapshots):
            there = sorted(snapshots[home], key=drawn)
            if last is None or home - last >= w:
                last, there = home, there[1:]
            found.update(there)
    return found


def skewed(rows, l):  # noqa: E741
    """Snapshots of rows (snapshot, person, value) that are not l-eligible."""
    there = defaultdict(list)
    for home, person, value in rows:
        there[home].append((person, value))
    return {
        home
        for home, met in there.items()
        if any(
            max(Counter(row[place] for row in met).values()) * Fraction(l) > len(met)
            for place in (0, 1)
        )
    }
