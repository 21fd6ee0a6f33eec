from hypothesis import given, settings
from tables import VISIT_TYPES, VISITS, create

from oracles.frequencies import frequency_set
from tanon_duck import connect


@settings(derandomize=True, deadline=None, max_examples=60)
@given(rows=VISITS)
def test_as_the_definition_reads(rows):
    with connect() as con:
        create(con, "visits", VISIT_TYPES, rows)
        call = "from tanon.k_anonymity('visits', uid := 'who', qi := ['q1', 'q 2'])"
        found = con.execute(call).fetchall()
    frequencies = [f for f, _ in frequency_set(rows, "who", ["q1", "q 2"]).values()]
    people = {row["who"] for row in rows}
    assert found == [
        (min(frequencies, default=None), sum(frequencies), len(frequencies), len(rows), len(people))
    ]


def test_an_empty_table_is_k_anonymous_for_every_k(con):
    call = "from tanon.k_anonymity('(select 1 as p, 2 as q where false)', 'p', ['q'])"
    assert con.execute(call).fetchall() == [(None, 0, 0, 0, 0)]


def test_a_million_rows_of_one_person_are_one_person(con):
    call = "from tanon.k_anonymity('(select 7 as p, 1 as q from range(1000000))', 'p', ['q'])"
    assert con.execute(call).fetchall() == [(1, 1, 1, 1000000, 1)]
