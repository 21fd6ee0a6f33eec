"""Every function as a command over files, made from its own example."""

import shlex
from textwrap import indent

import duckdb
import pytest
from every_function.examples import FUNCTIONS, NAMES_OF_COLUMNS, TABLE_FUNCTIONS

from tanon_duck import cli
from tanon_duck.interfaces.files.example_commands import (
    column_arguments,
    example_call,
    example_line,
    example_words,
    main_relation,
    relation_name,
)
from tanon_duck.interfaces.files.options import option
from tanon_duck.macros import catalog
from tanon_duck.macros.kinds.typed import join_list, split_list
from tanon_duck.quoting import identifier, literal

# What a function reads off the names of columns: of other names it says something else.
FROM_NAMES = {"suggest_roles": ("proposed", "how", "reason")}
HOSTILE = ['a"b', "o'x", "select", "Ünïcode", "a, b", "a.b", "x; drop table y", "-dash", " two "]


def write_relations(con, function, folder):
    """The relations of the example as files with the names that the command line has."""
    call = example_call(function)
    for argument in function.header.relations():
        value = call.values.get(argument.name, "null")
        if value.lower() != "null":
            relation = con.execute(f"select {value}").fetchall()[0][0]
            path = folder / f"{relation_name(argument, value)}.parquet"
            con.execute(f"copy ({call.before} from {relation}) to {literal(str(path))}")


def rows_of(path):
    with duckdb.connect() as con:
        return con.execute(f"from read_parquet({literal(str(path))})").fetchall()


def columns_of(path):
    with duckdb.connect() as con:
        return [c for c, *_ in con.execute(f"describe from {literal(str(path))}").fetchall()]


def verdict(function, columns, rows):
    """The status a command leaves with: 1 for a check that these rows break, else 0."""
    holds = function.header.holds
    if holds is None or (holds.column and holds.column not in columns):
        return 0
    if not holds.column:
        return int(bool(rows))
    place = columns.index(holds.column)
    return int(not all(row[place] for row in rows))


def comparable(function, rows, without=()):
    """The rows in an order of their own, without times taken and without names of columns."""
    names = [result.name for result in function.header.answer().columns]
    left_out = {"seconds", *NAMES_OF_COLUMNS, *without} & set(names)
    for place in sorted(map(names.index, left_out), reverse=True):
        rows = [row[:place] + row[place + 1 :] for row in rows]
    return sorted(map(repr, rows))


def names_given(words, function, arguments):
    """The columns that the command line gives for these arguments."""
    pairs = zip(words[2::2], words[3::2], strict=True)
    spelt = {option(a) for a in function.header.arguments if a.name in arguments}
    return {name for word, value in pairs if word in spelt for name in split_list([value])}


def plain_call(function):
    """The call of the example with the same arguments, without what the example does around it."""
    call = example_call(function)
    arguments = ", ".join(f"{name} := {value}" for name, value in call.values.items())
    return f"{call.before} from tanon.{function.name}({arguments})"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_says_everything(name, capsys):
    with pytest.raises(SystemExit) as raised:
        cli.main([name, "--help"])
    assert raised.value.code == 0
    shown = capsys.readouterr().out
    function = catalog.function(name)
    assert function.header.summary in " ".join(shown.split())
    assert "%%" not in shown
    assert indent(example_line(function), "  ") in shown
    assert all(len(line) <= 100 or "{" in line for line in shown.splitlines())  # one value
    typed = shlex.split(example_line(function).replace("\\\n", ""))
    assert typed == [*example_words(function), "-o", "out.parquet"]
    main = main_relation(function)
    for argument in function.header.arguments:
        is_typed = argument != main and argument.kind.name != "secret"
        assert (option(argument) in shown) == is_typed or argument == main


@pytest.mark.parametrize("name", TABLE_FUNCTIONS)
def test_the_example_gives_the_rows_of_sql(kept_demo, name, tmp_path, monkeypatch):
    function = catalog.function(name)
    write_relations(kept_demo, function, tmp_path)
    monkeypatch.chdir(tmp_path)
    wanted = kept_demo.execute(plain_call(function)).fetchall()
    status = verdict(function, [name for name, *_ in kept_demo.description], wanted)
    assert cli.main([*example_words(function)[1:], "-o", "out.parquet"]) == status
    assert comparable(function, rows_of("out.parquet")) == comparable(function, wanted)


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n not in TABLE_FUNCTIONS])
def test_a_scalar_function_adds_a_column(demo_con, name, tmp_path, monkeypatch):
    function = catalog.function(name)
    values = example_call(function).values
    columns = {a.name: values[a.name] for a in column_arguments(function) if a.name in values}
    named = dict(zip(example_words(function)[3::2], example_words(function)[4::2], strict=True))
    source = "visits" if "admitted" in named.values() else "incomes"
    demo_con.execute(f"create table given as select row_number() over () as row from {source}")
    for argument, value in columns.items():
        column = identifier(named["--" + argument.replace("_", "-")])
        demo_con.execute(
            f"create or replace table given as select g.*, {value} as {column} "
            f"from given as g "
            f"join (select *, row_number() over () as row from {source}) using (row)"
        )
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy given to 'data.parquet'")
    inputs = ["data.parquet"] if columns else []
    words = [w for w in example_words(function)[1:] if w != "data.parquet"]
    assert cli.main([words[0], *inputs, *words[1:], "-o", "out.parquet"]) == 0
    listed = ", ".join(
        f"{a} := {identifier(named['--' + a.replace('_', '-')]) if a in columns else v}"
        for a, v in values.items()
    )
    given = "select *, " if columns else "select "
    wanted = f"{given} tanon.{name}({listed}) as x" + (" from given" if columns else "")
    assert repr(sorted(rows_of("out.parquet"))) == repr(sorted(demo_con.execute(wanted).fetchall()))


@pytest.mark.sweep
@pytest.mark.parametrize("name", [n for n in TABLE_FUNCTIONS if main_relation(catalog.function(n))])
def test_hostile_columns_change_nothing(kept_demo, name, tmp_path, monkeypatch):
    function = catalog.function(name)
    main = main_relation(function)
    named = [
        a.name
        for a in function.header.arguments
        if a.kind.is_column and a.kind.relation == main.name
    ]
    if not named or main.kind.columns:
        pytest.skip("names no column of a relation that has any columns")
    if any(a.kind.words == "hierarchies" for a in function.header.arguments):
        pytest.skip("another of its files holds the names of columns")
    monkeypatch.chdir(tmp_path)
    write_relations(kept_demo, function, tmp_path)
    words = example_words(function)[1:]
    columns = [c for c, *_ in kept_demo.execute(f"describe from {literal(words[1])}").fetchall()]
    # Columns that another relation has too keep their name: the one is told for both.
    columns = [c for c in columns if c not in words or c in names_given(words, function, named)]
    renamed = {c: HOSTILE[(i + len(name)) % len(HOSTILE)] for i, c in enumerate(columns)}
    pairs = ", ".join(f"{identifier(c)} as {identifier(n)}" for c, n in renamed.items())
    kept_demo.execute(
        f"copy (select * rename ({pairs}) from {literal(words[1])}) to 'hostile.parquet'"
    )
    hostile = [words[0], "hostile.parquet"]
    for spelt, value in zip(words[2::2], words[3::2], strict=True):
        argument = next(a for a in function.header.arguments if option(a) == spelt)
        if argument.name in named:
            listed = [renamed.get(c, c) for c in split_list([value])]
            value = join_list(listed) if argument.kind.name == "columns" else listed[0]
        hostile.append(f"{spelt}={value}")
    hostile += [
        f"{option(a)}={renamed[a.default[1:-1]]}"
        for a in function.header.arguments
        if a.name in named and a.default.startswith("'") and option(a) not in words
    ]
    status = cli.main([*words, "-o", "plain.parquet"])
    plain = rows_of("plain.parquet")
    assert status == verdict(function, columns_of("plain.parquet"), plain)
    assert cli.main([*hostile, "-o", "out.parquet"]) == status
    found = rows_of("out.parquet")
    told = FROM_NAMES.get(name, ())
    assert comparable(function, found, told) == comparable(function, plain, told)
