"""The functions in Dagster, Harlequin, SQLAlchemy and jupysql, where these are installed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import LONGEST

import tanon_duck
from tanon_duck import demo
from tanon_duck.errors import TanonError

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the tools' own parts

RECIPES = Path(__file__).parents[2] / "integrations/README.md"
CHECK = {"source": "visits", "respondent": "patient", "qi": ["sex"]}


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "demo.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
    return path


def recipe(tool):
    """The Python of one section of the recipes."""
    return re.search(rf"^## {tool}\n.*?^```python\n(.*?)^```", RECIPES.read_text(), re.M | re.S)[1]


@pytest.mark.parametrize(("k", "passes"), [(149, True), (150, False)])
def test_a_blocking_check_of_dagster_stops_what_is_downstream(database, k, passes):
    dagster = pytest.importorskip("dagster", reason="dagster is not installed")
    from tanon_duck.integrations.dagster import asset_check

    @dagster.asset
    def visits():
        """What is checked."""

    @dagster.asset(deps=[visits])
    def release():
        """What must not be made of it."""

    check = asset_check(
        visits, lambda: tanon_duck.connect(database), "k_anonymity_violations", k=k, **CHECK
    )
    with dagster.DagsterInstance.ephemeral() as instance:
        defined = dagster.Definitions([visits, release], asset_checks=[check])
        job = defined.resolve_implicit_global_asset_job_def()
        ran = job.execute_in_process(instance=instance, raise_on_error=False)
    (found,) = ran.get_asset_check_evaluations()
    made = {e.asset_key.to_user_string() for e in ran.get_asset_materialization_events()}
    assert (found.passed, ran.success, "release" in made) == (passes, passes, passes)
    assert ("rows that break it" in found.metadata) and found.description
    with pytest.raises(TanonError, match="did you mean"):
        asset_check(visits, None, "k_anonymity_violations", respondnt="patient")
    with pytest.raises(TanonError, match="min_rows must be"):
        asset_check(visits, None, "k_anonymity_violations", min_rows=0)


def test_harlequin_completes_the_functions_with_their_summaries(database):
    pytest.importorskip("harlequin", reason="harlequin is not installed")
    from tanon_duck.integrations.harlequin import TanonAdapter

    with tanon_duck.connect() as con:
        summaries = dict(
            con.execute("select function, summary from tanon.help(lines := false)").fetchall()
        )
    connection = TanonAdapter((str(database),)).connect()
    found = connection.get_completions()
    assert {c.value: c.type_label for c in found if c.context == "tanon"} == summaries
    noise = re.compile("^(tanon|_)| of Python")
    assert [c.label for c in found if noise.search(c.label)] == []
    assert "list_transform" in {c.label for c in found}
    assert [item.label for item in connection.get_catalog().items] == ["demo"]
    connection.conn.close()


def test_hsql_finds_the_adapter(database):
    pytest.importorskip("harlequin", reason="harlequin is not installed")
    query = "select gen_m from tanon.k_anonymity('visits', respondent := 'patient', qi := ['sex'])"
    program = Path(sys.executable).with_name("hsql")
    ran = subprocess.run(
        [program, "-a", "tanon", str(database), "-c", query, "--csv"],
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert (ran.returncode, ran.stdout.split()) == (0, ["gen_m", "149"]), ran.stderr


@pytest.mark.parametrize(
    ("tool", "needed"),
    [("SQLAlchemy", "duckdb_engine"), ("jupysql", "sql.magic"), ("marimo", "marimo")],
)
def test_recipes_run_as_written(database, tool, needed):
    pytest.importorskip(needed, reason=f"{tool} is not installed")
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", recipe(tool)],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        cwd=database.parent,
    )
    assert ran.returncode == 0, ran.stderr
    assert "149" in ran.stdout


class Wrapper:
    """What passes everything on to a connection, as the one of duckdb-engine does."""

    def __init__(self, connection):
        self.__connection = connection

    def cursor(self):
        return object()  # neither a context manager nor one that returns itself

    def __getattr__(self, name):
        return getattr(self.__connection, name)


def test_install_takes_what_stands_for_a_connection():
    import duckdb

    with duckdb.connect() as con:
        tanon_duck.install(Wrapper(con))
        assert con.execute("select count(*) > 50 from tanon.help(lines := false)").fetchall() == [
            (True,)
        ]
    with pytest.raises(TanonError, match="connection must be a DuckDB connection, got str"):
        tanon_duck.install("hospital.duckdb")
