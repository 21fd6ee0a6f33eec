"""The stock DuckDB shell gives the same bytes as a Python connection, from a script or a file."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from every_function.examples import EXAMPLES, FUNCTIONS, SHELL_FUNCTIONS, example, function_of
from waiting import LONGEST

from tanon_duck import demo
from tanon_duck.interfaces import stock_shell
from tanon_duck.macros import catalog
from tanon_duck.quoting import literal

# A file with installed functions knows no Python there, and a secret has to be named.
IN_THE_SHELL = "getenv('TANON_SECRET')"
PYTHON_FUNCTIONS = [name for name in FUNCTIONS if name not in SHELL_FUNCTIONS]
# Functions whose example calls only functions of the shell.
COMPARED = [
    name
    for name in EXAMPLES
    if function_of(name).name in SHELL_FUNCTIONS
    and not set(re.findall(r"tanon\.(\w+)\(", example(name))) & set(PYTHON_FUNCTIONS)
]


def shell_program():
    """The shell of PyPI's duckdb-cli, which stands beside the interpreter."""
    beside = Path(sys.executable).parent / "duckdb"
    return str(beside) if beside.exists() else shutil.which("duckdb")


def run_shell(*arguments, text=""):
    command = [shell_program(), "-init", "/dev/null", *map(str, arguments)]
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=LONGEST)


def copies(folder, secret=""):
    """Statements that write the result of each example into a file of the folder."""
    for name in COMPARED:
        call, target = example(name), literal(str(folder / f"{name}.csv"))
        for called in sorted(set(re.findall(r"tanon\.(\w+)\(", call))) if secret else ():
            header = catalog.function(called).header
            # What may be keyed or not takes a secret only where it is.
            if header.argument("secret") and not header.argument("keyed"):
                call = re.sub(rf"(tanon\.{called}\([^()]*)\)", rf"\1, secret := {secret})", call)
        yield f"copy ({call}) to {target} (format csv);\n"


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    path = tmp_path_factory.mktemp("script") / "tanon.sql"
    path.write_text(stock_shell.script())
    return path


def results(folder):
    return {
        path.stem: path.read_text()
        if "order by" in example(path.stem)
        else sorted(path.read_text().splitlines())
        for path in folder.glob("*.csv")
    }


def test_script_and_installed_file_give_the_bytes_of_python(demo_con, script, tmp_path):
    for door in ("python", "script", "file"):
        (tmp_path / door).mkdir()
    for statement in copies(tmp_path / "python"):
        demo_con.execute(statement)
    tables = demo.statements_of_tables()
    by_script = f".read {script}\n{tables}\n" + "".join(copies(tmp_path / "script"))
    ran = run_shell(text=by_script)
    assert ran.stderr == ""
    assert ran.returncode == 0
    database = tmp_path / "installed.duckdb"
    stock_shell.install_file(database)
    ran = run_shell(database, text=tables + "".join(copies(tmp_path / "file", IN_THE_SHELL)))
    assert ran.stderr == ""
    assert ran.returncode == 0
    wanted = results(tmp_path / "python")
    assert set(wanted) == set(COMPARED)
    assert len(COMPARED) >= len(SHELL_FUNCTIONS) - 2
    assert results(tmp_path / "script") == wanted
    assert results(tmp_path / "file") == wanted


def test_a_python_function_says_in_the_stock_shell_where_it_runs(script):
    for name in PYTHON_FUNCTIONS:
        arguments = [a for a in catalog.function(name).header.arguments if not a.default]
        verb = "select" if catalog.function(name).is_scalar else "from"
        call = f"{verb} tanon.{name}({', '.join('NULL' for _ in arguments)})"
        ran = run_shell(text=f".read {script}\n{call};")
        assert ran.returncode == 1
        assert f"tanon.{name} needs Python: it runs in tanon-duck shell" in ran.stderr
