"""The baselines keep their own promises on small inputs."""

from collections import Counter

import numpy as np

from bench.baselines import bfp2ka, tga


def test_tga_publishes_points_within_the_boxes_of_groups_of_k():
    series = np.random.default_rng(0).normal(size=(53, 4)).cumsum(axis=1)
    told = tga.anonymize(series, 5, seed=1)
    sizes = Counter(told.group.tolist())
    assert sizes.pop(-1) == 3
    assert set(sizes.values()) == {5}
    for row, group in enumerate(told.group):
        if group < 0:
            assert np.isnan(told.published[row]).all()
            continue
        for values in (series[row], told.published[row]):
            assert (told.low[group] <= values).all()
            assert (values <= told.high[group]).all()
    np.testing.assert_array_equal(told.published, tga.anonymize(series, 5, seed=1).published)


def test_tga_groups_what_is_close():
    series = np.concatenate([np.zeros((4, 3)), np.full((4, 3), 9.0)]) + np.arange(8)[:, None] / 100
    told = tga.anonymize(series, 4)
    assert len(set(told.group[:4].tolist())) == 1
    assert len(set(told.group[4:].tolist())) == 1


def subsequences(sequence):
    """Return every subsequence, longest first."""
    found = {()}
    for symbol in sequence:
        found |= {(*known, symbol) for known in found}
    return sorted(found, key=len, reverse=True)


def test_shared_prefix_finds_the_longest_common_subsequence():
    rng = np.random.default_rng(3)
    for _ in range(200):
        one, other = (tuple(rng.integers(0, 3, rng.integers(0, 6)).tolist()) for _ in range(2))
        common = next(s for s in subsequences(one) if s in set(subsequences(other)))
        length, end = bfp2ka.shared_prefix(one, other)
        assert length == len(common)
        assert any(len(s) == length and s in subsequences(other[:end]) for s in subsequences(one))


def test_every_sequence_published_by_bfp2ka_is_a_path_of_k():
    rng = np.random.default_rng(5)
    sequences = [tuple(rng.integers(0, 2, 5).tolist()) for _ in range(90)]
    told = bfp2ka.anonymize(sequences, 4)
    published = [sequence for sequence in told if sequence]
    prefixes = Counter(s[:n] for s in published for n in range(1, len(s) + 1))
    assert min(prefixes.values()) >= 4
    kept, cut = bfp2ka.prune(sequences, 4)
    assert cut
    assert all(told[i] == s for i, s in enumerate(sequences) if s in kept)


def test_bfp2ka_may_cut_the_whole_tree():
    assert bfp2ka.anonymize([(0, 1), (1, 2), (2, 0)], 2) == [None, None, None]
