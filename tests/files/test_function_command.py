"""Wrong calls of a function on files: status 2 and one sentence."""

import subprocess
import sys

import pytest

import tanon_duck
from tanon_duck import cli
from tanon_duck.macros import catalog


@pytest.fixture
def visits(demo_con, tmp_path):
    path = tmp_path / "visits.csv"
    demo_con.execute(f"copy visits to '{path}'")
    return str(path)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--respondant=patient", "--qi=zip"],
            "unknown: --respondant=patient; did you mean '--respondent'?",
        ),
        (["--qi=zip"], "--respondent is missing: the respondent of the row"),
        (
            ["--respondent=a", "--respondent=b", "--qi=zip"],
            "--respondent takes one value, got a, b",
        ),
        (["--respondent=patient", "--qi=zip", "--k=two"], "--k must be an integer > 1, got 'two'"),
        (
            ["--respondent=patient", "--qi=zip", "-k5", "-o", "out.xls"],
            "out.xls must end in one of .parq",
        ),
        (
            ["--respondent=patient", "--qi=zip", "-k5", "in.txt"],
            "in.txt must end in one of .parquet",
        ),
    ],
)
def test_a_wrong_call_leaves_with_two(visits, words, message, capsys):
    with pytest.raises(SystemExit) as raised:
        cli.main(["k_anonymity_violations", visits, *words])
    assert raised.value.code == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


def test_no_input_is_a_wrong_call(capsys):
    with pytest.raises(SystemExit) as raised:
        cli.main(["k_anonymity", "--respondent=patient", "--qi=zip"])
    assert raised.value.code == 2
    assert "INPUT is missing" in capsys.readouterr().err
    with pytest.raises(SystemExit) as raised:
        cli.main(["version", "visits.csv"])
    assert raised.value.code == 2
    assert "version reads no INPUT, got visits.csv" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--qi=zpi", "-k5"], "qi must be columns of source, none twice, got 'zpi'; did you mean"),
        (["--qi=zip", "-k1"], "tanon.k_anonymity_violations: k must be an integer > 1, got 1"),
        (["--qi=zip", "-k5", "nowhere.csv"], "there is no file nowhere.csv"),
        (["--qi=zip", "-k5", "-o", "nowhere/out.csv"], "there is no folder nowhere"),
        (["--qi=zip", "-k5", "--as-text=zpi"], "zpi"),
    ],
)
@pytest.mark.parametrize("function", ["k_anonymity_violations", "granularity_metrics"])
def test_a_failure_is_one_line_and_no_verdict(visits, function, words, message, capsys):
    time = ["--ts=admitted", "--granularities=day"] if function == "granularity_metrics" else []
    status = 1 if time else 2
    message = message.replace("k_anonymity_violations", function)
    assert cli.main([function, visits, "--respondent=patient", *time, *words]) == status
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.startswith("tanon-duck: ")
    assert shown.err.count("\n") == 1
    assert shown.out == ""


def test_a_failure_among_the_rows_prints_no_header(tmp_path, capsys):
    path = tmp_path / "visits.csv"
    path.write_text("patient,zip\np1,10000\n,10001\n")
    assert cli.main(["frequency_set", str(path), "--respondent=patient", "--qi=zip"]) == 1
    shown = capsys.readouterr()
    assert "tanon.frequency_set: respondent" in shown.err
    assert shown.out == ""


def test_names_may_have_dashes_or_underscores(visits, capsys):
    words = [visits, "--respondent=patient", "--qi=sex"]
    assert cli.main(["k-anonymity", *words]) == 0
    dashed = capsys.readouterr().out
    assert cli.main(["k_anonymity", *words]) == 0
    assert capsys.readouterr().out == dashed


def test_options_may_be_spelt_as_in_sql(demo_con, tmp_path, capsys):
    demo_con.execute(f"copy cases to '{tmp_path}/cases.csv'")
    words = ["frequent_itemsets", f"{tmp_path}/cases.csv", "--transaction=day", "--item=disease"]
    assert cli.main([*words, "--min-support=5"]) == 0
    dashed = capsys.readouterr().out
    for spelt in (["--min_support=5"], ["--min_support", "5"]):
        assert cli.main([*words, *spelt]) == 0
        assert capsys.readouterr().out == dashed


def test_options_may_stand_anywhere(visits, capsys):
    words = ["--respondent", "patient", visits, "--qi", "zip", visits, "--qi=sex"]
    assert cli.main(["frequency_set", *words]) == 0
    doubled = capsys.readouterr().out.splitlines()
    assert doubled[0] == "zip,sex,frequency,tuples"
    assert cli.main(["frequency_set", "--respondent=patient", "--qi=zip,sex", visits]) == 0
    single = capsys.readouterr().out.splitlines()
    as_numbers = [[*map(str, line.split(","))] for line in single[1:]]
    assert sorted(doubled[1:]) == sorted(
        f"{zip},{sex},{frequency},{2 * int(tuples)}" for zip, sex, frequency, tuples in as_numbers
    )


def test_the_help_of_the_whole_lists_every_function(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    shown = capsys.readouterr().out
    assert all(f"    {name} " in shown for name in catalog.functions())


def test_a_function_without_arguments_or_input(capsys):
    assert cli.main(["version"]) == 0
    assert capsys.readouterr().out == f"version\n{tanon_duck.__version__}\n"


def test_without_files_to_read_a_word_is_the_first_argument(capsys):
    assert cli.main(["help", "k_anonymity"]) == 0
    short = capsys.readouterr().out
    assert cli.main(["help", "--name=k_anonymity"]) == 0
    assert capsys.readouterr().out == short
    assert short.startswith("help\nReturns the largest k for which a table is k-anonymous.\n")
    with pytest.raises(SystemExit) as raised:
        cli.main(["help", "k_anonymity", "--name=version"])
    assert raised.value.code == 2


def test_a_taken_column_name_is_refused(demo_con, tmp_path, capsys):
    path = tmp_path / "up.parquet"
    demo_con.execute(f"copy (select admitted, 1 as GRANULE_INDEX from visits) to '{path}'")
    assert cli.main(["granule_index", str(path), "--ts=admitted", "--granularity=week"]) == 1
    assert "INPUT must be without a column granule_index" in capsys.readouterr().err


LIGHT = """
import sys
from tanon_duck import cli
try:
    cli.main({words})
except SystemExit:
    print([m for m in ("duckdb", "pyarrow", "numpy", "jinja2") if m in sys.modules])
    from tanon_duck.macros import catalog
    print(catalog.function.cache_info().currsize)
"""


@pytest.mark.parametrize("words", [["k_anonymity"], ["stream"], ["check"], ["report", "series"]])
def test_help_reads_one_header_and_imports_no_database(words):
    code = LIGHT.format(words=[*words, "--help"])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    imported, headers = done.stdout.splitlines()[-2:]
    assert done.stderr == "" and done.stdout.startswith(f"usage: tanon-duck {' '.join(words)}")
    assert imported == "[]" and int(headers) <= 1
