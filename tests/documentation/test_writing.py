"""Check the rules of docs/writing.md that a test can check, for pages that follow them."""

import re
from pathlib import Path

import pytest

from tanon_duck.macros import catalog

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[2]
DECISIONS = sorted(f"docs/decisions/{path.name}" for path in (ROOT / "docs/decisions").glob("*.md"))
# This list grows: add a page here once it follows docs/writing.md.
PAGES = (
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "docs/architecture.md",
    *DECISIONS,
    "docs/glossary.md",
    "docs/guides/doors.md",
    "docs/guides/events.md",
    "docs/guides/gate.md",
    "docs/guides/itemsets.md",
    "docs/guides/reports.md",
    "docs/guides/roles.md",
    "docs/guides/scaling.md",
    "docs/guides/series.md",
    "docs/guides/shards.md",
    "docs/guides/spark.md",
    "docs/guides/stream.md",
    "docs/howto/coming-from.md",
    "docs/howto/files.md",
    "docs/howto/received-a-release.md",
    "docs/howto/secrets.md",
    "docs/papers.md",
    "docs/start/first-release.md",
    "docs/start/which-function.md",
    "docs/understand/choosing-k.md",
    "docs/understand/promises.md",
    "docs/sql-files.md",
    "docs/understand/report.md",
    "docs/writing.md",
    "integrations/README.md",
    "integrations/ci/README.md",
    "integrations/dbt/README.md",
)
LONGEST_PROSE = 1500  # words
LONG_SENTENCE = 25  # words
FORBIDDEN = {
    "things that tell or are told": r"\b(is|are|was|were|be) (told|asked)\b"
    r"|\btells? (no|how|what|whether|of|that|nothing|it)\b|\bsays of\b",
    "leaves, stays home, left out": r"\bleaves? (with|as|home|no)\b|\bwhat leaves\b"
    r"|\bstays? home\b|\b(left|leaves?|leaving) out\b",
    "a relative clause as the subject": r"(?:^|[.;:,] )(?:[Ww]ho(?:ever)|[Ww]hat(?:ever)?)"
    r" (?!is\?|do|does|to\b)[a-z]+ [a-z]+(?![^.?]*\?)",
    "pronouns without a noun": r"\b(of these|of those|of them|those that|those of|that of)\b",
    "where for if": r"(?:^|, |; )[Ww]here (?!the |each )[a-z]+ (?:is|are|has|have|was|may|can)\b",
    "private everyday words": r"\bthat (is|are) there\b|\bin vain\b|\bso many\b|\bas far as\b"
    r"|\b(alone|beside|besides)\b|\bholds? against\b|\bkept\b",
    "semicolons": r";",
}


def prose_of(page):
    """Return the text of a page without code blocks, tables, headings, comments and pictures."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text(), flags=re.M | re.S)
    text = re.sub(r"^\s*(\||#|<!--|!\[).*$", "", text, flags=re.M)
    text = re.sub(r"^\s*(?:[-*]|\d+\.) ", "\n", text, flags=re.M)  # an item is a paragraph
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"``?[^`]*``?", "X", text).replace("**", "")


def sentences_of(page):
    """Return the sentences of a page that have more than two words, in one line each."""
    parts = re.split(r"(?<=[.!?:])\s+(?=[A-Z\"])|\n\s*\n", prose_of(page))
    return [" ".join(part.split()) for part in parts if len(part.split()) > 2]


@pytest.mark.parametrize("page", PAGES)
def test_sentences_are_short(page):
    sentences = sentences_of(page)
    long = [sentence for sentence in sentences if len(sentence.split()) > LONG_SENTENCE]
    assert len(long) <= 0.12 * len(sentences), long
    assert sum(len(sentence.split()) for sentence in sentences) <= 16 * len(sentences)


@pytest.mark.parametrize("page", PAGES)
def test_no_idiom_makes_a_reader_go_back(page):
    text = re.sub(r'"[^"]*"', "X", " ".join(prose_of(page).split()))  # quoted words are examples
    found = {
        rule: [text[max(0, m.start() - 30) : m.end() + 30] for m in re.finditer(pattern, text)]
        for rule, pattern in FORBIDDEN.items()
    }
    assert {rule: places for rule, places in found.items() if places} == {}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_not_too_long(page):
    assert len(prose_of(page).split()) <= LONGEST_PROSE


def test_the_choice_of_functions_names_only_what_exists():
    functions = catalog.functions()
    arguments = {a.name for f in functions.values() for a in f.header.arguments}
    page = (ROOT / "docs/start/which-function.md").read_text()
    names = set(re.findall(r"`([a-z]\w*_\w+)`", page))
    assert len(names) > 20 and names <= set(functions) | arguments
