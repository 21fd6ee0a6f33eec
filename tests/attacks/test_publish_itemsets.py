"""Published supports, k, the code, all arguments but the secret: which true counts can be read?"""

import hashlib
import random

import pytest
from attacks.judging import assert_breaks, assert_holds

from tanon_duck.secret import new_secret

K = 5
CHANNELS = 40
TABLES = 4
PROMISE = (2 * K - 1) / (K * K - 1)

pytestmark = pytest.mark.filterwarnings("ignore:tanon.publish_itemsets")


def planted(con, seed):
    """A table with one channel for each i: f transactions hold a_i and not b_i; the f of each i."""
    draw = random.Random(seed)
    rows, truth = [], [draw.randint(1, K - 1) for _ in range(CHANNELS)]
    for i, f in enumerate(truth):
        rows += [[f"a{i}", f"b{i}"]] * draw.randint(10, 30) + [[f"a{i}"]] * f
    draw.shuffle(rows)
    create(con, rows)
    return truth


def create(con, rows):
    con.execute(
        "create or replace table baskets as "
        "select unnest(range(len($1))) as transaction, unnest($1::varchar[][]) as item",
        [rows],
    )


def release(con, options="", min_support=8):
    """What is published, support by itemset."""
    found = con.execute(
        "from tanon.publish_itemsets('baskets', transaction := 'transaction', item := 'item', "
        f"min_support := {min_support}, k := {K} {options})"
    ).fetchall()
    return {frozenset(items): support for items, support, *_ in found}


def shown(published):
    """The number published for each planted channel."""
    a, b = (lambda i: frozenset([f"a{i}"])), (lambda i: frozenset([f"a{i}", f"b{i}"]))
    return [published[a(i)] - published[b(i)] for i in range(CHANNELS)]


def secret(seed):
    return hashlib.sha256(f"secret {seed}".encode()).hexdigest()


def read_off(con, options, added):
    """Guesses at true counts that what is published leaves, all of them alike likely."""
    hits = tries = 0
    for seed in range(TABLES):
        truth = planted(con, seed)
        published = shown(release(con, f"{options}, secret := '{secret(seed)}'"))
        for f, number in zip(truth, published, strict=True):
            left = [g for g in range(1, K) if number - g in added]
            hits += bool(left) and left[len(left) // 2] == f
            tries += 1
    return hits, tries


@pytest.mark.quick
def test_true_counts_cannot_be_read_off(con):
    assert_holds(*read_off(con, "", range(K, 2 * K + 1)), PROMISE)


def test_repeated_transactions_bring_every_channel_to_the_same_number(con):
    assert_holds(*read_off(con, ", method := 'real_rows'", range(1, K)), 1 / (K - 1))


@pytest.mark.quick
def test_control_with_k_added_each_time_the_true_count_is_what_is_shown_less_k(con):
    hits, tries = read_off(con, ", padding := 'k'", [K])
    assert_breaks(hits, tries, PROMISE)
    assert hits == tries


def test_another_release_under_the_same_secret_tells_nothing_more(con):
    planted(con, 0)
    first, second = (release(con, f", secret := '{secret(0)}'", m) for m in (8, 9))
    assert shown(first) == shown(second)


def test_control_releases_under_many_secrets_narrow_the_count_to_one(con):
    truth = planted(con, 0)
    numbers = [shown(release(con, f", secret := '{secret(seed)}'")) for seed in range(30)]
    least, most = (list(map(end, zip(*numbers, strict=True))) for end in (min, max))
    pairs = zip(truth, least, most, strict=True)
    hits = sum(
        [g for g in range(1, K) if a - g >= K and b - g <= 2 * K] == [f] for f, a, b in pairs
    )
    assert_breaks(hits, CHANNELS, PROMISE)


def test_the_true_supports_stay_home(con):
    planted(con, 0)
    found = con.execute(
        "describe from tanon.publish_itemsets('baskets', transaction := 'transaction', item := "
        "'item', "
        f"min_support := 8, k := {K})"
    ).fetchall()
    assert [name for name, *_ in found] == ["itemset", "support"]


def test_control_with_the_column_of_the_owner_every_count_is_there(con):
    truth = planted(con, 0)
    found = con.execute(
        "select itemset, original_support from tanon.publish_itemsets('baskets', "
        f"transaction := 'transaction', item := 'item', min_support := 8, k := {K}, for_owner := "
        f"true)"
    ).fetchall()
    read = shown({frozenset(items): original for items, original in found})
    assert_breaks(sum(map(int.__eq__, read, truth)), CHANNELS, PROMISE)


def test_the_order_of_the_release_is_that_of_its_columns(con):
    planted(con, 0)
    call = (
        "from tanon.publish_itemsets({}, transaction := 'transaction', item := 'item', "
        "min_support := 8, "
        f"k := {K}, secret := '{new_secret()}')"
    )
    asked = "'(from baskets order by transaction {})'"
    first, second = (con.sql(call.format(asked.format(d))).fetchall() for d in ("", "desc"))
    assert first == second == sorted(first)


def test_documented_an_itemset_that_is_not_listed_is_bounded_by_the_others(con):
    """Not promised: of five transactions three hold a and three b, so one of them holds both."""
    con.execute(
        "create or replace table baskets as select range as transaction, [[], ['a'], ['b'], "
        "['a', 'b']][case when range < 10 then 2 when range < 20 then 3 else 4 end] as item "
        "from range(24)"
    )
    published = release(con)
    together = published[frozenset("a")] + published[frozenset("b")] - published[frozenset()]
    assert frozenset("ab") not in published
    assert 1 <= together < K


def test_documented_a_pattern_that_cannot_occur_counts_the_imagined_transactions(demo_con):
    """Not promised: every patient has a sex, so those published without one were imagined."""
    demo_con.execute(
        "create table baskets as select patient as transaction, [diagnosis, sex] as item from "
        "visits"
    )
    published = release(demo_con, min_support=10)
    no_sex = [published[frozenset(["asthma", *sex])] for sex in ([], ["m"], ["f"])]
    imagined = no_sex[0] - no_sex[1] - no_sex[2]
    both = [published[frozenset(["asthma", "fracture", *sex])] for sex in ([], ["f"])]
    assert both[0] - both[1] - imagined == 3


def test_control_a_second_release_with_one_more_transaction_gives_that_one_away(con):
    """Not promised: supports of the items of the new transaction rose by one more than others."""
    hits = 0
    for seed in range(30):
        draw = random.Random(seed)
        rows = [[item for item in "abcd" if draw.random() < 0.5] for _ in range(100)]
        new = frozenset(item for item in "abcd" if draw.random() < 0.5)
        supports = []
        for table in (rows, [*rows, sorted(new)]):
            create(con, table)
            supports.append(release(con, ", padding := 'k'", 20))
        rose = [x for x in "abcd" if (supports[1][frozenset(x)] - supports[0][frozenset(x)]) % K]
        hits += frozenset(rose) == new
    assert_breaks(hits, 30, 1 / 16)
    assert hits == 30
