"""The examples of the help: how each public function is run without a list of them anywhere."""

import re
from functools import cache
from pathlib import Path

import duckdb

import tanon_duck
from tanon_duck import demo
from tanon_duck.interfaces.files.example_commands import example_call
from tanon_duck.macros import catalog

FUNCTIONS = sorted(catalog.functions())
TABLE_FUNCTIONS = [n for n in FUNCTIONS if not catalog.function(n).is_scalar]
SHELL_FUNCTIONS = [n for n in FUNCTIONS if not catalog.function(n).needs_python]
DEMO_TABLES = ("visits", "cases", "incomes")
# What the example of a function needs besides, so that another result has rows.
MORE = {
    "publish_events.suppressed": {
        "granularities": "['day', 'week']",
        "max_suppression": "0.9",
    },
    "publish_series.suppressed": {
        "k": "6",
        "p": "4",
        "algorithm": "'kapra'",
        "max_level": "2",
    },
}


def further_results():
    """Yield the results that no example of the help asks for, as publish_events.summary."""
    for name in TABLE_FUNCTIONS:
        function = catalog.function(name)
        asked = example_call(function).values.get("result", "").strip("'")
        shown = function.header.answer(asked)
        yield from (f"{name}.{a.name}" for a in function.header.answers if a != shown)


def function_of(name):
    """Find the function of an example."""
    return catalog.function(name.partition(".")[0])


def answer_of(name):
    """Find the answer that an example asks for."""
    function, result = function_of(name), name.partition(".")[2]
    asked = result or (example_call(function).values.get("result") or "").strip("'")
    return function.header.answer(asked)


def example(name):
    """Write the example of the help, or the same call with another result."""
    function, result = function_of(name), name.partition(".")[2]
    if not result:
        return function.header.example
    call = example_call(function)
    values = call.values | MORE.get(name, {}) | {"result": f"'{result}'"}
    first = values.pop(function.header.arguments[0].name)
    arguments = ", ".join([first, *(f"{n} := {value}" for n, value in values.items())])
    return f"{call.before} from tanon.{function.name}({arguments})".strip()


EXAMPLES = sorted([*FUNCTIONS, *further_results()])


def reads_demo_tables(name):
    """Whether the example names a demo table as an argument of its own."""
    return any(f"'{table}'" in example(name) for table in DEMO_TABLES)


def tables_of(name):
    """The demo tables that the example reads, however it names them."""
    tables = (*DEMO_TABLES, "published_incomes")
    return [table for table in tables if re.search(rf"\b{table}\b", example(name))]


@cache
def rows_of_example(name):
    """What the example gives on the demo tables as they are."""
    with tanon_duck.connect() as con:
        demo.create_tables(con)
        return rows(con, example(name))


def is_ordered(sql):
    return re.search(r"\border by\b", sql) is not None


def rows(con, sql):
    """The rows of a query; those of an unordered one in an order of their own."""
    found = con.execute(sql).fetchall()
    return found if is_ordered(sql) else sorted(found, key=repr)


def file_of_tests(name):
    topic = catalog.function(name).topic
    return Path(__file__).parents[1] / "functions" / topic / f"test_{name}.py"


# Results that are, or hold, the name of a column of the user's.
NAMES_OF_COLUMNS = (
    "about",
    "affects",
    "attribute",
    "column_name",
    "digest",
    "first_column",
    "item",
    "levels",
    "second_column",
    "statement",
    "top_attribute",
)


def without_column_names(name, found):
    """The rows without the results that are names of columns of the user's."""
    names = [result.name for result in answer_of(name).columns]
    if not set(names) & set(NAMES_OF_COLUMNS):
        return found
    places = [place for place, result in enumerate(names) if result not in NAMES_OF_COLUMNS]
    # Results that only further arguments give stand at the end.
    return [tuple(row[place] for place in places if place < len(row)) for row in found]


def run_or_refuse(con, name):
    """The example runs, or raises an error of ours: never one from inside DuckDB or numpy."""
    try:
        rows(con, example(name))
    except duckdb.Error as error:
        assert "tanon." in str(error).split("\n")[0], error
        assert not isinstance(error, duckdb.InternalException | duckdb.FatalException)
