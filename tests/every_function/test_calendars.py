"""Every function refuses a wrong calendar, also if no granularity of the calendar is used."""

import re

import duckdb
import pytest
from every_function.examples import FUNCTIONS

import tanon_duck
from tanon_duck import demo
from tanon_duck.interfaces.files.example_commands import example_call
from tanon_duck.macros import catalog

pytestmark = pytest.mark.quick

TAKERS = [n for n in FUNCTIONS if catalog.function(n).header.argument("calendar")]


@pytest.fixture(scope="module")
def tables():
    with tanon_duck.connect() as con:
        demo.create_tables(con)
        yield con


@pytest.mark.parametrize("function", TAKERS)
def test_a_wrong_calendar_is_refused(tables, function):
    call = example_call(catalog.function(function))

    def error(calendar):
        values = call.values | {"calendar": calendar}
        given = ", ".join(f"{name} := {value}" for name, value in values.items())
        with pytest.raises(duckdb.Error) as raised:
            tables.execute(f"{call.before} from tanon.{function}({given})").fetchall()
        return str(raised.value)

    said = error("'(select 1 as granule)'")
    assert re.search(r"tanon\.\w+: calendar must be .* got one without granularity, label, ", said)
    assert "nowhere" in error("'nowhere'")
