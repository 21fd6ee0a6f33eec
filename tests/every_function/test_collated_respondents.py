"""Respondents of a collation are as many as DuckDB says, in every function that counts them."""

import pytest
from every_function.examples import FUNCTIONS
from every_function.test_files_door import plain_call

from tanon_duck.macros import catalog

COUNTING = [n for n in FUNCTIONS if catalog.function(n).header.argument("respondent")]
# The hospital with every patient spelt in two ways, under a collation that takes them for one, and
# with one spelling each: the two must be the same to every function.
SPELT = {
    "varchar collate nocase": "case when hash(rowid) % 2 = 0 then upper(patient) else patient end",
    "varchar": "patient",
}
# Functions that draw by the texts of whole rows, so that another spelling is another draw.
DRAWN = {"diverse_groups", "report_table_pair"}
# Functions that find nothing in the hospital.
SILENT = {"identifier_warnings"}


def test_there_are_some():
    assert len(COUNTING) > 6


@pytest.mark.parametrize("name", COUNTING)
def test_two_spellings_of_a_respondent_are_one(demo_con, name):
    columns = "admitted, zip, age, sex, diagnosis"
    results = []
    demo_con.execute("create table given as from visits")
    for kind, spelt in SPELT.items():
        demo_con.execute(
            f"create or replace table visits (patient {kind}, admitted timestamp, zip varchar, "
            "age bigint, sex varchar, diagnosis varchar)"
        )
        demo_con.execute(f"insert into visits select {spelt}, {columns} from given")
        if kind != "varchar":
            patients = "select count(distinct patient), count(distinct encode(patient)) from visits"
            people, spellings = demo_con.execute(patients).fetchone()
            assert people == 300 < spellings
        rows = demo_con.execute(plain_call(catalog.function(name))).fetchall()
        results.append(sorted(rows, key=repr))
    if name in DRAWN:
        results = [len(rows) for rows in results]
    assert results[0] == results[1]
    assert bool(results[0]) == (name not in SILENT)
