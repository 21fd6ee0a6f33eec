"""Naive, KAPRA and their parts as the paper tells them: plain loops, lists and recursion.

Rows are lists of numbers. A node is (members, level). Splits by value are passed in or done here by
`halves`, in the order given; ties always go to the lowest row.
"""

import math

import numpy as np

from oracles import sax


def word_of(series, rows, level):
    """Return the words of the rows at a level, for a quick comparison."""
    return [sax.word(series[row], level) for row in rows]


def ranges2(series, rows):
    total = 0.0
    for j in range(len(series[0])):
        column = [series[row][j] for row in rows]
        total += (max(column) - min(column)) ** 2
    return total


def total_loss(series, rows):
    return len(rows) * math.sqrt(ranges2(series, rows) / len(series[0]))


def parts_at(series, members, level):
    parts = {}
    for row, word in zip(members, word_of(series, members, level), strict=True):
        parts.setdefault(word, []).append(row)
    return list(parts.values())


def create_tree(series, members, p, max_level, level=1):
    """Return (good leaves, bad leaves) by recursion, every leaf as (members, level)."""
    if len(members) < p:
        return [], [(members, level)]
    if level == max_level:
        return [(members, level)], []
    if len(members) < 2 * p:
        while level < max_level and len(set(word_of(series, members, level + 1))) == 1:
            level += 1
        return [(members, level)], []
    parts = parts_at(series, members, level + 1)
    if all(len(part) < p for part in parts):
        return [(members, level)], []
    small = [row for part in parts if len(part) < p for row in part]
    children = [(part, level + 1) for part in parts if len(part) >= p]
    if len(small) >= p:
        children.append((sorted(small), level))
    else:
        children += [(part, level + 1) for part in parts if len(part) < p]
    good, bad = [], []
    for child, child_level in children:
        more_good, more_bad = create_tree(series, child, p, max_level, child_level)
        good += more_good
        bad += more_bad
    return good, bad


def recycle(series, bad, p):
    """Return (leaves made from bad ones, rows still without a leaf)."""
    waiting = {row: level for members, level in bad for row in members}
    made = []
    current = max(waiting.values(), default=0)
    while current >= 1 and len(waiting) >= p:
        present = sorted(row for row, level in waiting.items() if level >= current)
        for part in parts_at(series, present, current):
            if len(part) >= p:
                made.append((part, current))
                for row in part:
                    del waiting[row]
        current -= 1
    return made, sorted(waiting)


def along_main_direction(series, members):
    """Order rows along the direction in which a sample of them varies most, ties as they were."""
    points = len(series[0])
    taken = min(len(members), 64)
    sample = [series[members[i * len(members) // taken]] for i in range(taken)]
    means = [math.fsum(s[j] for s in sample) / taken for j in range(points)]
    sample = [[s[j] - means[j] for j in range(points)] for s in sample]
    widths = [max(s[j] for s in sample) - min(s[j] for s in sample) for j in range(points)]
    direction = [1.0 if j == widths.index(max(widths)) else 0.0 for j in range(points)]
    for _ in range(4):
        shares = [math.fsum(a * b for a, b in zip(s, direction, strict=True)) for s in sample]
        direction = [
            math.fsum(s[j] * share for s, share in zip(sample, shares, strict=True))
            for j in range(points)
        ]
        longest = max(abs(d) for d in direction) or 1.0
        direction = [d / longest for d in direction]
    origin = series[members[0]]
    place = {
        row: math.fsum((series[row][j] - origin[j]) * direction[j] for j in range(points))
        for row in members
    }
    widest = max(abs(v) for v in place.values()) or 1.0
    return sorted(members, key=lambda row: round(place[row] / widest * 2**24))


def halves(series, members, smallest):
    """Cut at a multiple of the smallest size along the main direction, until nothing is large."""
    if len(members) < 2 * smallest:
        return [members]
    ordered = along_main_direction(series, members)
    cut = smallest * (len(members) // smallest // 2)
    left, right = ordered[:cut], ordered[cut:]
    # Seen from inside, a node keeps the order of its parent's cut, not the order of the table.
    return halves(series, left, smallest) + halves(series, right, smallest)


def untorn_halves(series, members, smallest):
    """The same, cut between different series wherever that is possible."""
    first = {}
    for row in members:
        first.setdefault(tuple(series[row]), row)
    together = sorted(members, key=lambda row: (first[tuple(series[row])], row))
    return halves_of_whole_series(series, together, smallest)


def halves_of_whole_series(series, members, smallest):
    size = len(members)
    if size < 2 * smallest or all(series[row] == series[members[0]] for row in members):
        return [members]
    ordered = along_main_direction(series, members)
    possible = range(smallest, size - smallest + 1)
    whole = [c for c in possible if series[ordered[c]] != series[ordered[c - 1]]]
    even = [c for c in whole if c % smallest == 0 or (size - c) % smallest == 0]
    middle = smallest * (size // smallest // 2)
    costs = {
        c: total_loss(series, ordered[:c]) + total_loss(series, ordered[c:])
        if size <= min(8 * smallest, 256)
        else abs(c - middle)
        for c in even or whole or possible
    }
    cut = min(costs, key=lambda c: (costs[c], c))
    if not whole:
        ordered, cut = rearranged(series, ordered, smallest, cut)
    return [
        group
        for side in (ordered[:cut], ordered[cut:])
        for group in halves_of_whole_series(series, side, smallest)
    ]


def rearranged(series, ordered, smallest, otherwise):
    """Part the series in the middle from the others, or some series from the others, or tear."""
    middle = series[ordered[smallest - 1]]
    inside = [row for row in ordered if series[row] == middle]
    others = [row for row in ordered if series[row] != middle]
    if len(others) < smallest or len(inside) >= smallest:
        return others + inside, max(len(others), smallest)
    blocks = []
    for row in ordered:
        if not blocks or series[blocks[-1][0]] != series[row]:
            blocks.append([])
        blocks[-1].append(row)
    sums = {0: []}
    for block in blocks:
        for chosen in list(sums.values()):
            joined = chosen + block
            if len(joined) <= len(ordered) - smallest:
                sums.setdefault(len(joined), joined)
            if smallest <= len(joined) <= len(ordered) - smallest:
                return joined + [row for row in ordered if row not in joined], len(joined)
    return ordered, otherwise


def sequential_halves(series, members, smallest, depth=0, deepest=64):
    """Two far rows as seeds, every other row to the side it widens less, sides repaired."""
    if len(members) < 2 * smallest:
        return [members]
    if depth >= deepest:
        return halves(series, members, smallest)
    first = second = members[0]
    for _ in range(3):
        far = [
            sum((a - b) ** 2 for a, b in zip(series[row], series[first], strict=True))
            for row in members
        ]
        second = first
        first = members[far.index(max(far))]
    if first == second:
        first, second = members[0], members[1]
    sides = [[first], [second]]
    for row in members:
        if row not in (first, second):
            costs = [ranges2(series, [*side, row]) for side in sides]
            sides[costs[1] < costs[0]].append(row)
    small = 0 if len(sides[0]) <= len(sides[1]) else 1
    other = sorted(sides[1 - small])
    costs = {row: ranges2(series, [*sides[small], row]) for row in other}
    for row in sorted(other, key=lambda row: (costs[row], row))[
        : max(0, smallest - len(sides[small]))
    ]:
        sides[1 - small].remove(row)
        sides[small].append(row)
    return [
        group
        for side in sides
        for group in sequential_halves(series, sorted(side), smallest, depth + 1, deepest)
    ]


def form_groups(series, subgroups, k):
    """Return the k-groups as lists of subgroups; an empty list when k series cannot be joined."""
    groups = [[sub] for sub in subgroups if len(sub) >= k]
    left = [sub for sub in subgroups if len(sub) < k]
    while sum(map(len, left)) >= k:
        costs = [ranges2(series, sub) for sub in left]
        group = [left.pop(costs.index(min(costs)))]
        while sum(map(len, group)) < k:
            rows = [row for sub in group for row in sub]
            costs = [ranges2(series, rows + sub) for sub in left]
            group.append(left.pop(costs.index(min(costs))))
        groups.append(group)
    if not groups:
        return []
    for sub in left:
        rises = []
        for group in groups:
            rows = [row for member in group for row in member]
            rises.append(total_loss(series, rows + sub) - total_loss(series, rows))
        groups[rises.index(min(rises))].append(sub)
    return groups


def kapra(series, k, p, max_level, split=halves):
    """Return (k-groups as lists of P-subgroups, level of each row, rows suppressed)."""
    good, bad = create_tree(series, list(range(len(series))), p, max_level)
    made, suppressed = recycle(series, bad, p)
    level, subgroups = {}, []
    for members, at in good + made:
        level.update(dict.fromkeys(members, at))
        subgroups += [sorted(s) for s in split(series, sorted(members), p)]
    subgroups.sort()
    return form_groups(series, subgroups, k), level, suppressed


def similarity(series_points, word_a, level_a, word_b, level_b):
    """Return the correlation of two words' series, 1 if both and 0 if one is flat."""
    a, b = sax.reconstruct(word_a, level_a), sax.reconstruct(word_b, level_b)
    flat_a, flat_b = max(a) == min(a), max(b) == min(b)
    if flat_a or flat_b:
        return 1.0 if flat_a and flat_b else 0.0
    return round(float(np.corrcoef(a, b)[0, 1]), 9)


def naive_literal(series, groups, p, max_level):
    """Bad leaves, smallest first, join the leaf with the most similar word and take that word."""
    result = []
    for members in groups:
        good, bad = create_tree(series, sorted(members), p, max_level)
        leaves = [
            [list(rows), level, sax.word(series[min(rows)], level)]
            for rows, level in sorted(good, key=lambda leaf: min(leaf[0]))
        ]
        for rows, level in sorted(bad, key=lambda leaf: (len(leaf[0]), min(leaf[0]))):
            word = sax.word(series[rows[0]], level)
            ranked = [
                (-similarity(len(series[0]), word, level, leaf[2], leaf[1]), len(leaf[0]), i)
                for i, leaf in enumerate(leaves)
            ]
            leaves[min(ranked)[2]][0] += rows
        result.append([(sorted(rows), level, word) for rows, level, word in leaves])
    return result


def naive_lowered(series, groups, p, max_level):
    """Bad leaves are recycled within the group; rows left join the leaf that stays highest."""
    result = []
    for members in groups:
        good, bad = create_tree(series, sorted(members), p, max_level)
        made, rest = recycle(series, bad, p)
        leaves = [
            [sorted(rows), level] for rows, level in sorted(good + made, key=lambda g: min(g[0]))
        ]
        for row in rest:
            ranked = []
            for i, (rows, level) in enumerate(leaves):
                common = level
                while len(set(word_of(series, [*rows, row], common))) > 1:
                    common -= 1
                ranked.append((-common, len(rows), i))
            chosen = min(ranked)
            leaves[chosen[2]] = [sorted([*leaves[chosen[2]][0], row]), -chosen[0]]
        result.append([(rows, at, sax.word(series[rows[0]], at)) for rows, at in leaves])
    return result
