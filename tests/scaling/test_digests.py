"""Digests of rows in shards: those of one machine, and no shard gets the secret."""

import pytest
from scaling.sharded import on_one_machine, visits

import tanon_duck
from tanon_duck import scaling
from tanon_duck.errors import TanonError
from tanon_duck.scaling.bucket_runner import Buckets

SECRET = tanon_duck.new_secret()
KINDS = """
    create table kinds as select
        i::hugeint << 80 as whole, lpad(i::varchar, 32, '0')::uuid as id, i::utinyint as small,
        ['a', 'b', null][i % 3 + 1]::enum('a', 'b') as "one of", '{"a": 1}'::json as noted,
        interval (i) month + interval 3 hours as lasting, time '01:02:03' + to_seconds(i) as clock,
        timestamptz '2024-01-01 00:00:00+00' + to_hours(i) as instant,
        timestamp_ns '2024-01-01 00:00:00.123456789' as fine, date 'infinity' as never,
        {'x': i, 'y': [i, null]} as nested, map {'k': i} as named, [i::hugeint, null] as wholes,
        (i / 7)::decimal(12, 5) as part, (i / 3)::float as third, '101'::bit as bits,
        '\\xFF'::blob as bytes, [0.0, -0.0, 'nan'::double, null][i % 4 + 1] as odd
    from range(30) as t(i)
"""


@pytest.fixture
def held(con):
    con.register("arriving", visits(1))
    con.execute("create table visits as from arriving")
    return con


def both(con, source, partitions=3, **arguments):
    """The digest of one machine, and that of buckets."""
    (wanted,) = on_one_machine(con, "row_digest", arguments, source).to_pylist()
    runner = scaling.buckets(con, partitions=partitions)
    (found,) = runner.row_digest(source, **arguments).to_pylist()
    return wanted, found


@pytest.mark.parametrize(
    "source",
    [
        "visits",
        "(from visits limit 0)",
        "(select 1 as n from visits)",  # equal rows, which are all in one set
        "(select i // 3 as n from range(40000) as t(i))",  # more than eight in a set
        "kinds",
        "(select zip collate nocase as zip from visits)",
    ],
)
def test_shards_give_the_digest_of_one_machine(held, source):
    held.execute(KINDS)
    wanted, found = both(held, source, partitions=5)
    assert found == wanted


def test_a_row_more_and_a_column_less_are_other_digests(held):
    wanted, found = both(held, "visits", only_columns=["zip", "how much"])
    assert found == wanted
    more, again = both(held, "(from visits union all from visits limit 241)")
    assert more == again
    assert len({found["digest"], more["digest"], both(held, "visits")[1]["digest"]}) == 3
    assert more["rows"] == 241


def test_a_keyed_digest_and_no_shard_gets_the_secret(held, monkeypatch):
    sent, run = [], Buckets.run

    def spied(self, data, work):
        sent.append(repr(work))
        return run(self, data, work)

    monkeypatch.setattr(Buckets, "run", spied)
    wanted, found = both(held, "visits", keyed=True, secret=SECRET)
    assert found == wanted
    assert found != both(held, "visits")[1] != both(held, "visits", keyed=True)[1]
    assert sent and SECRET not in "".join(sent)


def test_a_secret_that_is_not_used_is_refused_as_on_one_machine(held):
    with pytest.raises(TanonError, match="secret must be omitted unless keyed is true"):
        scaling.buckets(held).row_digest("visits", secret=SECRET)
