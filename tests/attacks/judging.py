"""When an attack has broken a promise: right guesses beyond what chance explains."""

import math


def most_hits(tries, promise):
    """Right guesses that a promise of this probability allows: three standard errors more."""
    return tries * promise + 3 * math.sqrt(tries * promise * (1 - promise))


def assert_holds(hits, tries, promise):
    """The release keeps its promise against this attack, which had enough to try."""
    assert tries >= 30, f"only {tries} guesses prove nothing"
    assert hits <= most_hits(tries, promise), f"{hits} of {tries} right, promised {promise:.3f}"


def assert_breaks(hits, tries, promise):
    """The control: on a broken variant the same attack does find people."""
    assert tries >= 30, f"only {tries} guesses prove nothing"
    assert hits > most_hits(tries, promise), f"{hits} of {tries} right: the attack does not work"
