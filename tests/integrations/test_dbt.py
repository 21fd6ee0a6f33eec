"""The dbt package and plugin in a real dbt: a project is written, installed, built and looked at.

They run where dbt-core and dbt-duckdb are, which ``.ci/run`` puts into an environment of its own.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("dbt.adapters.duckdb", reason="dbt-core and dbt-duckdb are not installed")

from dbt.cli.main import dbtRunner
from every_function.examples import FUNCTIONS, example
from integrations.dbt_project import PROJECT, by_macro

import tanon_duck
from tanon_duck import demo

pytestmark = pytest.mark.filterwarnings("ignore")  # those of dbt's own parts

SEPARATOR = "\n;\n"
PACKAGE = Path(__file__).parents[2] / "integrations/dbt"


class Project:
    """A project in a folder, and its database."""

    def __init__(self, folder):
        self.folder = folder
        self.database = folder / "hospital.duckdb"

    def write(self, files):
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def dbt(self, *words, **variables):
        """Whether it succeeded; what each node came to and said."""
        os.environ["TANON_TEST_DATABASE"] = str(self.database)
        folder = ["--project-dir", self.folder, "--profiles-dir", self.folder]
        said = dbtRunner().invoke(
            [*words, "--quiet", "--vars", json.dumps(variables), *map(str, folder)]
        )
        if said.exception:
            raise said.exception
        ran = getattr(said.result, "results", [])
        return said.success, {
            re.sub(r"\.[0-9a-f]{10}$", "", r.node.unique_id).split(".")[-1]: r for r in ran
        }

    def rows(self, sql):
        """On a plain connection with the functions: dbt's own may still be open."""
        with tanon_duck.connect(self.database) as con:
            return con.execute(sql).fetchall()


def statuses(results):
    return {name: result.status.value for name, result in results.items()}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    made = Project(tmp_path_factory.mktemp("dbt"))
    made.write(PROJECT)
    made.write({"packages.yml": f"packages: [{{local: {json.dumps(str(PACKAGE))}}}]"})
    made.write({"analyses/examples.sql": SEPARATOR.join(map(by_macro, FUNCTIONS))})
    with tanon_duck.connect(made.database) as con:
        demo.create_tables(con)
    assert made.dbt("deps")[0]
    return made


def test_the_package_is_installed_by_git(tmp_path):
    repository = tmp_path / "repository"
    shutil.copytree(PACKAGE, repository / "integrations/dbt")
    git = ["git", "-C", repository, "-c", "user.name=a", "-c", "user.email=a@b.example"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"], ["tag", "v1"]):
        subprocess.run([*git, *words], check=True)
    made = Project(tmp_path / "project")
    made.write(PROJECT)
    named = {"git": str(repository), "subdirectory": "integrations/dbt", "revision": "v1"}
    made.write({"packages.yml": f"packages: [{json.dumps(named)}]"})
    assert made.dbt("deps")[0]
    assert (made.folder / "dbt_packages/tanon/macros/call.sql").is_file()


def test_every_function_is_called_as_in_sql(project):
    success, _ = project.dbt("compile", "--select", "examples")
    assert success
    compiled = project.folder / "target/compiled/hospital/analyses/examples.sql"
    calls = compiled.read_text().split(SEPARATOR)
    with tanon_duck.connect(project.database) as con:
        for name, call in zip(FUNCTIONS, calls, strict=True):
            # Bound, so that all arguments are judged and the columns of the result are known.
            assert columns(con, call) == columns(con, example(name)), name


def columns(con, sql):
    queried, *_ = con.extract_statements(sql)
    return [
        (name, re.sub(r".*\(", "", name) and str(type))
        for name, type, *_ in con.execute(f"describe {queried.query}").fetchall()
    ]


def test_values_arrive_as_they_are(project):
    """Texts with quotes, numbers, truths, nothing, lists, mappings, SQL, dates."""
    success, _ = project.dbt("compile", "--select", "values")
    assert success
    compiled = project.folder / "target/compiled/hospital/analyses/values.sql"
    ((found,),) = project.rows(compiled.read_text())
    assert found == [
        "it''s \"so\"".replace("''", "'"), "", "3", "0.25", "true", "false", None,
        "[a, 'b\\'c', d]", "[]", "{'position': 8, 'low': -0.5}", "2024-01-05", "2024-02-29",
        '"hospital"."main"."visits"',
    ]  # fmt: skip


def test_promises_that_hold_let_the_build_pass(project):
    success, ran = project.dbt("build", "--select", "gate")
    assert success
    assert set(statuses(ran).values()) == {"success", "pass", "warn"}
    assert ran["nearly_alone"].failures == 186  # rows, by its fail_calc; severity: warn
    assert len([name for name in ran if name.startswith("promised")]) == 7
    assert project.rows("select min(n) >= 5 from (select count(*) n from release group by all)")
    assert project.rows("from outside") == project.rows("from release")


def test_a_broken_promise_fails_the_build_and_skips_what_follows(project):
    success, ran = project.dbt("build", "--select", "gate", "--store-failures", k=200)
    assert not success
    found = statuses(ran)
    assert found["promised_where"] == "fail"
    assert {found[name] for name in ("release", "outside", "promised_release")} == {"skipped"}
    kept = project.rows("select frequency < 200 from main_dbt_test__audit.promised_where")
    assert set(kept) == {(True,)}


def test_each_test_can_fail(project):
    tests = ["promised_l", "promised_kp", "promised_channels", "promised_release"]
    project.dbt("run", "--select", "gate")
    success, ran = project.dbt("test", "--select", *tests, l=50, p=7, channel_k=60, release_k=60)
    assert (success, statuses(ran)) == (False, dict.fromkeys(tests, "fail"))


def test_batches_are_together_one_release(project):
    project.dbt("run", "--select", "batches left_out", upto="2024-04-10")
    first = project.rows("from batches")
    assert {row[1] for row in first} == {"2024-01", "2024-02", "2024-03"}
    project.dbt("run", "--select", "batches", upto="2024-04-29")
    assert project.rows("from batches") == first  # April has not ended
    success, _ = project.dbt("run", "--select", "batches left_out", upto="2024-08-01")
    assert success
    whole = """from tanon.publish_events('(from visits where admitted < ''2024-08-01'')',
        respondent := 'patient', qi := ['sex'], ts := 'admitted', granularities := ['month'],
        k := 5, keep := ['diagnosis'])"""
    wanted = sorted(project.rows(whole))
    assert sorted(project.rows("select * exclude (admitted_granularity) from batches")) == wanted
    assert project.rows("select distinct admitted_granularity from batches") == [("month",)]
    left = project.rows("select distinct admitted, released, reason from left_out order by 1")
    waits = "its granule is not released yet"
    assert left == [(f"2024-{month:02}", 0, waits) for month in range(8, 13)]


def test_rows_that_come_late_are_not_released_and_listed(project):
    project.dbt("run", "--select", "batches", "left_out", upto="2024-08-01")
    before = project.rows("from batches")
    late = "insert into visits select * replace (timestamp '2024-02-03' as admitted) from visits"
    try:
        project.rows(f"{late} where patient in (select patient from visits order by 1 limit 9)")
        project.dbt("run", "--select", "batches", "left_out", upto="2024-08-15")
        assert project.rows("from batches") == before
        told = project.rows(
            "select admitted, sum(tuples - released) from left_out "
            "where reason = 'came after its granule was released' group by 1"
        )
        assert [month for month, _ in told] == ["2024-02"]
        assert told[0][1] >= 9
    finally:
        with tanon_duck.connect(project.database) as con:
            demo.create_tables(con)


REFUSED = {
    "publishes_batches": "an incremental model would release each batch by itself",
    "offers_several": "granularity must be one text",
    "with_calendar": "calendar is not offered",
    "with_unique_key": "the strategy must be append, without unique_key",
    "is_a_table": "the model must be incremental, got table",
    "misspelt_function": "there is no such function; did you mean k_anonymity",
    "misspelt_argument": "there is no argument quasi; there are source, respondent, qi, ts",
    "misspelt_column": "tanon.k_anonymity: qi must be columns of source, none twice, got 'sexx'",
}


def test_what_cannot_be_meant_is_refused_with_the_reason(project):
    success, ran = project.dbt("run", "--select", "refused")
    assert not success
    assert set(statuses(ran)) == set(REFUSED)
    for name, sentence in REFUSED.items():
        assert sentence in ran[name].message, name


def test_batches_of_another_granularity_are_refused(project):
    project.dbt("run", "--select", "batches", upto="2024-08-01")
    success, ran = project.dbt("run", "--select", "batches", upto="2024-12-01", granularity="week")
    assert not success
    assert "granularity must be month, in which the batches before" in ran["batches"].message
