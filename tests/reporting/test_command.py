"""tanon-duck report: files in, a page out, and a status for a pipeline."""

import pytest

from tanon_duck import cli

WORDS = ["--respondent", "patient", "--qi", "sex", "--ts", "admitted", "-k", "5", "--quiet"]


@pytest.fixture
def visits(demo_con, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy visits to 'visits.parquet'")
    return tmp_path


def report(*more):
    return cli.main(["report", "events", "visits.parquet", *WORDS, *more])


def test_the_status_says_whether_the_promise_holds(visits):
    assert report("--granularities", "week,month", "-o", "a.html") == 0
    assert report("--granularities", "day", "-o", "b.html") == 1
    assert "does not hold" in (visits / "b.html").read_text()


def test_what_cannot_be_told_is_two_and_nothing_is_written(visits, capsys):
    assert report("--granularities", "week", "-o", "a.html", "--keep", "zpi") == 2
    assert "zpi" in capsys.readouterr().err
    (visits / "a.html").write_text("mine")
    assert report("--granularities", "week", "-o", "a.html") == 2
    assert (visits / "a.html").read_text() == "mine"
    assert report("--granularities", "month", "-o", "a.html", "--force") == 0
    assert report("--granularities", "month", "-o", "a.pdf") == 2
    assert sorted(p.name for p in visits.iterdir()) == ["a.html", "visits.parquet"]


def test_the_sql_of_its_facts(visits, demo_con, capsys):
    assert report("--granularities", "week,month", "-o", "a.html", "--sql") == 0
    facts = demo_con.execute(capsys.readouterr().out).fetchall()
    call = """from tanon.report_events('visits', respondent := 'patient', qi := ['sex'],
        ts := 'admitted', granularities := ['week', 'month'], k := 5)"""
    asked = [fact for fact in facts if fact[0] != "utility"]
    assert asked == demo_con.execute(call).fetchall() and len(asked) < len(facts)
    assert sorted(p.name for p in visits.iterdir()) == ["visits.parquet"]


def test_it_says_how_to_make_it_again(visits, capsys):
    assert report("--granularities", "month", "--audience", "public") == 0
    page = capsys.readouterr().out
    assert "k := 5" in page and "source := &#39;visits.parquet&#39;" in page


@pytest.mark.parametrize("kind", ["events", "itemsets"])
def test_the_help_of_a_kind_begins_as_typed(kind, capsys):
    with pytest.raises(SystemExit) as raised:
        cli.main(["report", kind, "--help"])
    shown = capsys.readouterr().out
    assert raised.value.code == 0
    assert shown.startswith(f"usage: tanon-duck report {kind} INPUT")
    assert f"tanon-duck report {kind} " in shown.partition("example:")[2]
    assert "--audience" in shown and "--no-manifest" not in shown


def test_the_input_as_an_option_is_refused_with_what_to_do(capsys):
    for words in (["report", "events"], ["k_anonymity"]):
        with pytest.raises(SystemExit) as raised:
            cli.main([*words, "--source", "visits.parquet"])
        assert raised.value.code == 2
        said = capsys.readouterr().err
        assert "--source is INPUT: name its files without an option" in said


def test_an_unknown_kind_names_the_kinds(capsys):
    for words, got in (([], "none"), (["kapra"], "kapra")):
        with pytest.raises(SystemExit) as raised:
            cli.main(["report", *words])
        assert raised.value.code == 2
        said = capsys.readouterr().err
        assert "KIND must be one of events, itemsets, series, stream, table_pair" in said
        assert f"got {got}" in said
