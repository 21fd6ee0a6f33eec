"""Headers and kinds: what is written is what is meant, and nonsense is refused."""

import pytest

from tanon_duck.errors import TemplateError
from tanon_duck.macros import header, kinds

TEXT = """-- What it
-- does.
--
-- More about it,
-- on two lines.
--
-- Arguments:
--   source  relation(low DOUBLE[], pr VARCHAR)  where from
--   ts      column(time) not null = NULL        when, and a long
--           meaning
-- Checks:
--   ts  ts <> 'x'  anything but x
-- Result:
--   source.*  as in source  all of it
--   n         BIGINT        how many
-- Example:
--   from tanon.f(
--       't')

select 1
-- a comment of the body
"""


def test_a_whole_header():
    comment, body = header.split(TEXT)
    h = header.parse(comment)
    assert body == "select 1\n-- a comment of the body"
    assert h.summary == "What it does."
    assert h.details == "More about it,\non two lines."
    assert [a.name for a in h.arguments] == ["source", "ts"]
    assert h.arguments[0].kind.columns == (("low", "DOUBLE[]"), ("pr", "VARCHAR"))
    assert h.arguments[1].meaning == "when, and a long meaning"
    assert h.arguments[1].is_optional
    assert h.signature() == "source, ts := NULL"
    assert h.checks == (header.Check("ts", "ts <> 'x'", "anything but x"),)
    assert h.added_columns() == ["n"]
    assert h.passed_columns() == ["source.*"]
    assert h.example == "from tanon.f(\n    't')"


def test_a_check_of_names_tells_which_are_known():
    assert header.Check("levels", "tanon._f(levels) among qi", "x").among == (
        "tanon._f(levels)",
        "qi",
    )
    assert header.Check("ts", "ts <> 'x'", "x").among is None


@pytest.mark.parametrize(
    "comment",
    ["No full stop\n", "Fine.\n\nArguments:\n  a column who\n", "A.\n\nResult:\n  x\n"],
)
def test_nonsense_is_refused(comment):
    with pytest.raises(TemplateError):
        header.parse(comment)


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        ("relation", "a table, a view or a query in parentheses"),
        ("relation(low DOUBLE[])", "a table, a view or a query in parentheses with columns low"),
        ("column", "a column of source"),
        ("column(time) not null", "a DATE or TIMESTAMP column of source"),
        (
            "column(integer, time) of other",
            "an integer column or a DATE or TIMESTAMP column of other",
        ),
        ("columns(number)", "columns of source, none twice, each a numeric column"),
        ("integer > 1", "an integer > 1"),
        ("integer in [2, 26]", "an integer in [2, 26]"),
        ("number in [0, 1)", "a number in [0, 1)"),
        ("one of 'a', 'b'", "one of 'a', 'b'"),
        ("boolean", "a boolean"),
        (
            "count or share",
            "a count of at least 1, or a share in (0, 1] with a decimal point",
        ),
    ],
)
def test_kinds_say_what_they_allow(words, allowed):
    assert kinds.parse(words).allowed == allowed


@pytest.mark.parametrize("words", ["colum", "integer >> 1", "number in 0, 1", "list", ""])
def test_unknown_kinds_are_refused(words):
    with pytest.raises(TemplateError, match="unknown kind of argument"):
        kinds.parse(words)


@pytest.mark.parametrize(
    ("words", "bounds"),
    [
        ("integer > 1", ("1", "'-inf'::double", "'inf'::double", "'inf'::double")),
        ("number in [0, 1)", ("'-inf'::double", "0", "'inf'::double", "1")),
        ("number in (0, 1]", ("0", "'-inf'::double", "1", "'inf'::double")),
    ],
)
def test_bounds(words, bounds):
    assert kinds.parse(words).bounds == bounds
