"""Values of Python stand in private macros by name; a wrong name is told with its place."""

import pytest

from tanon_duck.errors import TemplateError
from tanon_duck.macros import private_values

VALUES = {"year_1": 5, "beats": "[1, 2]"}


def test_values_are_filled_in_and_other_braces_stay():
    text = "select {year_1}, {beats}[1], {'a': 1}, format('{0} {}', 1)"
    wanted = "select 5, [1, 2][1], {'a': 1}, format('{0} {}', 1)"
    assert private_values.filled("f.sql", text, VALUES) == wanted


def test_an_unknown_name_is_told_with_its_place():
    with pytest.raises(
        TemplateError, match=r"f\.sql:2: no value \{yaer_1\}; did you mean 'year_1'\?"
    ):
        private_values.filled("f.sql", "select 1,\n{yaer_1}", VALUES)
