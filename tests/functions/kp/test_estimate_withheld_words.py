"""Estimated letters: the largest overlap, flagged, and right more often than not."""

import pytest
import series_tables

from oracles.letter_programme import bounds

KEPT = "keep := ''id'', allow_identifying := ''id''"


@pytest.fixture
def published(con):
    series = series_tables.walks(200, 5, 9)
    return series_tables.load(con, series, [0] * 200, keep_id=True, highest=5)


def customized(values, patterns):
    return f"(from tanon.publish_series_parts(''released'', {values}, {patterns}, {KEPT}))"


def estimated(con, source):
    return con.execute(
        f"select id, low, high, word, letter_estimated from "
        f"tanon.estimate_withheld_words('{source}')"
    ).fetchall()


def best_letter(low, high, shown_low, shown_high, letters, level):
    overlaps = []
    for letter in range(level):
        found = bounds(shown_low, shown_high, letters, level, letter)
        overlaps.append(min(high, found[1]) - max(low, found[0]))
    return next(i for i, overlap in enumerate(overlaps) if overlap > max(overlaps) - 1e-6)


@pytest.mark.parametrize(
    ("values", "patterns"), [([1, 2, 3, 4, 5], [1, 3, 4]), ([1, 2, 3, 4], [2, 3, 4, 5])]
)
def test_the_letter_with_the_largest_overlap(con, published, values, patterns):
    originals = {row["id"]: row for row in published}
    rows = estimated(con, customized(values, patterns))
    assert len(rows) == len(published)
    right = total = 0
    for row, low, high, word, flags in rows:
        own = originals[row]
        assert flags == [i in values and i not in patterns for i in range(1, 6)]
        letters = [ord(own["word"][i]) - 97 if i + 1 in patterns else None for i in range(5)]
        for i in range(5):
            if not flags[i]:
                assert word[i] == (own["word"][i] if i + 1 in patterns else ".")
                continue
            total += 1
            right += word[i] == own["word"][i]
            if row % 10 == 0:
                wanted = best_letter(low[i], high[i], low, high, letters, own["level"])
                assert ord(word[i]) - 97 == wanted
    assert right / total > 0.4


def test_ranges_and_patterns_are_estimated_in_either_order(con, published):
    source = customized([1, 2, 3, 4], [2, 3, 4, 5])
    nested = source.replace("''", "''''")
    ranges_first = f"(from tanon.estimate_withheld_ranges(''{nested}'', clip := true))"
    patterns_first = f"(from tanon.estimate_withheld_words(''{nested}''))"
    columns = "id, low, high, word, range_estimated, letter_estimated"
    one = con.execute(
        f"select {columns} from tanon.estimate_withheld_words('{ranges_first}') order by id"
    ).fetchall()
    other = con.execute(
        f"select {columns} from tanon.estimate_withheld_ranges('{patterns_first}', clip := true) "
        f"order by id"
    ).fetchall()
    assert one == other
    assert {tuple(row[4]) for row in one} == {(False, False, False, False, True)}
    assert {tuple(row[5]) for row in one} == {(True, False, False, False, False)}
    alone = {row[0]: row[3] for row in estimated(con, source)}
    assert all(alone[row[0]] == row[3] for row in one)


def test_the_estimates_can_be_queried(con, published):
    source = customized([1, 2, 3, 4, 5], [1, 2, 3]).replace("''", "''''")
    filled = f"(from tanon.estimate_withheld_words(''{source}''))"
    rows = con.execute(f"from tanon.similar_series('{filled}', [1, 2, 3, 4, 5], 0.5)").fetchall()
    assert rows


def test_no_row(con, published):
    con.execute("delete from released")
    assert estimated(con, customized([1, 2], [2])) == []


@pytest.mark.parametrize(("word", "level"), series_tables.FOREIGN_WORDS)
def test_letters_that_the_level_does_not_have_are_refused(con, word, level):
    series_tables.load_word(con, word, level)
    message = r"tanon.estimate_withheld_words: .* letters of their level, got 1 words"
    with pytest.raises(Exception, match=message):
        con.execute("from tanon.estimate_withheld_words('released')").fetchall()
