"""Replaces sensitive values that are too frequent in their class by allowed replacements."""

import numpy as np

from tanon_duck.algorithms.class_counts import (
    Integers,
    Keys,
    Mask,
    Request,
    count_cells,
    random_bits,
    rows_to_change,
)


def replace_values(
    classes: Integers,
    values: Integers,
    keys: Keys,
    diversity: int,
    choices: dict[int, list[int]],
) -> tuple[Integers, Mask]:
    """Return the value of each row to publish, and which rows were changed.

    Values are numbers of categories. ``choices`` lists the allowed replacements of each. A
    replacement must not occur in the class, and has at most 1/l of its rows afterwards. Which
    replacement a row gets depends on a key of its class.
    """
    request = Request(classes, values, keys, diversity, 0.0)
    cells = count_cells(request)
    positions = rows_to_change(request, cells)
    published, changed = values.copy(), np.zeros(values.size, dtype=bool)
    sorted_classes = classes[cells.order]
    for class_ in np.unique(sorted_classes[positions]):
        first, last = np.searchsorted(sorted_classes, [class_, class_ + 1])
        present = set(values[cells.order[first:last]].tolist())
        surplus = cells.order[positions[(positions >= first) & (positions < last)]]
        random_order = {
            replacement: random_bits(keys[surplus[0]], replacement)
            for replacements in choices.values()
            for replacement in replacements
        }
        options = {
            value: sorted(set(choices.get(value, [])) - present, key=random_order.__getitem__)
            for value in present
        }
        quota = int(cells.quota[first])
        published[surplus] = match_replacements(values[surplus].tolist(), options, quota)
        changed[surplus] = True
    return published, changed


def match_replacements(values: list[int], options: dict[int, list[int]], quota: int) -> list[int]:
    """Return a replacement for each of ``values``, so that none is used more than ``quota`` times.

    ``options`` lists the allowed replacements of each value. The search is exact: if a replacement
    is used up, it moves another row to another option (an augmenting path in a bipartite graph).
    Raise ValueError if no assignment exists.
    """
    rows_with: dict[int, list[int]] = {}
    replacement_of: dict[int, int] = {}

    def assign(row: int, tried: set[int]) -> bool:
        """Assign an option outside ``tried`` to a row; return whether it was possible."""
        for option in options[values[row]]:
            if option in tried:
                continue
            tried.add(option)
            rows = rows_with.setdefault(option, [])
            if len(rows) < quota:
                rows.append(row)
                replacement_of[row] = option
                return True
            for position, other_row in enumerate(rows):
                if assign(other_row, tried):
                    rows[position] = row
                    replacement_of[row] = option
                    return True
        return False

    for row in range(len(values)):
        if not assign(row, set()):
            raise ValueError("replacements must offer enough other values for every class")
    return [replacement_of[row] for row in range(len(values))]
