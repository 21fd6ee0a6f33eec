"""A VARIANT is refused in every role: DuckDB takes 1 and 1.0 for equal there, and casts at will."""

import duckdb
import pytest
from every_function.examples import example
from every_function.typed_calls import _columns_of_examples

from tanon_duck.macros import source_ctes

PLACES = _columns_of_examples()
# Columns that an example reads, but that no argument names; roles may be declared for any column.
UNNAMED = {
    ("evaluate_series", "charity"), ("series_loss", "charity"), ("tune_series", "charity"),
    ("sax", "name"),
    ("set_roles", "patient"), ("set_roles", "zip"), ("set_roles", "sex"),
}  # fmt: skip
NESTED = {
    "array_value({0}::variant)": "VARIANT[1]",
    "{{'a': 1, 'b': {0}::variant}}": "STRUCT(a INTEGER, b VARIANT)",
    "map {{'a': {0}::variant}}": "MAP(VARCHAR, VARIANT)",
}


@pytest.mark.sweep
@pytest.mark.parametrize("function", PLACES)
def test_a_column_that_is_named_is_refused(demo_con, function):
    for table, column in PLACES[function]:
        demo_con.execute("begin")
        demo_con.execute(
            f"create or replace table {table} as "
            f"select * replace ({column}::variant as {column}) from {table}"
        )
        if (function, column) in UNNAMED:
            demo_con.execute(f"create temp table found as {example(function)}")
        else:
            # Of a function that the example calls: hierarchies may be made within.
            with pytest.raises(duckdb.Error, match=r"tanon\.\w+: .* VARIANT"):
                demo_con.execute(f"create temp table found as {example(function)}")
        demo_con.execute("rollback")


@pytest.mark.parametrize("value", NESTED)
def test_so_is_one_inside_of_another_type(demo_con, value):
    nested = f"(select * replace ({value.format('sex')} as sex) from visits)".replace("'", "''")
    message = f"qi must be columns of source, none twice, got 'sex' of type {NESTED[value]}; cast a"
    with pytest.raises(duckdb.Error) as raised:
        demo_con.execute(
            f"from tanon.k_anonymity('{nested}', respondent := 'patient', qi := 'sex')"
        )
    assert f"tanon.k_anonymity: {message} VARIANT first, as in" in str(raised.value)


@pytest.mark.parametrize(
    "column",
    ["{'variant': sex}", "{'VARIANT)': sex, 'a VARIANT, ': 1}", "sex::enum('f', 'm', 'a VARIANT')"],
)
def test_what_only_looks_like_one_is_not(demo_con, column):
    demo_con.execute(f"create table t as select * replace ({column} as sex) from visits")
    call = "from tanon.frequency_set('{}', respondent := 'patient', qi := 'sex') order by frequency"
    found = demo_con.execute(f"select frequency {call.format('t')}").fetchall()
    assert found == demo_con.execute(f"select frequency {call.format('visits')}").fetchall()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("granule_start(timestamp '2024-01-01 10:30:00'::variant, 'hour')", "ts must be a DATE or"),
        ("granule_end(timestamp '2024-01-01 10:30:00'::variant, 'hour')", "ts must be a DATE or"),
        ("granule_label(timestamp '2024-01-01 10:30:00'::variant, 'hour')", "ts must be a DATE or"),
        ("granule_index(timestamp '2024-01-01 10:30:00'::variant, 'hour')", "ts must be a DATE or"),
        ("granule_index(20240101, 'day')", "ts must be a DATE or a TIMESTAMP, got a number"),
        ("sax([9007199254740993, 1]::variant, 3)", "series must be a list of numbers, got VARIANT"),
        ("sax([9007199254740993::variant], 3)", "series must be a list of numbers, got VARIANT"),
        ("z_normalize([1, 2]::variant)", "series must be a list of numbers, got VARIANT"),
        ("series_pattern([1, 2]::variant)", "series must be a list of numbers, got VARIANT"),
        (
            "series_pattern_loss([1, 2]::variant, 'ab', 3)",
            "series must be a list of numbers, got VARIANT",
        ),
        (
            "series_value_loss([1]::variant, [2])",
            "low and high must be lists of numbers, got VARIANT",
        ),
        (
            "series_value_loss([1], [2]::variant)",
            "low and high must be lists of numbers, got VARIANT",
        ),
        (
            "series_value_loss([1::variant], [2])",
            "low and high must be lists of numbers, got VARIANT",
        ),
    ],
)
def test_so_is_a_single_value(con, call, message):
    function = call.partition("(")[0]
    with pytest.raises(duckdb.Error, match=rf"tanon\.{function}: {message}"):
        con.execute(f"select tanon.{call}").fetchall()


def test_of_null_nothing_comes(con):
    calls = [
        "granule_start(null, 'day')",
        "granule_index(null, 'day')",
        "series_value_loss([1], null)",
    ]
    (found,) = con.execute(f"select {', '.join(f'tanon.{call}' for call in calls)}").fetchall()
    assert found == (None, None, None)


def test_values_that_are_written_differently_sort_apart(con):
    """Behind the columns that arguments name others may leave as they are."""
    con.execute(
        "create table t as select unnest([1::variant, 1.0::variant, '1'::variant, 1::variant]) as a"
    )
    assert con.execute("select count(*) from t group by a order by all").fetchall() == [(1,), (3,)]
    keys = "select count(*) from t group by tanon._order_key(a) order by all"
    assert con.execute(keys).fetchall() == [(1,), (1,), (2,)]


def test_texts_and_macros_find_the_same_types(con):
    types = ["VARIANT", "VARIANT[]", "STRUCT(a VARIANT)", "VARCHAR", 'STRUCT("VARIANT" INTEGER)']
    types += ["ENUM('VARIANT')", "MAP(VARCHAR, VARIANT)", "UNION(a INTEGER, b VARIANT[3])"]
    for column_type in types:
        found = con.execute(
            f"select {source_ctes.holds_variant('column_type')}, tanon._holds_variant(column_type) "
            "from (select $1 as column_type)",
            [column_type],
        ).fetchone()
        assert (
            found[0]
            == found[1]
            == ("VARIANT" in column_type and "'" not in column_type and '"' not in column_type)
        ), column_type
