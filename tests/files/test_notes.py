"""What the command line says on standard error beside a result."""

import pytest

from tanon_duck import cli

PUBLISH = ["publish_events", "visits.parquet", "--respondent", "patient", "--qi", "sex", "--ts"]
PUBLISH += ["admitted", "--granularities", "month,quarter", "-k", "5"]
COUNT = ["frequency_set", "visits.parquet", "--respondent", "patient", "--qi", "zip"]


@pytest.fixture
def folder(demo_con, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy visits to 'visits.parquet'")
    return tmp_path


@pytest.mark.parametrize("target", ["-", "out.parquet"])
def test_a_release_names_the_columns_that_stayed_home(folder, capsys, target):
    assert cli.main([*PUBLISH, "--keep", "Diagnosis", "-o", target]) == 0
    assert (
        capsys.readouterr().err.splitlines()[-1] == "columns not in the release: patient, zip, age"
    )


def test_the_respondent_stays_home_always(folder, demo_con, capsys):
    demo_con.execute("copy (select sex, admitted, patient from visits) to 'visits.parquet'")
    assert cli.main([*PUBLISH, "-o", "out.csv"]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == "columns not in the release: patient"


def test_a_file_for_the_owner_is_called_that(folder, capsys):
    assert cli.main([*COUNT, "-o", "rare.csv"]) == 0
    assert capsys.readouterr().err == "rare.csv: for the owner, not for release\n"


def test_so_is_the_copy_of_a_release_that_names_respondents(folder, capsys):
    assert cli.main([*PUBLISH, "--for-owner", "-o", "own.csv"]) == 0
    assert capsys.readouterr().err.splitlines()[0] == "own.csv: for the owner, not for release"


def test_on_standard_output_and_for_anybody_nothing_is_said(folder, capsys):
    assert cli.main(COUNT) == 0
    assert cli.main(["granularities", "-o", "all.csv"]) == 0
    assert capsys.readouterr().err == ""
