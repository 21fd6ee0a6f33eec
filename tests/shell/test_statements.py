"""The statement splitter against DuckDB's own tokenizer and parser."""

from __future__ import annotations

import duckdb
import pytest
from drawn import seeds
from hypothesis import example, given, settings
from hypothesis import strategies as st

from oracles.statement_ends import statements_by_tokenizer
from tanon_duck.doors.prompt.statements import StatementSplitter, is_complete, opened_at_end

# Pieces chosen to touch every rule, and to run into each other in every order.
QUOTES = ["'", '"', "''", '""', "$$", "$t$", "$é$", "e'", "E'", "x'", "\\"]
COMMENTS = ["--", "/*", "*/", "-", "/", "*", "\n", "\r"]
OTHERS = [
    "a",
    "é",
    "_",
    "1",
    "1e",
    "$1",
    "$",
    "t$",
    "a$$",
    "日本",
    ":a",
    "::",
    ".",
    "(",
    "@",
    "#",
    " ",
]
NASTY = st.lists(st.sampled_from([";", *QUOTES, *COMMENTS, *OTHERS]), max_size=25).map("".join)
STATEMENT = st.sampled_from(
    [
        "select 1;",
        'select \';\' as ";"";";',
        "select 'it''s;';",
        "select e'a\\';b\\\\';",
        "select $$;$$, $x$;$$;$x$;",
        "select 1 /* ; /* ; */ ; */ + 1;",
        "select 1 -- ; 'open\n;",
        "create macro f(x) as (x + 1);",
        "begin transaction;",
        "from t where a = ';';",
        ";",
        "\n",
        "-- nothing;\n",
        "/* nothing; */",
    ]
)


def split(text: str) -> tuple[list[str], str]:
    splitter = StatementSplitter()
    return splitter.feed(text), splitter.rest()


@settings(derandomize=True, deadline=None, max_examples=len(seeds(1500)))
@given(NASTY)
@example("select a$$;$$")
@example("1$$a;b$$;")
@example("select 'a\\'; select 2;")
def test_ends_are_where_the_tokenizer_of_duckdb_sees_them(text: str) -> None:
    assert split(text)[0] == statements_by_tokenizer(text)


@settings(derandomize=True, deadline=None, max_examples=len(seeds(300)))
@given(NASTY)
def test_line_by_line_gives_the_same_as_the_whole_text(text: str) -> None:
    splitter = StatementSplitter()
    by_line = [s for line in text.splitlines(keepends=True) for s in splitter.feed(line)]
    assert (by_line, splitter.rest()) == split(text)


@settings(derandomize=True, deadline=None, max_examples=len(seeds(200)))
@given(st.lists(STATEMENT, max_size=8))
def test_valid_statements_come_out_as_the_parser_cuts_them(pieces: list[str]) -> None:
    text = " ".join(pieces)
    statements, rest = split(text)
    assert rest == ""
    assert len(statements) == parsed(text)
    assert [parsed(statement) for statement in statements] == [1] * len(statements)


def parsed(text: str) -> int:
    """How many statements DuckDB's parser sees."""
    return len(duckdb.extract_statements(text))


@settings(derandomize=True, deadline=None, max_examples=len(seeds(200)))
@given(NASTY)
def test_nothing_is_lost_between_statements(text: str) -> None:
    statements, rest = split(text)
    cut = "".join(statements) + rest
    kept = iter(text)
    assert all(character in kept for character in cut)


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("", True),
        ("  \n", True),
        ("select 1", False),
        ("select 1;", True),
        ("select 1; -- done", True),
        ("select 1; select", False),
        ("select ';", False),
        ("select $$;", False),
        ('select ";', False),
        ("/* ;", False),
        ("-- ;", True),
        ("select e'\\';", False),
    ],
)
def test_enter_runs_only_what_is_complete(text: str, complete: bool) -> None:
    assert is_complete(text) is complete


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("select 'a", "string"),
        ("select 'a''", "string"),
        ("select 'a'''", None),
        ('select "a""', "identifier"),
        ("select $x$ $$ $y$", "dollar"),
        ("/* /* */", "comment"),
        ("select e'\\'", "escape"),
        ("select 1;", None),
    ],
)
def test_what_is_still_open_is_known(text: str, kind: str | None) -> None:
    opened = opened_at_end(text)
    assert (opened.kind if opened else None) == kind


def test_a_splitter_starts_anew_after_its_rest() -> None:
    splitter = StatementSplitter()
    splitter.feed("select 'a\n")
    assert not splitter.idle
    assert splitter.rest() == "select 'a"
    assert splitter.idle
    assert splitter.feed("select 2;\n") == ["select 2;"]
