"""l-eligibility of a snapshot: no value has more than one l-th of its records."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True)
class Eligibility:
    """How eligible one snapshot is."""

    records: int
    level: int  # the records of the most frequent value
    max_l: Fraction | None  # the largest l for which it is eligible; None if it is empty
    eligible: bool
    excess: int  # the fewest records whose suppression makes it eligible


def rational_l(l: object) -> Fraction:  # noqa: E741
    """Return l as an exact fraction, from 3, 2.5, Decimal('2.5') or '5/2'."""
    wanted = f"l must be a rational number of at least 1 such as 3, 2.5 or '5/2', got {l!r}"
    if isinstance(l, bool) or not isinstance(l, int | float | str | Decimal | Fraction):
        raise ValueError(wanted)
    try:
        # The text of a float is 2.1, its exact value is not 21/10.
        exact = Fraction(repr(l)) if isinstance(l, float) else Fraction(l)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(wanted) from None
    if exact < 1:
        raise ValueError(wanted)
    return exact


def eligible_level(counts: Iterable[int], l: Fraction) -> int:  # noqa: E741
    """Return the largest level h for which the counts, cut at h, are l-eligible.

    Cut at h means that each value has at most h records. For example, the counts 5, 2, 1 and l = 2
    have the level 3: 3, 2, 1 is 2-eligible.

    If the k largest values are cut at h, k h records and the records of all other values remain.
    So h is possible if (l - k) h is at most the number of these other records, for each k below l.
    """
    descending = sorted(counts, reverse=True)
    if not descending:
        return 0
    numerator, denominator = l.numerator, l.denominator
    others = sum(descending)
    level = descending[0]
    for k, count in enumerate(descending):
        factor = numerator - k * denominator
        if factor <= 0:
            return level
        level = min(level, others * denominator // factor)
        others -= count
    return 0 if len(descending) < l else level


def eligibility(counts: Iterable[int], l: Fraction) -> Eligibility:  # noqa: E741
    """Return how eligible a snapshot with these counts is; an empty one is eligible."""
    present = [count for count in counts if count]
    records, level = sum(present), max(present, default=0)
    cut = eligible_level(present, l)
    return Eligibility(
        records=records,
        level=level,
        max_l=Fraction(records, level) if level else None,
        eligible=cut == level,
        excess=sum(count - cut for count in present if count > cut),
    )
