"""What the demo runs, printed as SQL."""

import re

from tanon_duck import cli, connect, demo
from tanon_duck.macros.catalog import file_text, functions


def test_what_is_printed_is_what_the_demo_runs(con, capsys):
    assert cli.main(["demo", "--sql"]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 160
    # What is left is a relation that a function is given as a query.
    called = set(re.findall(r"(?<!\(from )\btanon\.([a-z]\w*)\(", printed))
    assert [name for name in called if not functions()[name].is_scalar] == []
    assert "-- sql/steps/time/feasible.sql:" in printed
    parts = [demo.statements_of_tables(), file_text("statements/demo.sql")]
    calling = con.extract_statements("\n".join(parts))
    written = con.extract_statements(printed)
    assert len(written) == len(calling) > 20
    with connect() as other:
        for each, text in zip(calling, written, strict=True):
            assert other.execute(text).fetchall() == con.execute(each).fetchall()
