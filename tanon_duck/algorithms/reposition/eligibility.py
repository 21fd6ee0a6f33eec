"""l-eligibility on counts: no value may be more than one l-th of a snapshot."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction


@dataclass(frozen=True)
class Eligibility:
    """How one snapshot stands against l."""

    records: int
    level: int
    max_l: Fraction | None
    eligible: bool
    excess: int


def rational_l(l: object) -> Fraction:  # noqa: E741
    """Read l as an exact fraction: 3, 2.5, Decimal('2.5') and '5/2' all do."""
    wanted = f"l must be a rational number of at least 1 such as 3, 2.5 or '5/2', got {l!r}"
    if isinstance(l, bool) or not isinstance(l, int | float | str | Decimal | Fraction):
        raise ValueError(wanted)
    try:
        # repr keeps 2.1 at 21/10 instead of the binary fraction nearest to it
        exact = Fraction(repr(l)) if isinstance(l, float) else Fraction(l)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(wanted) from None
    if exact < 1:
        raise ValueError(wanted)
    return exact


def eligible_level(counts: Iterable[int], l: Fraction) -> int:  # noqa: E741
    """Return the largest h to which every value can be cut so that what remains is l-eligible.

    Cutting at h leaves at most k*h plus all but the k largest values, for every k; so
    h is allowed exactly when (l - k) * h is at most that tail for every k below l.
    """
    descending = sorted(counts, reverse=True)
    if not descending:
        return 0
    numerator, denominator = l.numerator, l.denominator
    tail = sum(descending)
    level = descending[0]
    for k, count in enumerate(descending):
        rest = numerator - k * denominator
        if rest <= 0:
            return level
        level = min(level, tail * denominator // rest)
        tail -= count
    return 0 if len(descending) < l else level


def eligibility(counts: Iterable[int], l: Fraction) -> Eligibility:  # noqa: E741
    """Measure one snapshot; an empty one is eligible and has no largest l."""
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
