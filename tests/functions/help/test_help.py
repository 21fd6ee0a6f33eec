"""Help as lines that fit a screen, and the same as a table."""

import re

import pytest

from tanon_duck.former_names import FORMER_NAMES
from tanon_duck.macros import catalog
from tanon_duck.parsers import COMMANDS

FUNCTIONS = sorted(catalog.functions())
_FRAME = 4


def page(con, *name):
    call = "from tanon.help(?)" if name else "from tanon.help()"
    return [line for (line,) in con.execute(call, list(name)).fetchall()]


def test_a_list_of_all_or_one_in_full_as_a_table(con):
    call = "from tanon.help(lines := false) where function = 'k_anonymity'"
    (row,) = con.execute(call).fetchall()
    function, topic, signature, summary, needs_python, example = row
    assert (function, topic, needs_python) == ("k_anonymity", "k_anonymity", False)
    assert signature.startswith("tanon.k_anonymity(source, respondent := NULL, qi := ")
    assert summary == "Returns the largest k for which a table is k-anonymous."
    assert example.startswith("from tanon.k_anonymity('visits'")
    one = con.execute("from tanon.help('k_anonymity', lines := false)").fetchall()
    assert one[0] == ("summary", "", "", summary)
    assert (
        "argument",
        "respondent",
        "column not null as respondent",
        "the respondent of the row",
    ) in one
    assert one[-1] == ("example", "", "", example)


def test_the_prefix_may_be_written(con):
    assert page(con, "tanon.version") == page(con, "version")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_page_fits_a_screen_and_leaves_no_word_out(con, name):
    lines = page(con, name)
    assert max(map(len, lines)) <= 80 - _FRAME
    header = catalog.function(name).header
    words = " ".join(lines).split()
    for text in (header.summary, header.details, header.example):
        wanted = text.split()
        assert any(
            words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1)
        )
    said = " ".join(words)
    for argument in header.arguments:
        told = f"{argument.name} ({argument.words}): {argument.meaning}"
        assert " ".join(told.split()) in said
    example = "\n".join(lines[lines.index("Example:") + 1 :])
    for text in re.findall(r"'(?:[^']|'')*'", example):
        assert "\n" not in text or "from" in text  # in a query a break means nothing


def test_all_functions_stand_in_the_first_page_by_topic(con):
    lines = page(con)
    assert len(lines) <= 40  # what a shell shows without being asked
    assert set(re.findall(r"\w+", " ".join(lines))) >= set(FUNCTIONS)
    assert lines[-1] == "tanon.help('k_anonymity') all of one function."
    topics = re.findall(r"^  (\w+):", "\n".join(lines), re.M)
    assert topics == sorted({f.topic for f in catalog.functions().values()})


def test_a_topic(con):
    lines = page(con, "l_diversity")
    assert lines[0] == "diverse_groups"
    assert [line for line in lines if not line.startswith(" ")] == sorted(
        f.name for f in catalog.functions().values() if f.topic == "l_diversity"
    )


@pytest.mark.parametrize(
    ("word", "function"),
    [
        ("KAPRA", "publish_series"),
        ("risk", "risk_by_granularity"),
        ("gen_c", "granularity_metrics"),
    ],
)
def test_a_word_of_the_papers_finds_functions(con, word, function):
    assert function in page(con, word)


@pytest.mark.parametrize("word", ["kp_anonymize", "tanon.kp_anonymize"])
def test_a_former_name_is_answered_with_the_name_of_today(con, word):
    with pytest.raises(Exception, match="it is now called 'publish_series'"):
        page(con, word)


def test_every_former_name_has_a_name_of_today():
    arguments = {a.name for f in FUNCTIONS for a in catalog.function(f).header.arguments}
    kinds = {name.removeprefix("report_") for name in FUNCTIONS if name.startswith("report_")}
    assert set(FORMER_NAMES.values()) <= {*FUNCTIONS, *arguments, *kinds, *COMMANDS}
