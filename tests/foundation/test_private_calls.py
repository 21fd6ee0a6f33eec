"""A mistake in a private macro, or in a call of one, is reported with file and line."""

from pathlib import Path

import duckdb
import pytest

from tanon_duck.macros import macro_lint, private_calls

pytestmark = pytest.mark.quick

MACROS = """-- Macros; tanon._nothing(1) is only named here.
create or replace macro tanon._half(x) as x / 2; -- tanon._nothing(2)

create or replace macro tanon._quarter(x) as
    tanon._half({});
"""
KNOWN = {"_half", "_quarter"}


def found(call):
    texts = {"f.sql": private_calls.without_comments(MACROS.replace("{}", call))}
    return [*private_calls.syntax_errors(texts), *private_calls.mistakes(texts, KNOWN)]


def test_right_macros_have_no_mistakes():
    assert found("tanon._half(x)") == []


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("tanon._haf(x)", "f.sql:5: there is no macro tanon._haf; did you mean '_half'?"),
        ("x, 2", "f.sql:5: tanon._half takes 1 arguments, got 2"),
        ("x 2", 'f.sql:5: syntax error at or near "2"'),
    ],
)
def test_a_mistake_is_reported_with_file_and_line(call, said):
    assert found(call) == [said]


def test_a_misspelt_macro_in_a_header_is_reported_with_file_and_line():
    text = "-- A sentence.\n-- Checks:\n--   k  tanon._haf(k) > 1  a number\n\nselect tanon._no()"
    told = list(private_calls.mistakes_in_headers({"f.sql": text}, KNOWN))
    assert told == ["f.sql:3: there is no macro tanon._haf; did you mean '_half'?"]


def test_what_duckdb_refuses_is_reported_with_the_place_of_the_macro():
    statement = "create or replace macro tanon._folded(x) as y"
    error = duckdb.BinderException("Binder Error: no y\n\nLINE 1: ...")
    said = str(macro_lint.located(statement, error))
    file, line, rest = said.split(":", 2)
    assert (file, rest) == ("sql/private/arguments.sql", " Binder Error: no y")
    written = (Path(__file__).parents[2] / file).read_text().splitlines()[int(line) - 1]
    assert written.startswith("create or replace macro tanon._folded(x)")
