"""The check of operators: by one digest where that is known, by two plans where it is not."""

import re

import pytest

from tanon_duck.macros import catalog, create_statements, operators

REPLACED = "create macro main.\"||\"(a, b) as 'nothing'"


def test_the_digest_is_that_of_this_duckdb(con):
    """Else each call would compare two plans, which takes twice as long."""
    known = operators.plan(catalog.file_text("private/operators.sql"))
    asked = "select version(), sha256(tanon._serialized(tanon._operators()))"
    assert con.execute(asked).fetchall() == [(known.version, known.digest)]


@pytest.mark.parametrize("changed", ["version() = '", "tanon._operators()) = '"])
def test_without_a_digest_the_plans_are_compared(con, changed):
    (macro,) = (s for s in create_statements.private_statements() if "macro tanon._replaced(" in s)
    name = re.escape(changed.split("(")[0])
    other = re.sub(rf"({name}\([^']*= ')", r"\1not ", macro).replace("tanon._replaced", "asked")
    assert other.count("'not ") == 1
    con.execute(other)
    assert con.execute("select asked('tanon.f')").fetchall() == [(None,)]
    con.execute(REPLACED)
    assert "got a macro for one" in con.execute("select asked('tanon.f')").fetchall()[0][0]


def test_a_replaced_operator_changes_the_digest(con):
    asked = "select system.main.sha256(tanon._serialized(tanon._operators()))"
    before = con.execute(asked).fetchall()
    con.execute(REPLACED)
    assert con.execute(asked).fetchall() != before
    assert (
        "got a macro for one" in con.execute("select tanon._replaced('tanon.f')").fetchall()[0][0]
    )
