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
from collections import Counter
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
    "tinyint": "n::tinyint",
    "utinyint": "n::utinyint",
    "smallint": "n::smallint",
    "usmallint": "n::usmallint",
    "integer": "n::integer",
    "uinteger": "n::uinteger",
    "bigint": "n::bigint",
    "ubigint": "n::ubigint",
    "hugeint": "n::hugeint * 170141183460469231731687303715884105",
    "uhugeint": "n::uhugeint * 340282366920938463463374607431768211",
    "bignum": "n::bignum",
    "decimal": "(n / 7)::decimal(38, 10)",
    "small decimal": "(n / 10)::decimal(4, 1)",
    "narrow decimal": "n::decimal(9, 0)",
    "decimal of 18 digits": "(n / 1000)::decimal(18, 3)",
    "float": "(n / 7)::float",
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
    "far date": "date '300000-01-01' + n::integer",
    "time": "time '00:00:00' + to_minutes(n)",
    "time_ns": "(time '00:00:00' + to_minutes(n))::time_ns",
    "timetz": "(time '00:00:00' + to_minutes(n))::timetz",
    "timestamp": "timestamp '2024-01-01' + to_hours(n)",
    "timestamp_s": "(timestamp '2024-01-01' + to_hours(n))::timestamp_s",
    "timestamp_ms": "(timestamp '2024-01-01' + to_hours(n))::timestamp_ms",
    "timestamp_ns": "(timestamp '2024-01-01' + to_hours(n))::timestamp_ns",
    "timestamptz": "(timestamp '2024-01-01' + to_hours(n))::timestamptz",
    "timestamptz_ns": "(timestamp '2024-01-01' + to_hours(n))::timestamptz::timestamptz_ns",
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
    "union of one text": "case n % 2 when 0 then union_value(a := 1)::union(a bigint, b varchar) "
    "else union_value(b := '1')::union(a bigint, b varchar) end",
    "variant": "n::variant",
    "variant of numbers": "(n / 10)::decimal(9, 1)::variant",
    "variant of kinds": "case n % 3 when 0 then n::variant when 1 then ('v' || n)::variant "
    "else [n]::variant end",
    "tuple": "row(n, 'v' || n)",
    "geometry": "('POINT(' || n || ' 1)')::geometry",
    "null": "null",
}

ALIKE = {
    "a whole number": (
        "tinyint",
        "utinyint",
        "smallint",
        "usmallint",
        "integer",
        "uinteger",
        "bigint",
        "ubigint",
    ),
    "a number": (
        "hugeint",
        "uhugeint",
        "bignum",
        "decimal",
        "small decimal",
        "narrow decimal",
        "decimal of 18 digits",
        "float",
        "double",
    ),
    "a text": ("varchar", "collated", "json", "blob", "bit", "uuid", "enum"),
    "a day": (
        "date",
        "far date",
        "timestamp",
        "timestamp_s",
        "timestamp_ms",
        "timestamp_ns",
        "timestamptz",
        "timestamptz_ns",
    ),
    "of a clock": ("time", "time_ns", "timetz", "interval"),
    "a variant": ("variant", "variant of numbers", "variant of kinds"),
    "a list": ("list of texts", "nested list", "list of structs", "map"),
    "numbers": ("list", "list of numbers", "array"),
}
Typed = tuple[str, str, str]  # a table, its column, and the type that it is given


@dataclass(frozen=True)
class Call:
    """An example whose columns are of the given types, by table and name."""

    function: str
    columns: tuple[Typed, ...]
    with_null: bool = False

    def line(self) -> str:
        """How the program reads it."""
        return json.dumps(asdict(self))


class Lottery:
    """Draws calls, the same ones for a seed and what they ended with: now one column, now two.

    A call with one column is drawn once. Where columns of like types were refused for reasons that
    their functions had told before, such calls are drawn less often, for any function.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.places = _columns_of_examples()
        self.names = list(self.places)
        self.drawn: set[Call] = set()
        self.told: set[tuple[str, str]] = set()
        self.tries: Counter[tuple[str, str]] = Counter()
        self.news: Counter[tuple[str, str]] = Counter()
        self.count = 0

    def draw(self, count: int) -> list[Call]:
        """That many calls, of all functions by turns."""
        return [self._one() for _ in range(count)]

    def _one(self) -> Call:
        name = self.names[self.count % len(self.names)]
        self.count += 1
        with_null = self.random.random() < 0.3
        every = [(t, c, type) for t, c in self.places[name] for type in TYPES]
        calls = [Call(name, (typed,), with_null) for typed in every]
        fresh = [call for call in calls if call not in self.drawn] or calls
        chosen = self._weighed([call.columns[0] for call in fresh])
        others = [typed for typed in every if typed[:2] != chosen[:2]]
        if others and self.random.random() < 0.25:
            return Call(name, (chosen, self._weighed(others)), with_null)
        self.drawn.add(Call(name, (chosen,), with_null))
        return Call(name, (chosen,), with_null)

    def _weighed(self, columns: list[Typed]) -> Typed:
        likes = [_like(typed) for typed in columns]
        weights = [((1 + self.news[like]) / (1 + self.tries[like])) ** 2 for like in likes]
        return self.random.choices(columns, weights)[0]

    def learn(self, calls: list[Call], outcomes: list[str]) -> int:
        """Take in what calls ended with; return how many ended in rows or in a new sentence."""
        count = 0
        for call, outcome in zip(calls, outcomes, strict=True):
            sentence = (call.function, re.sub(r"\bgot\b.*|'[^']*'|\d+", "", outcome))
            is_new = not outcome or sentence not in self.told
            self.told.add(sentence)
            likes = [_like(typed) for typed in call.columns]
            self.tries.update(likes)
            self.news.update(likes if is_new else ())
            count += is_new
        return count


def _like(typed: Typed) -> tuple[str, str]:
    """A column with what its type is like: functions take or refuse such types together."""
    _, column, type = typed
    return column, next((like for like, types in ALIKE.items() if type in types), type)


def _columns_of_examples() -> dict[str, list[tuple[str, str]]]:
    """The tables and columns of each function's example, if it shows any."""
    from every_function.examples import DEMO_TABLES, FUNCTIONS, example

    import tanon_duck
    from tanon_duck import demo

    with tanon_duck.connect() as con:
        demo.create_tables(con)
        known = {
            t: [c for c, *_ in con.execute(f"from {t} limit 0").description] for t in DEMO_TABLES
        }
    places = {}
    for name in FUNCTIONS:
        shown = example(name)
        tables = [t for t in DEMO_TABLES if re.search(rf"\b{t}\b", shown)]
        places[name] = [(t, c) for t in tables for c in known[t] if re.search(rf"\b{c}\b", shown)]
    return {name: found for name, found in places.items() if found}


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
