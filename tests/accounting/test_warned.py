"""What the owner should know is told when a release is made, without another search."""

import pytest

import tanon_duck
from tanon_duck import cli

OPTIONS = {
    "source": "visits",
    "respondent": "patient",
    "qi": ["sex"],
    "ts": "admitted",
    "granularities": ["week", "2 weeks", "month"],
    "k": 5,
    "max_suppression": 0.05,
    "keep": ["diagnosis", "zip"],
}
WORDS = ["publish_events", "visits.parquet", "--respondent", "patient", "--qi", "sex", "--ts"]
WORDS += ["admitted", "--granularities", "week,2 weeks,month", "-k", "5"]
WORDS += ["--max-suppression", "0.05", "--keep", "diagnosis,zip"]


def wanted(con, **more):
    """The same by the function, which searches again."""
    asked = OPTIONS | more | {"result": "warnings"}
    given = ", ".join(f"{name} := ${name}" for name in asked)
    rows = con.execute(f"from tanon.publish_events({given})", asked).fetchall()
    return {(name, column, n) for name, column, n, _, _ in rows}


def heads(lines):
    """Name, column and number of each line."""
    found = set()
    for line in lines:
        head, _, tail = line.partition(": ")
        name, _, column = head.partition(" (")
        number = next(word for word in tail.split() if word.isdigit())
        found.add((name, column.strip(")") or None, int(number)))
    return found


@pytest.mark.parametrize(
    "more",
    [{}, {"remainder": True}, {"suppression": "cells"}, {"keep": ["diagnosis"]}, {"keep": []}],
)
def test_a_release_warns_of_what_the_function_finds(demo_con, more):
    made = tanon_duck.release(demo_con, "publish_events", into="out", **(OPTIONS | more))
    assert heads(made.warnings) == wanted(demo_con, **more)


def test_identifiers_of_the_source_are_looked_at(demo_con):
    demo_con.execute(
        "create or replace table visits as select * replace (case when patient = 'p001' "
        "then 'P001 ' else patient end as patient, 'of p017' as zip) from visits union all "
        "select * replace ('p001' as patient, 'of p017' as zip) from visits limit 451"
    )
    made = tanon_duck.release(
        demo_con, "publish_events", into="out", **(OPTIONS | {"allow_identifying": ["zip"]})
    )
    lines = made.warnings
    assert any(line.startswith("identifiers alike (patient): 2 respondents") for line in lines)
    assert lines[0].startswith("identifier in a text (zip): 1 respondents")


@pytest.mark.parametrize("target", [["-o", "out.csv"], ["-o", "out.csv", "--no-manifest"], []])
def test_the_command_line_prints_them(demo_con, tmp_path, monkeypatch, capsys, target):
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy visits to 'visits.parquet'")
    assert cli.main([*WORDS, *target]) == 0
    shown = capsys.readouterr()
    lines = [line for line in shown.err.splitlines() if line.startswith("tanon-duck: warning: ")]
    assert heads(line.removeprefix("tanon-duck: warning: ") for line in lines) == wanted(demo_con)
    rows = shown.out if not target else (tmp_path / "out.csv").read_text()
    published = demo_con.execute(
        "from tanon.publish_events(" + ", ".join(f"{name} := ${name}" for name in OPTIONS) + ")",
        OPTIONS,
    ).fetchall()
    assert rows.splitlines()[1:] == [",".join(map(str, row)) for row in published]


def test_a_copy_for_the_owner_warns_of_nothing(demo_con, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy visits to 'visits.parquet'")
    assert cli.main([*WORDS, "--for-owner", "-o", "own.csv"]) == 0
    assert "warning" not in capsys.readouterr().err
