"""Calls of examples with columns of other types, run where a crash takes nothing else with it.

As a program it reads calls as lines of JSON, and writes a line before and after each: what a test
reports can be run again alone.

    echo '{"function": ...}' | python tests/every_function/typed_calls.py
"""

import json
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import duckdb

SECONDS = 20  # of CPU, which other work on the machine does not lengthen
STUCK_SECONDS = 45 * SECONDS  # by the clock: what waits uses no CPU
ROWS = 60
# Values of each type, made of a whole number n from 0 to 49.
TYPES = {
    "boolean": "n % 2 = 0",
    "hugeint": "n::hugeint * 170141183460469231731687303715884105",
    "uhugeint": "n::uhugeint * 340282366920938463463374607431768211",
    "bignum": "n::bignum",
    "decimal": "(n / 7)::decimal(38, 10)",
    "double": "case n % 5 when 0 then 'nan'::double when 1 then '-inf'::double else n / 7 end",
    "varchar": "'v' || n",
    "collated": "('v' || n) collate nocase",
    "json": "to_json({'a': n})",
    "blob": "('b' || n)::blob",
    "bit": "(n + 1)::integer::bit",
    "uuid": "md5(n::varchar)::uuid",
    "enum": "('e' || n % 5)::enum('e0', 'e1', 'e2', 'e3', 'e4')",
    "date": "date '2024-01-01' + n::integer",
    "infinite date": "case n % 5 when 0 then 'infinity'::date else date '2024-01-01' end",
    "time": "time '00:00:00' + to_minutes(n)",
    "timetz": "(time '00:00:00' + to_minutes(n))::timetz",
    "timestamp": "timestamp '2024-01-01' + to_hours(n)",
    "timestamp_s": "(timestamp '2024-01-01' + to_hours(n))::timestamp_s",
    "timestamp_ns": "(timestamp '2024-01-01' + to_hours(n))::timestamp_ns",
    "timestamptz": "(timestamp '2024-01-01' + to_hours(n))::timestamptz",
    "interval": "case n % 2 when 0 then to_days(30) else to_months(n::integer) end",
    "list": "[n, n + 1]",
    "list of texts": "['v' || n, null]",
    "list of numbers": "[n / 3, n, n * 2]::double[]",
    "nested list": "[[n], [n + 1]]",
    "array": "array_value(n, n + 1)",
    "struct": "{'a': n, 'b': 'v' || n}",
    "list of structs": "[{'a': n}]",
    "map": "case when n >= 0 then map {coalesce('v' || n, ''): n} end",
    "union": "case n % 2 when 0 then union_value(a := n)::union(a bigint, b varchar) "
    "else union_value(b := 'v')::union(a bigint, b varchar) end",
    "variant": "n::variant",
    "null": "null",
}


@dataclass(frozen=True)
class Call:
    """An example whose columns are of the given types, by table and name."""

    function: str
    columns: tuple[tuple[str, str, str], ...]
    with_null: bool = False

    def line(self) -> str:
        """How the program reads it."""
        return json.dumps(asdict(self))


def draw(count: int, seed: int) -> list[Call]:
    """That many calls, the same ones for a seed: now one column is replaced, now two."""
    from every_function.examples import DEMO_TABLES, FUNCTIONS, example

    import tanon_duck
    from tanon_duck import demo

    lottery = random.Random(seed)
    with tanon_duck.connect() as con:
        demo.create_tables(con)
        known = {
            t: [c for c, *_ in con.execute(f"from {t} limit 0").description] for t in DEMO_TABLES
        }
    places = {}
    for name in FUNCTIONS:
        tables = [t for t in DEMO_TABLES if re.search(rf"\b{t}\b", example(name))]
        shown = example(name)
        places[name] = [(t, c) for t in tables for c in known[t] if re.search(rf"\b{c}\b", shown)]
    names = [name for name in FUNCTIONS if places[name]]
    found = []
    for number in range(count):
        name = names[number % len(names)]
        several = min(len(places[name]), lottery.choice([1, 1, 1, 2]))
        chosen = lottery.sample(places[name], several)
        typed = tuple((t, c, lottery.choice(list(TYPES))) for t, c in chosen)
        found.append(Call(name, typed, lottery.random() < 0.3))
    return found


def outcomes(calls: list[Call]) -> list[str]:
    """What each call ended with: nothing if in rows, else an error's class and first line."""
    found: list[str] = []
    while len(found) < len(calls):
        found += _run(calls[len(found) :])
    return found


def _run(calls: list[Call]) -> list[str]:
    """Up to the first call that takes its process with it."""
    given = "".join(call.line() + "\n" for call in calls)
    with subprocess.Popen(
        [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write(given)
        process.stdin.close()
        lines = list(_lines(process))
    found = [line.removeprefix("end ") for line in lines if line.startswith("end ")]
    if len(found) < len(calls):
        found.append(f"crash: the process ended with {process.returncode}")
    return found


def _lines(process: subprocess.Popen) -> Iterator[str]:
    """What the process writes; one that does not heed an interrupt is ended."""
    while True:
        guard = threading.Timer(STUCK_SECONDS, process.kill)
        guard.start()
        line = process.stdout.readline()
        guard.cancel()
        if not line:
            return
        yield line.rstrip("\n")


def _main() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    import tanon_duck
    from tanon_duck import demo

    with tanon_duck.connect(config={"threads": 1, "memory_limit": "1GB"}) as con:
        demo.create_tables(con)
        for line in sys.stdin:
            print("begin", flush=True)
            print("end " + _outcome(con, json.loads(line)), flush=True)


def _outcome(con: duckdb.DuckDBPyConnection, call: dict) -> str:
    from every_function.examples import example

    con.execute("begin")
    ended = threading.Event()
    guard = threading.Thread(target=_interrupt_late, args=(con, ended))
    try:
        for table in {table for table, _, _ in call["columns"]}:
            typed = [(c, t) for of, c, t in call["columns"] if of == table]
            con.execute(_replaced(table, typed, call["with_null"]))
        guard.start()
        # Not fetched: what Python makes of a type is not looked at here.
        con.execute(f"create temp table result_of_call as {example(call['function'])}")
    except Exception as error:
        first = str(error).partition("\n")[0]
        return f"{type(error).__name__}: {first}"
    finally:
        ended.set()
        if guard.ident:
            guard.join()
        con.execute("rollback")
    return ""


def _interrupt_late(con: duckdb.DuckDBPyConnection, ended: threading.Event) -> None:
    """Interrupt a call that takes more CPU than it may."""
    begun = time.process_time()
    while not ended.wait(0.5):
        if time.process_time() - begun > SECONDS:
            con.interrupt()


def _replaced(table: str, typed: list[tuple[str, str]], with_null: bool) -> str:
    made = []
    for column, type in typed:
        number = f"(hash({column}) % 50)::bigint"
        if with_null:
            number = f"nullif({number}, 7)"
        value = f"list_transform([{number}], lambda n: {TYPES[type]})[1]"
        made.append(f"{value} as {column}")
    return (
        f"create or replace table {table} as select * replace ({', '.join(made)}) "
        f"from (from {table} order by all limit {ROWS})"
    )


if __name__ == "__main__":
    _main()
