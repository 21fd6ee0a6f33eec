"""What releases do not hold against, counted from the released rows alone."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations

from oracles.itemsets import inclusion_exclusion, maximal


def anatomy(individuals, counts, partitioned):
    """Warnings of rows (partition, qi, group) and (group, value, records): rows, share."""
    values = defaultdict(Counter)
    for group, value, records in counts:
        values[group][value] += records
    size = {group: sum(met.values()) for group, met in values.items()}
    total = sum(size.values())
    at_large = sum(values.values(), Counter())
    worst = {g: Fraction(max(met.values()), size[g]) for g, met in values.items()}
    found = {}
    if total:
        most = max(worst.values())
        found["best guess"] = (sum(size[g] for g in size if worst[g] == most), most)

    def tell(warning, rows):
        if rows:
            found[warning] = (rows, Fraction(rows, total))

    tell("two values", sum(size[g] for g, met in values.items() if len(met) <= 2))
    tell(
        "rare value",
        sum(
            size[g]
            for g, met in values.items()
            if any(10 * at_large[v] * size[g] <= n * total for v, n in met.items())
        ),
    )
    there = Counter((partition, qi) for partition, qi, _ in individuals)
    tell("who is in it", sum(n == 1 for n in there.values()))
    kinds = defaultdict(set)
    for _, qi, group in individuals:
        kinds[group].add(qi)
    tell("one kind of people", sum(size[g] for g in size if len(kinds[g]) == 1 and size[g] > 1))
    if partitioned:
        places = defaultdict(list)
        for partition, qi, group in individuals:
            places[qi].append((partition, group))
        rows = 0
        for seen in places.values():
            if len(seen) > 1 and len({partition for partition, _ in seen}) == len(seen):
                left = set.intersection(*(set(values[group]) for _, group in seen))
                rows += len(seen) * (len(left) == 1)
        tell("followed", rows)
    return found


def stream(plan):
    """Warnings of rows (value, home, published or None, records): records, share."""
    total = sum(n for *_, n in plan)
    home, out, way = defaultdict(Counter), defaultdict(Counter), defaultdict(Counter)
    for value, day, slot, n in plan:
        home[day][value] += n
        if slot is not None:
            out[slot][value] += n
        if slot != day:
            way[day, slot][value] += n
    found = {}
    share = {s: Fraction(max(met.values()), sum(met.values())) for s, met in out.items()}
    if share:
        most = max(share.values())
        there = sum(sum(out[s].values()) for s in share if share[s] == most)
        found["best guess"] = (there, most)
    if lost := sum(n for _, _, slot, n in plan if slot is None):
        found["suppressed"] = (lost, Fraction(lost, total))
        gone = Counter()
        for value, _, slot, n in plan:
            gone[value] += n * (slot is None)
        everybody = sum(home.values(), Counter())
        guessed = Fraction(max(gone.values()), lost)
        if guessed > Fraction(max(everybody.values()), total):
            found["missing"] = (lost, guessed)
    for name, missing in (("late", False), ("missing", True)):
        met = {key: c for key, c in way.items() if (key[1] is None) == missing}
        rates = {key: Fraction(max(c.values()), sum(c.values())) for key, c in met.items()}
        by_day = {d: Fraction(max(c.values()), sum(c.values())) for d, c in home.items()}
        if any(rate > by_day[day] for (day, _), rate in rates.items()):
            there = sum(sum(c.values()) for c in met.values())
            found[f"true day of the {name}"] = (there, max(rates.values()))
    gone = set().union(*home.values()) - set().union(*out.values()) if home else set()
    if rows := sum(c[v] for c in home.values() for v in gone):
        found["values lost"] = (rows, Fraction(rows, total))
    if rows := sum(sum(c.values()) for d, c in home.items() if d not in out):
        found["snapshots lost"] = (rows, Fraction(rows, total))
    moved = sum(n for _, day, slot, n in plan if slot != day)
    if moved:
        errors = [abs(Fraction(out[d][v] - n, n)) for d, c in home.items() for v, n in c.items()]
        found["counts"] = (moved, sum(errors) / len(errors))
    return found


def itemsets(published, original, k, added="drawn"):
    """Warnings of supports by itemset, and of the true ones where they are known: patterns."""
    tops = maximal(published)

    def patterns(supports):
        """The same pattern below several tops is one for each of them."""
        return {
            (base, top): inclusion_exclusion(supports, base, top)
            for top in tops
            for base in (x for x in published if x < top)
        }

    small = patterns(published) | {(x, x): n for x, n in published.items() if n < k}
    found = Counter()
    for frequency in small.values():
        found["channel"] += 0 < frequency < k
        found["impossible"] += frequency < 0
    true = patterns(original) if original else dict.fromkeys(small, 1)
    closed = {
        c: f
        for c, f in small.items()
        if k < f and 0 < true[c] < k and f < (2 * k if added == "k" else 3 * k)
    }
    for f in closed.values():
        each = [k] if added == "k" else range(k, 2 * k + 1)
        left = len({f - a for a in each if 0 < f - a < k})
        found["told count"] += left == 1
        found["few counts"] += 1 < left < k - 1
    if original:
        shifts = Counter(f - true[c] for c, f in closed.items())
        found["same difference"] = sum(n for n in shifts.values() if n > 1)
        more = published[frozenset()] - original[frozenset()]
        found["added"] = max(more, 0)
        found["much changed"] = abs(more) if 10 * abs(more) > original[frozenset()] else 0
    items = frozenset().union(*published)
    pairs = {frozenset(p) for p in combinations(items, 2)}
    found["not listed"] = sum(not any(p <= x for x in published) for p in pairs)
    return {warning: n for warning, n in found.items() if n}
