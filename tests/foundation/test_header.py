"""Headers and kinds: what is written is what is meant, and nonsense is refused."""

import pytest

from tanon_duck.errors import TemplateError
from tanon_duck.macros import header, kinds
from tanon_duck.macros.header_lint import mistakes

pytestmark = pytest.mark.quick

TEXT = """-- What it
-- does.
--
-- More about it,
-- on two lines.
--
-- Arguments:
--   source  relation(low DOUBLE[], word VARCHAR)  where from
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
    assert h.arguments[0].kind.columns == (("low", "DOUBLE[]"), ("word", "VARCHAR"))
    assert h.arguments[1].meaning == "when, and a long meaning"
    assert h.arguments[1].is_optional
    assert h.signature() == "source, ts := NULL"
    assert h.checks == (header.Check("ts", "ts <> 'x'", "anything but x"),)
    assert h.answer().added_columns() == ["n"]
    assert h.answer().passed_columns() == ["source.*"]
    assert h.example == "from tanon.f(\n    't')"


SETS = {
    "time": """Arguments:
  uses zone
  ts  column(time) not null  when
Checks:
  ts  ts <> 'y'  not y
""",
    "zone": """Arguments:
  tz  text = NULL  whose clock
Checks:
  tz  tz <> ''  a zone
Result:
  zone  VARCHAR  the zone
""",
}


def test_sets_of_arguments_stand_where_they_are_used_and_are_checked_first():
    text = """Fine.

Arguments:
  source  relation  rows
  uses time
  k  integer > 1 = NULL  how many
Checks:
  k  k < 9  below 9
Result:
  uses zone
  n  BIGINT  how many
"""
    h = header.parse(text, SETS.__getitem__)
    assert [a.name for a in h.arguments] == ["source", "tz", "ts", "k"]
    assert [c.argument for c in h.checks] == ["tz", "ts", "k"]
    assert h.answer().added_columns() == ["zone", "n"]


WHOLE = """Fine.

Arguments:
  source  relation  rows
Result:
  n  BIGINT  how many
For: the owner
Holds: no rows, n >= source
Example:
  from tanon.f('t')
"""


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("  n  BIGINT  how many\n", "", "Result: must list the columns of a table"),
        ("For: the owner\n", "", "For: must be one of others, the owner, anybody"),
        ("tanon.f(", "tanon.g(", "Example: must call tanon.f"),
        ("n >= source", "m >= source", "Holds: m must be a column of Result: n"),
        ("n >= source", "n >= k", "Holds: k must be an argument"),
        ("the owner\n", "others\n", "Promises: must be the call of a check"),
        (
            "the owner\n",
            "others\nPromises: g(1)\n",
            "Promises: g must be a function",
        ),
        (
            "For: the",
            "Result summary:\n  n  BIGINT  all\nFor: the",
            "For: must be one of others",
        ),
        (
            "Holds",
            "Result summary:\n  n  BIGINT  all\nFor: anybody\nHolds",
            "Result: must describe",
        ),
    ],
)
def test_what_a_header_lacks_is_said_with_where_to_write_it(was, becomes, said):
    assert list(mistakes("f", {"f": header.parse(WHOLE)})) == []
    wrong = list(mistakes("f", {"f": header.parse(WHOLE.replace(was, becomes))}))
    assert [w for w in wrong if w.startswith(said)]


def test_a_function_of_violations_is_a_check():
    text = WHOLE.replace("Holds: no rows, n >= source\n", "").replace(
        "tanon.f", "tanon.f_violations"
    )
    wrong = list(mistakes("f_violations", {"f_violations": header.parse(text)}))
    assert wrong == ["Holds: must say when the check holds, as 'no rows, frequency >= k'"]


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
