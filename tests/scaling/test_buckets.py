"""Hash buckets on one machine give the rows that one database gives, whatever lies in them."""

import pytest
from scaling.sharded import CALENDAR, CALLS, NAMES, OFFER, TIMES, difference, on_one_machine, visits

import tanon_duck
from tanon_duck.errors import TanonError
from tanon_duck.macros import catalog


@pytest.fixture
def held(con):
    con.register("arriving", visits(1))
    con.execute("create table visits as from arriving")
    return con


@pytest.mark.parametrize("call", CALLS, ids=NAMES)
def test_buckets_give_the_rows_of_one_machine(held, call):
    function, arguments, by = call
    wanted = on_one_machine(held, function, arguments)
    found = getattr(tanon_duck.buckets(held, partitions=3), function)("visits", by=by, **arguments)
    assert wanted.num_rows > 0
    assert found.column_names == wanted.column_names
    assert difference(held, found, wanted) == []
