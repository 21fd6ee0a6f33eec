"""Estimated ranges of real releases: the true value inside, clipped on request, flagged."""

import math

import pytest
import series_tables

from oracles.letter_programme import bounds

KEPT = "keep := ''id'', allow_identifying := ''id''"


@pytest.fixture
def truth(con):
    series = series_tables.walks(200, 5, 9)
    published = series_tables.load(con, series, [0] * 200, keep_id=True, highest=6)
    return {row["id"]: series[row["row"]].tolist() for row in published}


def customized(values, patterns, domain=True):
    return (
        f"(from tanon.publish_series_parts(''released'', {values}, {patterns}, {KEPT}, domain "
        f":= {domain}))"
    )


def estimated(con, source, *arguments):
    listed = ", ".join([f"'{source}'", *arguments])
    return con.execute(
        "select id, low, high, word, level, range_estimated, consistent "
        f"from tanon.estimate_withheld_ranges({listed})"
    ).fetchall()


CASES = [([2, 4, 5], [1, 2, 3, 4, 5]), ([1, 2, 3], [2, 3, 4, 5]), ([1, 2, 3, 4, 5], [1, 5])]


@pytest.mark.parametrize(("values", "patterns"), CASES)
@pytest.mark.parametrize("clip", ["true", "false"])
def test_the_true_value_is_inside_and_estimates_are_flagged(con, truth, values, patterns, clip):
    rows = estimated(con, customized(values, patterns), f"clip := {clip}")
    assert len(rows) == len(truth)
    infinite = 0
    for row, low, high, _, _, flags, consistent in rows:
        assert consistent
        assert flags == [i not in values for i in range(1, 6)]
        assert all(a <= x <= b for a, x, b in zip(low, truth[row], high, strict=True))
        infinite += sum(map(math.isinf, low + high))
    assert (infinite > 0) == (clip == "false" and len(values) < 5)


def test_equals_the_linear_programme_of_highs(con, truth):
    values, patterns = [1, 3, 4], [1, 2, 3, 4, 5]
    originals = {
        row: (low, high)
        for row, low, high in con.execute("select id, low, high from released").fetchall()
    }
    for row, low, high, word, level, flags, _ in estimated(con, customized(values, patterns))[::9]:
        letters = [ord(c) - ord("a") for c in word]
        shown = [
            [x if i + 1 in values else None for i, x in enumerate(side)] for side in originals[row]
        ]
        for i in range(5):
            if flags[i]:
                wanted = bounds(*shown, letters, level, letters[i])
                assert (low[i], high[i]) == pytest.approx(wanted, rel=1e-6, abs=1e-6)


def test_without_a_published_domain_only_shown_positions_can_clip(con, truth):
    rows = estimated(con, customized([1, 2, 3], [2, 3, 4, 5], "false"), "clip := true")
    assert any(math.isinf(x) for row in rows for x in row[1])
    mixed = (
        "(select * exclude (domain_low, domain_high) from "
        f"tanon.publish_series_parts(''released'', [1, 2, 3, 4, 5], [5], {KEPT}) where id % 2 = 0 "
        "union all by name select * exclude (domain_low, domain_high) from "
        f"tanon.publish_series_parts(''released'', [1, 2, 3], [2, 3, 4, 5], {KEPT}) where id % 2 "
        f"= 1)"
    )
    rows = estimated(con, mixed, "clip := true")
    assert len(rows) == len(truth)
    assert not any(math.isinf(x) for row in rows for x in row[1] + row[2])


def test_a_cell_without_range_and_letter_stays_empty(con, truth):
    for _, low, high, word, _, flags, _ in estimated(con, customized([1, 2, 3], [1, 2, 4])):
        assert (low[4], high[4], word[4], flags[4]) == (None, None, ".", False)


def test_a_shared_word_that_contradicts_the_ranges_is_flagged(con):
    con.execute(
        "create table released as select [10.0, 1, null] as low, [12.0, 2, null] as high, "
        "'abb' as word, 2 as level"
    )
    rows = con.execute("from tanon.estimate_withheld_ranges('released')").fetchall()
    assert rows[0][-1] is False


def test_row_order_and_threads_do_not_matter(con, truth):
    source = customized([2, 4, 5], [1, 2, 3, 4, 5])
    wanted = sorted(map(repr, estimated(con, source)))
    con.execute("create table again as from released order by hash(id)")
    con.execute("set threads = 1")
    assert sorted(map(repr, estimated(con, source.replace("released", "again")))) == wanted


def test_no_row_and_no_release(con, truth):
    con.execute("delete from released")
    assert estimated(con, customized([1, 2], [2, 3]), "clip := true") == []
    with pytest.raises(
        Exception, match=r"estimate_withheld_ranges: release must be .* got one without"
    ):
        con.execute("from tanon.estimate_withheld_ranges('(select [1.0] as low)')").fetchall()
    with pytest.raises(
        Exception, match=r"estimate_withheld_ranges: the release must be .* of one length"
    ):
        con.execute(
            "from tanon.estimate_withheld_ranges('(select [1.0] as low, [2.0] as high, ''ab'' as "
            "word, "
            "2 as level)')"
        ).fetchall()


@pytest.mark.parametrize(("word", "level"), series_tables.FOREIGN_WORDS)
def test_letters_that_the_level_does_not_have_are_refused(con, word, level):
    series_tables.load_word(con, word, level)
    message = r"tanon.estimate_withheld_ranges: .* letters of their level, got 1 words"
    with pytest.raises(Exception, match=message):
        con.execute("from tanon.estimate_withheld_ranges('released')").fetchall()
