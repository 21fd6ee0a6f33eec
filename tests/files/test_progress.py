"""The bar for those who wait, and Ctrl-C for those who do not."""

import io
import os
import re
from pathlib import Path

import duckdb
from terminals import CTRL_C, terminal_of

from tanon_duck.interfaces.progress_bar import ProgressBar

ROOT = Path(__file__).resolve().parents[2]
# Two seconds and more on any machine: the first row alone holds up the scan.
SLOW = """
import time, tanon_duck.interfaces.files.run_function as files
from tanon_duck import cli
load = files.load
def slowly(*arguments):
    load(*arguments)
    arguments[0].execute("select count(distinct hash(range)) from range(300000000)").fetchall()
files.load = slowly
raise SystemExit(cli.main({words!r}))
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_bar_waits_two_seconds_and_wipes_itself_away():
    with duckdb.connect() as con:
        terminal = Terminal()
        bar = ProgressBar(con, terminal)
        bar.watch(1.9)
        assert terminal.getvalue() == ""
        bar.watch(2.1)
        assert re.search(r"░ +0 %  2 s", terminal.getvalue())
        bar.wipe()
        assert terminal.getvalue().endswith("\r")
        assert terminal.getvalue().split("\r")[-2].strip() == ""


def test_no_bar_where_there_is_no_terminal():
    with duckdb.connect() as con:
        output = io.StringIO()
        bar = ProgressBar(con, output)
        bar.watch(10)
        bar.wipe()
        assert output.getvalue() == ""


def test_the_bar_shows_how_far_the_query_is():
    class HalfDone:
        def execute(self, _sql):
            return self

        def query_progress(self):
            return 50.0

    terminal = Terminal()
    ProgressBar(HalfDone(), terminal).watch(7.4)
    bar = terminal.getvalue().strip("\r")
    assert bar.count("█") == bar.count("░") > 0
    assert bar.endswith(" 50 %  7 s")


def test_at_a_terminal_the_bar_is_drawn_and_ctrl_c_leaves_nothing(con, tmp_path):
    con.execute(f"copy (select range as a, range as b from range(300)) to '{tmp_path}/t.parquet'")
    words = ["k_anonymity", "t.parquet", "--respondent=a", "--qi=b", "-o", "out.parquet"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with terminal_of(SLOW.format(words=words), environment, tmp_path, status=2) as terminal:
        terminal.expect("%  2 s")
        terminal.type(CTRL_C)
        rest = terminal.rest()
    assert "tanon-duck: interrupted; nothing was written" in rest
    assert "Traceback" not in rest
    assert [p.name for p in tmp_path.iterdir()] == ["t.parquet"]
