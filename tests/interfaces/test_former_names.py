"""The command line answers an earlier name with the name of today."""

import pytest

from tanon_duck import cli
from tanon_duck.errors import nearest


@pytest.mark.parametrize(
    ("words", "today"),
    [
        (["kp_anonymize", "x.csv"], "publish_series"),
        (["declare", "x.csv"], "set_roles"),
        (["publish", "x.duckdb", "flu"], "stream"),
        (["k_anonymity", "x.csv", "--uid", "a", "--qi", "b"], "--respondent"),
    ],
)
def test_an_earlier_name_is_answered(capsys, words, today):
    with pytest.raises(SystemExit):
        cli.main(words)
    assert f"; it is now called '{today}'" in capsys.readouterr().err


def test_a_name_that_is_still_known_is_no_earlier_name():
    assert nearest("late", ["later", "lateness"]) == "; it is now called 'lateness'"
    assert nearest("--accept", ["--allow-identifying"]).endswith("called '--allow-identifying'")
    assert nearest("late", ["later"]) == "; did you mean 'later'?"
