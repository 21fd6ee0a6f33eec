"""Every function with every two values of its optional arguments: a right result, or a refusal."""

import random
import re

import duckdb
import pytest
from drawn import is_long
from every_function.argument_values import LEFT_OUT, settings_of
from every_function.checked_results import check_result, create_worlds, result_of
from every_function.covering_calls import SEED, covering_calls, written
from every_function.examples import FUNCTIONS

import tanon_duck

# Of the calls of a function: how many are made where everybody waits for the tests.
CALLS = 3
LEAST_SHARE = 0.8  # of the calls that a header allows: so many must give results


@pytest.fixture(scope="module")
def worlds():
    with tanon_duck.connect() as con:
        create_worlds(con)
        yield con


def refusal_of(function, error):
    """The message of a refusal by the function, a pattern; any other error is raised."""
    first = str(error).partition("\n")[0]
    if not re.match(rf"Invalid Input Error: tanon\.{function}: ", first):
        raise AssertionError(first) from error
    return first


def outcomes(con, function, setting):
    """Return for each call: its arguments, the message of its refusal or "", is it allowed."""
    allowed, refused = covering_calls(con, function, setting)
    if not is_long():
        chance = random.Random(SEED)
        allowed = chance.sample(allowed, min(CALLS, len(allowed)))
        refused = chance.sample(refused, min(1, len(refused)))
    found = []
    for call in allowed + refused:
        sql = written(function, call)
        try:
            try:
                result_of(con, sql)
                told = ""
            except duckdb.Error as error:
                told = refusal_of(function, error)
            else:
                check_result(con, function, call)
        except Exception as error:
            raise AssertionError(f"{error}\n{sql}") from error
        found.append((call, told, call in allowed))
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_two_values(worlds, function):
    found = [o for setting in settings_of(function) for o in outcomes(worlds, function, setting)]
    results = [call for call, told, _ in found if not told]
    told = sorted({told.partition(", got ")[0] for _, told, _ in found if told})
    assert len(results) >= LEAST_SHARE * sum(is_allowed for *_, is_allowed in found), told
    if is_long():
        tried = {item for call, *_ in found for item in call.items() if item[1] is not LEFT_OUT}
        accepted = {item for call in results for item in call.items()}
        assert tried - accepted == set(), told
