"""What groups are compared with lies in all shards: limits of diversity, and a population.

Tables without a time are released in the same way: nothing is left to choose.
"""

import random

import duckdb
import pytest
from scaling.sharded import (
    AMONG,
    EVERYBODY,
    LADDER_ALONE,
    LADDERS,
    LIMITED,
    RELEASE,
    SUMMARY,
    SUPPRESSED,
    TIMELESS,
    difference,
    on_one_machine,
    visits,
    without,
)

from tanon_duck import scaling
from tanon_duck.errors import TanonError, one_line
from tanon_duck.scaling import bucket_runner
from tanon_duck.scaling.driver import Driver

# Somebody among the population who is like nobody of the source.
STRANGE = f"""(from {EVERYBODY} union all by name select 9999 as who, 'z' as zip,
    1::tinyint as age, timestamp '2024-01-05' as "at")"""


@pytest.fixture(autouse=True)
def rows_lie_apart(monkeypatch):
    """So that a small table fills several buckets where no key says which."""
    monkeypatch.setattr(bucket_runner, "RUN", 7)


def hold(con, seed, rows=240):
    con.register("arriving", visits(seed, rows))
    con.execute("create or replace table visits as from arriving")
    return con


def drawn(draw):
    """Limits and a distance, of which some leave a part of the groups and some leave none."""
    limits = {
        "distinct_l": draw.randint(2, 5),
        "frequency_l": draw.uniform(1.2, 3),
        "entropy_l": draw.uniform(1.5, 4.5),
        "recursive_c": draw.uniform(0.5, 2),
        "t": draw.uniform(0.1, 0.4),
        "beta": draw.uniform(0.3, 2),
    }
    names = draw.sample(list(limits), draw.randint(1, 3))
    found = {"limits": {name: limits[name] for name in names}}
    return found | {"distance": draw.choice(["equal", "ordered"])}


def compared(con, function, arguments, partitions):
    """The rows of both, or the one sentence that both refuse with."""
    runner = scaling.buckets(con, partitions=partitions)
    try:
        wanted = on_one_machine(con, function, arguments)
    except duckdb.Error as error:
        with pytest.raises(TanonError) as raised:
            getattr(runner, function)("visits", **arguments)
        assert str(raised.value) == one_line(error)
        return None
    found = getattr(runner, function)("visits", **arguments)
    assert difference(con, function, found, wanted) == []
    return found


@pytest.mark.parametrize("seed", range(6))
def test_random_limits_leave_the_groups_of_one_machine(con, seed):
    draw = random.Random(seed)
    hold(con, seed, rows=draw.randint(40, 400))
    qi = draw.choice([["zip"], ["age"], ["how much", "age"]])
    more = {"qi": qi, "granularities": ["year"], "max_suppression": draw.choice([0, 0.3, 0.9])}
    arguments = LIMITED | more | drawn(draw)
    compared(con, "publish_events", arguments, 2 + seed % 3)
    compared(con, "publish_events", SUPPRESSED | arguments, 2 + seed % 3)


@pytest.mark.parametrize("seed", range(4))
def test_random_presence_leaves_the_groups_of_one_machine(con, seed):
    draw = random.Random(seed)
    hold(con, seed)
    asked = {"k_map": draw.randint(2, 30), "delta_high": draw.uniform(0.25, 0.5)}
    if seed % 2:
        asked = {"delta_low": draw.uniform(0.1, 0.3)}
    share = {"max_suppression": 0 if seed % 2 else 0.8}
    own = {"k": 2, "granularities": ["year"], "levels": {"zip": 1, "age": seed // 2}}
    arguments = AMONG | share | {"presence": asked} | own
    found = compared(con, "publish_events", arguments, 3)
    assert (found is None) == (seed == 1)


def test_groups_of_the_population_that_nobody_is_of_are_asked_too(con):
    """With delta_low nobody can be told to be absent, and no shard has all groups."""
    hold(con, 1)
    own = {"k": 2, "qi": ["zip"], "granularities": ["year"], "max_suppression": 0}
    given = RELEASE | own | {"presence": {"delta_low": 0.1}}
    assert compared(con, "publish_events", given | {"population": EVERYBODY}, 5) is not None
    assert compared(con, "publish_events", given | {"population": STRANGE}, 5) is None


@pytest.mark.parametrize("seed", range(6))
def test_random_tables_without_a_time_leave_the_groups_of_one_machine(con, seed):
    draw = random.Random(seed)
    hold(con, seed, rows=draw.randint(1, 300))
    arguments = TIMELESS | {
        "qi": draw.choice([["age"], ["age", "day"]]),
        "k": draw.choice([2, 6, 15]),
        "max_suppression": draw.choice([0, 0.3, 0.9]),
    }
    if seed % 2:
        arguments |= drawn(draw) | {"sensitive": "sick"}
    if draw.random() < 0.5:
        levels = {"zip": 1, "age": draw.randint(0, 1)}
        arguments |= {"qi": list(levels), "hierarchies": LADDERS, "levels": levels}
    compared(con, "publish_events", arguments | {"keep": ["how much"]}, 2 + seed % 3)
    compared(con, "publish_events", SUPPRESSED | arguments, 2 + seed % 3)


def test_without_a_time_the_share_that_is_left_out_is_kept_to_the_row(con):
    hold(con, 1)
    arguments = TIMELESS | {"qi": ["day"], "k": 8}
    groups = on_one_machine(con, "publish_events", SUPPRESSED | arguments)
    left = sum(groups["tuples"].to_pylist())
    for most, is_released in ((left + 0.5, True), (left - 0.5, False)):
        found = compared(con, "publish_events", arguments | {"max_suppression": most / 240}, 3)
        assert (found is not None) == is_released


def test_a_population_beside_a_table_without_a_time(con):
    hold(con, 1)
    among = {"population": EVERYBODY, "presence": {"k_map": 12, "delta_high": 0.3}}
    arguments = TIMELESS | LADDER_ALONE | among
    assert compared(con, "publish_events", arguments, 5) is not None


def test_control_shards_that_know_their_own_values_alone_give_another_release(con, monkeypatch):
    hold(con, 1)
    wanted = on_one_machine(con, "publish_events", LIMITED)
    without(
        monkeypatch,
        "publish_events",
        "sensitive_values_met as sensitive_values",
        "shares_met as source_shares",
    )
    found = scaling.buckets(con, partitions=5).publish_events("visits", **LIMITED)
    assert difference(con, "publish_events", found, wanted)


def test_a_release_is_looked_at_again_in_every_shard(con, monkeypatch):
    """Where a group that should have been left out is not, nothing leaves."""
    hold(con, 1)
    merge = Driver.merge

    def careless(self, step, function, partials, known_as=""):
        merge(self, step, function, partials, known_as)
        if step == "left_out_here":  # as if no group were outside
            self.connection.execute(
                "update tanon_left_out_here set tanon_left = 0; "
                "create temp table "
                "tanon_groups_below_k as select ''::varchar as zip, 0 as tanon_granule, "
                "0 as tanon_frequency, true as tanon_holds where false"
            )
            self.know("groups_below_k")

    monkeypatch.setattr(Driver, "merge", careless)
    runner = scaling.buckets(con, partitions=3)
    own = {"k": 2, "qi": ["zip"], "granularities": ["year"]}
    with pytest.raises(TanonError, match=r"limits must hold in the release, got \d+ groups"):
        runner.publish_events("visits", **LIMITED | own | {"limits": {"entropy_l": 4.8}})
    asked = {"population": EVERYBODY, "presence": {"k_map": 150}}
    with pytest.raises(TanonError, match="presence must hold in the release, got"):
        runner.publish_events("visits", **RELEASE | own | asked)


@pytest.mark.parametrize(
    ("function", "arguments", "said"),
    [
        ("publish_events", {"by": "respondent"}, "limits must be left out on shards (whole resp"),
        (
            "publish_events",
            {"granularities": ["month", "year"]},
            "granularities must be one on shards with limits (to choose among several is a",
        ),
        ("publish_events", SUMMARY, "limits must be left out on shards (bits are"),
        ("publish_events", {"choose_by": "least"}, "choose_by must be left out on shards"),
    ],
)
def test_what_limits_do_not_go_with_says_so(con, function, arguments, said):
    hold(con, 1)
    given = {k: v for k, v in LIMITED.items() if k != "sensitive" or arguments != SUMMARY}
    with pytest.raises(TanonError) as raised:
        getattr(scaling.buckets(con, partitions=2), function)("visits", **given | arguments)
    assert said in str(raised.value)


def test_a_population_that_no_hierarchy_knows_or_that_lacks_the_source_is_refused(con):
    hold(con, 1)
    runner = scaling.buckets(con, partitions=3)
    known = "(from visits where who > 20)"
    with pytest.raises(TanonError, match="population must hold the respondents of source"):
        runner.publish_events("visits", **AMONG | {"population": known})
    with pytest.raises(TanonError, match="must generalize every value of population on every"):
        runner.publish_events("visits", **AMONG | {"population": STRANGE})
