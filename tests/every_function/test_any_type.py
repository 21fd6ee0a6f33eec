"""Every function on columns of every type: a result, or one sentence of ours, and soon."""

import os
import re
from concurrent.futures import ThreadPoolExecutor

from every_function.typed_calls import SECONDS, TYPES, Call, Lottery, outcomes

CALLS = int(os.environ.get("TANON_TEST_CALLS", "250"))
SEED = int(os.environ.get("TANON_TEST_SEED", "20"))
BATCH, BATCHES_OF_ROUND = 50, 2
# Where no macro can speak: the pattern of DuckDB's own sentence, and why it is left.
OF_DUCKDB = {
    r"Macro (up|granule_\w+)\(\) does not support": "no overload of an expression fits the type",
    r"argument types '//\(": "a hierarchy of the example: the caller's own SQL",
    r"(cast|casting) .*\bcharity$|Unimplemented type for cast \(INTEGER ->": "the release of the "
    "example has this column as INTEGER, and DuckDB casts where the two are put together",
    r"[Cc]an't convert VARIANT|Could not convert string '.*' to INT": "a value is cast where the "
    "type was known too late to ask",
    r"Type U?(HUGEINT|INT128) with value": "and so is a number",
    r"found VARIANT\(": "a value that is no list in a VARIANT is known only when it is cast",
    r"Cannot concatenate types VARCHAR and ": "a list where a time belongs is bound before the "
    "check of the column can speak",
}


def is_fine(outcome):
    if outcome.startswith(("InternalException", "FatalException", "crash", "InterruptException")):
        return False
    # InterruptException: longer than it may take.
    return (
        not outcome
        or "tanon." in outcome
        or any(re.search(pattern, outcome) for pattern in OF_DUCKDB)
    )


def test_columns_of_any_type():
    lottery, wrong, news = Lottery(SEED), [], 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        while lottery.count < CALLS:
            calls = lottery.draw(min(BATCH * BATCHES_OF_ROUND, CALLS - lottery.count))
            batches = [calls[at : at + BATCH] for at in range(0, len(calls), BATCH)]
            found = [outcome for batch in pool.map(outcomes, batches) for outcome in batch]
            news += lottery.learn(calls, found)
            wrong += [(c, o) for c, o in zip(calls, found, strict=True) if not is_fine(o)]
    told = "".join(f"\n{call.line()}\n  {outcome}" for call, outcome in wrong)
    assert not wrong, f"{len(wrong)} of {CALLS} calls, {news} of them new, seed {SEED}:{told}"


def test_arrays_leave_in_an_order():
    """In a STRUCT they crash DuckDB 2.0 where rows are moved."""
    columns = [
        ("publish_stream", "disease"),
        ("publish_stream", "age"),
        ("publish_table_pair", "age"),
    ]
    calls = [Call(name, (("cases", column, "array"),)) for name, column in columns]
    assert outcomes(calls) == [""] * len(calls)


def test_control_a_crash_and_a_stranger_are_told():
    assert outcomes([Call("k_anonymity", (("visits", "sex", "varchar"),))]) == [""]
    (told,) = outcomes([Call("k_anonymity", (("visits", "nothing", "varchar"),))])
    assert not is_fine(told)
    assert not is_fine("crash: the process ended with -11")
    assert SECONDS == 20
    assert len(TYPES) > 30
