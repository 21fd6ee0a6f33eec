"""Crowded values against counting class by class."""

from collections import Counter

import pytest
import series_tables


@pytest.mark.parametrize("least", [2, 3])
def test_equals_counting(con, least):
    series = series_tables.walks(120, 4, 3)
    secrets = [None if i % 11 == 0 else (i * i) % 5 for i in range(120)]
    published = series_tables.load(con, series, secrets)
    got = con.execute(
        f"from tanon.series_diversity_violations('released', 'secret', {least})"
    ).fetchall()
    sizes, pairs = Counter(), Counter()
    for row in published:
        key = (tuple(row["low"]), tuple(row["high"]), row["word"], row["level"])
        sizes[key] += 1
        pairs[(*key, row["secret"])] += 1
    wanted = {
        (*pair, n, sizes[pair[:4]]) for pair, n in pairs.items() if n * least > sizes[pair[:4]]
    }
    assert {(tuple(r[0]), tuple(r[1]), *r[2:]) for r in got} == wanted
    assert 0 < len(wanted) < len(pairs)


def test_all_different_is_diverse_up_to_the_smallest_class(con):
    published = series_tables.load(con, series_tables.walks(90, 4, 5), list(range(90)), 6, 3)
    smallest = min(Counter(row["p_group"] for row in published).values())
    call = "from tanon.series_diversity_violations('released', 'secret', {})"
    assert con.execute(call.format(smallest)).fetchall() == []
    assert con.execute(call.format(smallest + 1)).fetchall() != []


@pytest.mark.parametrize("least", ["1", "2.5", "null", "'two'"])
def test_wrong_l(con, least):
    series_tables.load(con, series_tables.walks(20, 4, 5), list(range(20)))
    with pytest.raises(Exception, match="series_diversity_violations: l must be an integer > 1"):
        con.execute(f"from tanon.series_diversity_violations('released', 'secret', {least})")
