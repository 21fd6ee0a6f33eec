"""The SQL of a call as it is shown: what it says, that it runs, and that it can be read."""

import pytest
from shell.sitting import ask

import tanon_duck
from tanon_duck import TanonError, cli
from tanon_duck.interfaces import call_sql, sql_formatting

LONGEST = 160


def test_hostile_names_are_names(con):
    con.execute('create schema "s"')
    con.execute(
        """create table s."a.b""c" as
        select range as "o'x""\", 1 as "{k}", 2 as "x; drop table y" from range(9)"""
    )
    arguments = {"source": 's."a.b""c"', "respondent": "o'x\"", "qi": ["x; drop table y", "{k}"]}
    text = tanon_duck.sql("k_anonymity", **arguments)
    assert con.execute(text).fetchall() == [(9, 9, 1, 9, 9)]


def test_the_text_gives_the_rows_of_the_call(demo_con):
    text = tanon_duck.sql("frequency_set", source="visits", respondent="patient", qi=["zip", "age"])
    call = "from tanon.frequency_set('visits', 'patient', ['zip', 'age'])"
    assert sorted(demo_con.execute(text).fetchall()) == sorted(demo_con.execute(call).fetchall())


def test_of_an_expression_it_is_the_sql_that_stands_for_it(con):
    shown = con.execute("select " + tanon_duck.sql("version")).fetchall()
    assert shown == [(tanon_duck.__version__,)]


@pytest.mark.parametrize(
    ("function", "arguments", "message"),
    [
        ("k_anonimity", {}, r"no function tanon\.k_anonimity; did you mean 'k_anonymity'"),
        ("k_anonymity", {"sorce": "t"}, r"got sorce; did you mean 'source'"),
        (
            "k_anonymity",
            {"source": "t", "respondent": "u", "qi": []},
            r"^tanon\.k_anonymity: qi must be columns of source, none twice, got \[\]$",
        ),
    ],
)
def test_wrong_calls(function, arguments, message):
    with pytest.raises(TanonError, match=message):
        tanon_duck.sql(function, **arguments)


def test_an_expression_is_shown_with_its_file():
    text = call_sql.sql_of_call("tanon.granule_start(ts, 'week')")
    assert text.startswith("-- sql/functions/granularity/granule_start.sql\n")
    assert "granularity" in text


def test_an_expression_has_its_arguments_in_it(con):
    call = "select tanon.granule_label(granularity => 'week', ts := date '2024-05-05')"
    text = call_sql.sql_of_call(call)
    files = {"_clock": "clocks.sql", "_known": "granules.sql", "_label": "granules.sql"}
    places = "".join(f"-- tanon.{name}: sql/private/{file}\n" for name, file in files.items())
    assert text.startswith(f"-- sql/functions/granularity/granule_label.sql\n{places}")
    assert con.execute(f"select {text}").fetchall() == con.execute(call).fetchall()
    con.execute('create table t as select [1.5, 2.5] as low, [3.5, 2.5] as "the high", 1 as l')
    for call in (
        'tanon.series_value_loss(high := t."the high", low := low)',
        "tanon.sax(low || [0], 2 + l)",
    ):
        shown = call_sql.sql_of_call(call)
        wanted = con.execute(f"select {call} from t").fetchall()
        assert con.execute(f"select {shown}\nfrom t").fetchall() == wanted
    # A variable of a lambda in it is called so: the arguments keep their names.
    shown = call_sql.sql_of_call("tanon.series_pattern([later, 2])")
    assert "[later, 2]" not in shown and "lambda later" in shown


def test_what_stands_in_quotes_is_left_alone():
    quoted = "'a  system.main.b \n\n  c  ', \"d  \n\n e\", $x$ f \n\n  ' g$x$, e'h\\'  i'"
    assert (
        sql_formatting.readable(f"select  {quoted}  \n\n\n  from   t")
        == f"select {quoted}\n  from t"
    )


def test_the_catalogue_of_duckdb_is_left_out():
    shown = sql_formatting.readable(
        "select system.main.count(*), 1+system.main.f(x) from system.main.t"
    )
    assert shown == "select count(*), 1+f(x) from t"


def test_long_lines_are_broken_between_tokens():
    line = "  select " + ", ".join(f"f(column_{i}, 'two words')" for i in range(30)) + " from t"
    shown = sql_formatting.readable(line)
    assert all(len(text) <= LONGEST for text in shown.splitlines())
    assert all(text.startswith("  ") for text in shown.splitlines())
    assert shown.replace("\n      ", " ") == line


def test_each_step_of_a_call_is_timed(demo_con):
    call = "from tanon.least_generalization('visits', respondent := 'patient', qi := ['sex'], "
    call += "ts := 'admitted', granularities := ['day', 'week'], k := 2);"
    runs = call_sql.steps_of_call(demo_con, call)
    assert [run.name for run in runs][-1] == "result" and len(runs) > 10
    assert runs[0].place == "the argument source: tanon_duck/macros/source_ctes.py"
    assert any(run.place.startswith("sql/steps/time/offer.sql:") for run in runs)
    assert demo_con.execute("select count(*) from duckdb_tables() where temporary").fetchall() == [
        (0,)
    ]


def test_the_steps_of_a_block_stand_where_the_block_does(demo_con):
    given = {"source": "visits", "respondent": "patient", "qi": ["sex"], "ts": "admitted", "k": 2}
    given["granularities"] = ["day", "week"]
    runs = tanon_duck.steps(demo_con, "least_generalization", **given)
    places = {run.name: run.place for run in runs[:-1]}
    assert "" not in places.values()
    assert places["stage_2_accepted"] == places["stage_1"] == places["gate_1"]
    assert places["gate_1"].startswith("sql/steps/time/walk.sql:")
    text = tanon_duck.sql("least_generalization", **given)
    assert f"-- {places['gate_1']}\ntanon_stage_2_accepted as materialized (" in text


def test_an_expression_is_one_step(demo_con):
    call = "select tanon.granule_start(date '2024-05-05', 'week')"
    (run,) = call_sql.steps_of_call(demo_con, call)
    assert (run.name, run.rows) == ("result", 1)
    assert run.place == "sql/functions/granularity/granule_start.sql"


def test_the_command_line_shows_the_sql_of_files_as_they_are_named(capsys):
    words = ["k_anonymity", "nowhere.parquet", "--respondent=patient", "--qi=zip", "--sql"]
    assert cli.main(words) == 0
    text = tanon_duck.sql("k_anonymity", source="nowhere.parquet", respondent="patient", qi=["zip"])
    assert capsys.readouterr().out == text + "\n"
    assert cli.main([*words, "more.csv"]) == 0
    assert 'from "nowhere.parquet" union all by name from "more.csv"' in capsys.readouterr().out
    assert cli.main(["granule_start", "in.csv", "--ts=t", "--granularity=week", "--sql"]) == 0
    assert "sql/functions/granularity/granule_start.sql" in capsys.readouterr().out


def test_the_prompt_shows_sql_and_steps(demo_con):
    call = "from tanon.frequency_set('visits', 'patient', ['zip'])"
    answer = ask(f".sql {call};", demo_con)
    assert answer.output == call_sql.sql_of_call(call) + "\n"
    answer = ask(f".steps {call}", demo_con)
    assert answer.status == 0
    assert [line.split()[0] for line in answer.output.splitlines()][-1] == "result"
    assert "must be followed by" in ask(".sql", demo_con).errors
