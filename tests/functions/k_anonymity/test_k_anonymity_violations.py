import duckdb
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st
from tables import VISIT_TYPES, VISITS, create

from oracles.dated_rows import create_calendar, create_rows, dated_rows, label
from oracles.frequencies import frequency_set
from tanon_duck import connect


@examples(60)
@given(rows=VISITS, k=st.integers(min_value=2, max_value=5))
def test_the_groups_below_k_and_no_other(rows, k):
    with connect() as con:
        create(con, "visits", VISIT_TYPES, rows)
        call = "from tanon.k_anonymity_violations('visits', 'who', ['q1', 'q 2'], k := ?)"
        found = con.execute(call, [k]).fetchall()
    wanted = {
        (*value, f, n)
        for value, (f, n) in frequency_set(rows, "who", ["q1", "q 2"]).items()
        if f < k
    }
    assert set(found) == wanted
    assert len(found) == len(wanted)


@pytest.mark.parametrize("k", ["1", "0", "-3", "2.5", "'two'", "NULL", "'NaN'::double", "1e20"])
def test_k_must_be_an_integer_above_one(demo_con, k):
    with pytest.raises(duckdb.Error, match="k must be an integer > 1, got "):
        demo_con.execute(f"from tanon.k_anonymity_violations('visits', 'patient', 'sex', k := {k})")


def test_wrong_arguments_are_found_on_an_empty_table_too(demo_con):
    demo_con.execute("delete from visits")
    with pytest.raises(duckdb.Error, match=r"tanon\.k_anonymity_violations: k must be"):
        demo_con.execute("from tanon.k_anonymity_violations('visits', 'patient', 'sex', k := 1)")
    with pytest.raises(duckdb.Error, match="got 'sax'; did you mean sex"):
        demo_con.execute("from tanon.k_anonymity_violations('visits', 'patient', 'sax', k := 2)")


def test_in_a_granularity(con):
    create_calendar(con)
    for seed in range(8):
        rows = dated_rows(seed)
        create_rows(con, rows)
        for granularity in ("day", "month", "shift"):
            found = con.execute(
                "from tanon.k_anonymity_violations('events', 'the one', ['q1'], k := 3, "
                "ts := 'when', granularity := ?, calendar := 'calendar')",
                [granularity],
            ).fetchall()
            labelled = [{**row, "when": label(granularity, row["when"])} for row in rows]
            wanted = frequency_set(labelled, "the one", ["q1", "when"])
            assert sorted(found, key=repr) == sorted(
                ((*value, f, n) for value, (f, n) in wanted.items() if f < 3), key=repr
            )
