"""The modes in which results are shown."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random

import duckdb
import pytest
from shell.sitting import ask

from tanon_duck.doors.prompt.display import MODES, Look, show


def shown(mode: str, sql: str) -> str:
    with duckdb.connect() as connection:
        output = io.StringIO()
        show(connection.sql(sql), Look(mode, max_width=200), output)
    return output.getvalue()


def test_box_is_the_box_of_duckdb() -> None:
    assert shown("box", "select 1 as a, 'x' as b, 2 as a") == (
        "┌───────┬─────────┬───────┐\n"
        "│   a   │    b    │   a   │\n"
        "│ int32 │ varchar │ int32 │\n"
        "├───────┼─────────┼───────┤\n"
        "│     1 │ x       │     2 │\n"
        "└───────┴─────────┴───────┘\n"
    )


def test_box_shows_as_many_rows_as_asked() -> None:
    answer = ask(".maxrows 4\nfrom range(100);")
    assert "100 rows" in answer.output
    assert "(4 shown)" in answer.output
    assert "│ 50 │" not in answer.output


def test_csv_quotes_only_where_needed_and_tells_null_from_empty() -> None:
    sql = """select * from (values (1, null, ''), (2, 'a,b', 'say "x"')) t(n, "o,k", w)"""
    assert shown("csv", sql) == 'n,"o,k",w\n1,,""\n2,"a,b","say ""x"""\n'


def test_csv_is_read_back_as_it_was(tmp_path: Path) -> None:
    random = Random(5)
    pieces = [",", '"', "\n", "\r", " ", "a", "é", ";", "NULL", "'", "\t", "\\"]
    texts = ["".join(random.choices(pieces, k=random.randrange(5))) for _ in range(400)]
    rows = list(zip([*texts, None, None], [None, *texts, None], strict=True))
    written = written_and_read(rows, tmp_path / "t.csv")
    assert written == [(number, *row) for number, row in enumerate(rows)]


def written_and_read(rows: list[tuple[str | None, str | None]], path: Path) -> list[object]:
    with duckdb.connect() as connection:
        connection.execute("create table t (n integer, a varchar, b varchar)")
        for number, row in enumerate(rows):
            connection.execute("insert into t values (?, ?, ?)", [number, *row])
        with path.open("w", encoding="utf-8", newline="") as output:
            show(connection.sql("from t order by n"), Look("csv"), output)
        types = "{'n': 'INTEGER', 'a': 'VARCHAR', 'b': 'VARCHAR'}"
        return connection.execute(
            "from read_csv($1, header=true, columns=" + types + ", allow_quoted_nulls=false, "
            "auto_detect=false, quote='\"', escape='\"', delim=',')",
            [str(path)],
        ).fetchall()


def test_json_is_one_array_of_objects() -> None:
    sql = 'select 1 as a, [1, null] as "b""c", null as d, \'é"\' as e, date \'2020-01-02\' as f'
    expected = {"a": 1, 'b"c': [1, None], "d": None, "e": 'é"', "f": "2020-01-02"}
    assert json.loads(shown("json", sql)) == [expected]
    assert json.loads(shown("json", "select 1 as a where false")) == []
    assert [
        row["i"] for row in json.loads(shown("json", "select range as i from range(5000)"))
    ] == [*range(5000)]


def test_markdown_keeps_cells_apart() -> None:
    sql = "select 1 as n, 'a|b' as \"x|y\", null as z, e'p\\nq' as w"
    assert shown("markdown", sql) == (
        "| n | x\\|y | z | w |\n| --: | --- | --- | --- |\n| 1 | a\\|b | NULL | p<br>q |\n"
    )


def test_line_shows_one_value_per_line() -> None:
    assert shown("line", "select * from (values (1, 'x'), (2, null)) t(a, long)") == (
        "   a = 1\nlong = x\n\n   a = 2\nlong = NULL\n"
    )


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_takes_every_shape(mode: str) -> None:
    for sql in (
        "select 1 as a, 2 as a",
        'select 1 as "a ""b", 2 as "select", 3 as "Ünï.code"',
        "select null as n where false",
        "select {'a': [1, 2]} as s, map {'k': 1} as m, 'x'::blob as b, interval 1 day as i",
        "select 'infinity'::double as d, timestamp '2020-01-01' as t, 1.5::decimal(4, 2) as c",
    ):
        assert shown(mode, sql) or "where false" in sql


class Full(io.StringIO):
    """Takes a little and then no more."""

    def write(self, text: str) -> int:
        if self.tell() > 1000:
            raise BrokenPipeError
        return super().write(text)


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "box"])
def test_output_that_ends_early_leaves_the_connection_usable(mode: str) -> None:
    with duckdb.connect() as connection:
        with pytest.raises(BrokenPipeError):
            show(connection.sql("from range(1000000)"), Look(mode), Full())
        assert connection.sql("select 1").fetchall() == [(1,)]


@pytest.mark.parametrize("mode", MODES)
def test_a_failure_leaves_the_connection_usable(mode: str) -> None:
    with duckdb.connect() as connection:
        relation = connection.sql(
            "select if(range = 9000, error('too late'), range) from range(1000000)"
        )
        with pytest.raises(duckdb.Error, match="too late"):
            show(relation, Look(mode), io.StringIO())
        assert connection.sql("select 1").fetchall() == [(1,)]
