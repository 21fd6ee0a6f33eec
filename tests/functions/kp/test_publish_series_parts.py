"""Withheld cells are empty, everything else is as it was."""

import pytest
import series_tables


@pytest.fixture
def published(con):
    series = series_tables.walks(90, 5, 9)
    return series_tables.load(con, series, list(range(90)), keep_id=True)


CASES = [
    ([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]),
    ([2, 4], [1, 2, 3, 4, 5]),
    ([5, 1, 2, 3, 4], [3]),
    ([1, 2, 3], [3, 4, 5]),
    ([1], [1]),
]


@pytest.mark.parametrize(("values", "patterns"), CASES)
def test_all_cases(con, published, values, patterns):
    rows = con.execute(
        "select id, k_group, p_group, low, high, word, level, secret, domain_low, domain_high "
        f"from tanon.publish_series_parts('released', {values}, {patterns}, keep := ['id', "
        f"'secret'], "
        "allow_identifying := ['id', 'secret'], for_owner := true)"
    ).fetchall()
    originals = {row["id"]: row for row in published}
    assert len(rows) == len(published)
    at = range(1, 6)
    lowest = [min(row["low"][i - 1] for row in published) for i in at]
    highest = [max(row["high"][i - 1] for row in published) for i in at]
    for row, k_group, p_group, low, high, word, level, secret, domain_low, domain_high in rows:
        own = originals[row]
        assert (k_group, p_group, level, secret) == (
            own["k_group"],
            own["p_group"],
            own["level"],
            own["secret"],
        )
        assert low == [own["low"][i - 1] if i in values else None for i in at]
        assert high == [own["high"][i - 1] if i in values else None for i in at]
        assert word == "".join(own["word"][i - 1] if i in patterns else "." for i in at)
        assert (domain_low, domain_high) == (lowest, highest)


def test_the_domain_is_left_out_on_request(con, published):
    shown = "describe from tanon.publish_series_parts('released', [1], [1, 2], domain := false)"
    columns = [name for name, *_ in con.execute(shown).fetchall()]
    assert columns == ["low", "high", "word", "level"]


BAD = [
    ("[1, 2]", "[3, 4]", "pattern_positions must be a list that shares a position"),
    ("[1, 1]", "[1]", "value_positions must be a list of positions, counted from 1, none twice"),
    ("[1]", "[0, 1]", "pattern_positions must be a list of positions"),
    ("[]", "[1]", "value_positions must be a list of positions"),
    ("[1]", "null", "pattern_positions must be a list of positions"),
    ("[1, 6]", "[1]", "positions must be from 1 to 5, got 6"),
]


@pytest.mark.parametrize(("values", "patterns", "message"), BAD)
def test_wrong_positions(con, published, values, patterns, message):
    with pytest.raises(Exception, match=f"tanon.publish_series_parts: {message}"):
        con.execute(f"from tanon.publish_series_parts('released', {values}, {patterns})").fetchall()


def test_no_row(con, published):
    con.execute("delete from released")
    assert con.execute("from tanon.publish_series_parts('released', [1, 7], [7])").fetchall() == []
