"""BF-P2kA: pattern-preserving k-anonymization of sequences (Pensa, Monreale, Pinelli 2008).

A baseline in three steps: build the prefix tree of all sequences; cut every node reached by
fewer than k sequences, together with all sequences through it; give each cut sequence back as
the kept path with which it has the longest common subsequence, up to the last symbol they share.
Every published sequence is then a path followed by at least k published sequences.
"""

from collections import Counter
from collections.abc import Sequence

Path = tuple[int, ...]


def _prefix_support(sequences: Counter[Path]) -> Counter[Path]:
    """Return how many sequences run through each node of the prefix tree."""
    support: Counter[Path] = Counter()
    for sequence, times in sequences.items():
        for length in range(1, len(sequence) + 1):
            support[sequence[:length]] += times
    return support


def prune(sequences: Sequence[Path], k: int) -> tuple[Counter[Path], set[Path]]:
    """Return the sequences that stay and those that are cut.

    Cutting a sequence lowers the support of the nodes above it, so pruning goes on until
    every node left is reached by k sequences that stay.
    """
    kept = Counter(sequences)
    cut: set[Path] = set()
    while True:
        support = _prefix_support(kept)
        rare = {
            sequence
            for sequence in kept
            if any(support[sequence[:length]] < k for length in range(1, len(sequence) + 1))
        }
        if not rare:
            return kept, cut
        cut |= rare
        for sequence in rare:
            del kept[sequence]


def shared_prefix(sequence: Path, path: Path) -> tuple[int, int]:
    """Return the length of the longest common subsequence and where in `path` it can end first."""
    best = [0] * (len(path) + 1)
    for symbol in sequence:
        previous = best[:]
        for place, own in enumerate(path, start=1):
            same = previous[place - 1] + 1 if own == symbol else 0
            best[place] = max(same, previous[place], best[place - 1])
    return best[-1], best.index(best[-1])


def anonymize(sequences: Sequence[Path], k: int) -> list[Path | None]:
    """Return for each sequence what is published in its place (None: nothing can be)."""
    kept, cut = prune(sequences, k)
    replacement: dict[Path, Path | None] = {}
    # Cutting a path short must leave at least k followers of the prefix: its node has them.
    paths = sorted(kept, key=lambda path: (-kept[path], path))
    for sequence in cut:
        shared = [(shared_prefix(sequence, path), path) for path in paths]
        (length, end), path = max(shared, key=lambda item: item[0][0], default=((0, 0), ()))
        replacement[sequence] = path[:end] if length else None
    return [replacement.get(sequence, sequence) for sequence in sequences]
