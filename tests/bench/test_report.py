"""What is printed, kept and copied."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import _report, _results
from bench.__main__ import main, parse, topics
from bench.harness import Goal, Judgement, Outcome, Row


def example() -> Outcome:
    return Outcome(
        "speed | quality",
        rows=[
            Row("ours", "ours", 1000, "ok", "", 0.5, 0.6, 0.2, 5, 12.0, {"loss": 0.07}),
            Row("pycanon", "peer", 1000, "absent", "pycanon is not installed"),
            Row("plain", "baseline", 1000, "ok", "", 0.25, 0.3, 0.1, 5, 3.0),
        ],
        growth={"ours": 1.04},
        judgements=[
            Judgement("seconds: ours / plain", 2.0, "<= 1.1", 0.9, False, "ours / plain SQL"),
            Judgement("seconds: pycanon / ours", None, ">= 100", None, None),
        ],
    )


def goals_of(comparison: str) -> list[Goal]:
    """Return the goals whose judgements stand in `example`."""
    first = Goal("ours", over="plain", at_most=1.1, hope=0.9, headline="ours / plain SQL")
    return [first, Goal("pycanon", over="ours", at_least=100)]


def test_text_shows_every_contender_the_absent_ones_too():
    printed = _report.text(example())
    assert "pycanon is not installed" in printed
    assert "n^1.04" in printed
    assert "SHORT OF IT" in printed
    assert "not measured" in printed
    lines = [line.split() for line in printed.splitlines()[3:6]]
    assert [line[1:3] for line in lines] == [
        ["ours", "0.500"],
        ["pycanon", "absent"],
        ["plain", "0.250"],
    ]


def test_ratios_are_to_the_fastest_at_the_same_size():
    header, cells = _report.measured(example())
    column = header.index("x fastest")
    assert [line[column] for line in cells] == ["2.00", "", "1.00"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, ""),
        (0.0, "0.00"),
        (0.0001234, "0.000123"),
        (1.0, "1.00"),
        (12.34, "12.3"),
        (999.4, "999"),
        (1234567.8, "1,234,568"),
        (7, "7"),
        (True, "True"),
        ("word", "word"),
        (-5.5, "-5.50"),
    ],
)
def test_numbers_read_well(value, said):
    assert _report.number(value) == said


def test_results_survive_the_way_through_json():
    outcome = example()
    back = _results.revive(json.loads(json.dumps(_report.as_json(outcome))))
    assert back == outcome


def test_a_topic_kept_anew_replaces_only_itself(tmp_path: Path):
    machine = {"date": "2026-01-01", "processor": "abacus"}
    one = {"machine": machine, "seconds": 61.4, "outcomes": [_report.as_json(example())]}
    drawn = Outcome("a chart", finding="It falls.", verdict="holds: it falls", table=[{"k": 2}])
    two = {"machine": machine, "seconds": 5.0, "outcomes": [_report.as_json(drawn)]}
    _results.keep("kp", one, {}, tmp_path, goals_of)
    _results.keep("papers", two, {"a chart": "<svg/>"}, tmp_path, goals_of)
    _results.keep("papers", two, {"a chart": "<svg/>", "b": "<svg/>"}, tmp_path, goals_of)
    _results.keep("papers", two, {"a chart": "<svg/>"}, tmp_path, goals_of)
    written = (tmp_path / "RESULTS.md").read_text()
    assert [path.name for path in (tmp_path / "charts").iterdir()] == ["papers-a-chart.svg"]
    assert "![a chart](charts/papers-a-chart.svg)" in written
    assert "### speed \\| quality" in written or "### speed | quality" in written
    assert "0 of 2 goals met" in written
    assert "- took: 61 s" in written
    assert "| a chart | It falls. | holds: it falls |" in written
    assert "| ours / plain SQL | 2.00 | <= 1.1 | short of it |" in written


def test_topics_are_the_files_and_unknown_ones_are_refused(capsys: pytest.CaptureFixture[str]):
    assert not {"harness", "__main__", "_report"} & set(topics())
    with pytest.raises(SystemExit):
        parse(["no_such_topic"])
    assert "unknown topic no_such_topic" in capsys.readouterr().err


def test_results_are_not_kept_from_a_busy_machine(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("os.getloadavg", lambda: (7.25, 7.0, 7.0))
    with pytest.raises(SystemExit):
        parse(["--results"])
    assert "the load is 7.2; --busy overrides" in capsys.readouterr().err
    assert parse(["--results", "--busy"]).results
    monkeypatch.setattr("os.getloadavg", lambda: (0.1, 7.0, 7.0))
    assert parse(["--results"]).results


def test_the_command_reports_a_failing_topic_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    import bench
    from bench import __main__ as command

    (tmp_path / "good_fake.py").write_text(
        "from bench.harness import Contender\n"
        "def run(bench):\n"
        "    a = Contender('a', id)\n"
        "    bench.compare('g', setup=int, contenders=[a], sizes=(1,), quick_sizes=(1,))\n"
    )
    (tmp_path / "bad_fake.py").write_text(
        "def run(bench):\n    raise RuntimeError('broken topic')\n"
    )
    monkeypatch.setattr(bench, "__path__", [*bench.__path__, str(tmp_path)])
    monkeypatch.setattr(command, "topics", lambda: ["bad_fake", "good_fake"])
    kept = tmp_path / "kept.json"
    assert main(["--quick", "--json", str(kept)]) == 1
    assert main(["--quick", "good_fake"]) == 0
    report = json.loads(kept.read_text())["topics"]
    assert report["bad_fake"]["stopped"] == "RuntimeError: broken topic"
    assert report["good_fake"]["outcomes"][0]["rows"][0]["status"] == "ok"
    assert "broken topic" in capsys.readouterr().err


def test_results_begin_with_the_headline_ratios():
    results = (Path(_results.__file__).parent / "RESULTS.md").read_text()
    table = results.split(_results.BEGIN)[1].split(_results.END)[0]
    assert table.count("\n") > 3


def test_results_were_written_by_the_command_that_is_here():
    folder = Path(_results.__file__).parent
    known = json.loads((folder / "results.json").read_text())
    page = _results.page(known, folder / "charts")
    assert (folder / "RESULTS.md").read_text() == page, "run: python -m bench --render"
