import hashlib

import duckdb
import pytest
from itemset_tables import by_itemset, create_lists, create_pairs, named, refused

from oracles import itemsets as oracle
from oracles.random_rows import random_rows
from tanon_duck import errors, release

CALL = (
    "from tanon.publish_itemsets('baskets', transaction := 'transaction', item := 'item', "
    "min_support := {}, "
    "k := {}, method := '{}', for_owner := true)"
)
EXAMPLE = [{0, 1}, *[{0, 1, 2, 3, 4}] * 7, {0, 4}, {2, 3, 4}, {2, 3, 4}, {3, 4}]
FOUR_ITEMS = [{0, 1}, {0, 2}, {1, 2, 3}, {0, 1, 2, 3}]

pytestmark = pytest.mark.filterwarnings("ignore:tanon.publish_itemsets")


def test_the_running_example(con):
    create_pairs(con, EXAMPLE)
    found = by_itemset(con, CALL.format(8, 3, "additive', padding := 'k"))
    wanted = {(): 21, (0,): 12, (4,): 17, (0, 1): 8, (0, 4): 8, (3, 4): 13, (2, 3, 4): 9}
    assert {x: found[named(x)][0] for x in wanted} == wanted
    assert {x: s for x, (_, s) in found.items()} == {
        named(x): s for x, s in oracle.frequent(EXAMPLE, 8).items()
    }


@pytest.mark.parametrize("method", ["additive", "real_rows", "suppressive"])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_published_opens_no_channel(con, seed, method):
    rows, _ = random_rows(seed)
    create_lists(con, rows)
    found = by_itemset(con, CALL.format(5, 4, method))
    published = {x: support for x, (support, _) in found.items()}
    original = oracle.frequent(rows, 5)
    assert oracle.all_channels(published, 4) == {}
    assert all(original[x] == true for x, (_, true) in found.items())
    assert published.keys() <= original.keys()
    if method != "suppressive":
        assert published.keys() == original.keys()
        assert all(published[x] >= original[x] for x in original)


def test_the_printed_form_is_refused_where_it_fails(con):
    create_lists(con, FOUR_ITEMS)
    with pytest.raises(duckdb.Error) as raised:
        con.execute(CALL.format(2, 2, "paper")).fetchall()
    said = errors.one_line(raised.value)
    assert said.startswith("tanon.publish_itemsets: method must be one that leaves no inference")
    assert "->" in said
    assert by_itemset(con, CALL.format(2, 2, "additive"))


def test_the_printed_form_publishes_closed_itemsets(con):
    create_lists(con, EXAMPLE)
    found = by_itemset(con, CALL.format(8, 3, "paper"))
    assert found.keys() == oracle.closed(oracle.frequent(EXAMPLE, 8)).keys()


@pytest.mark.parametrize("rows", [EXAMPLE, [{0, 1}, {0, 1}, {0, 1}, {0}, {0}], None])
def test_the_printed_form_keeps_its_promise_in_a_manifest(demo_con, rows):
    """Where an itemset is not closed it is not listed, and the check must know that."""
    source = "(select patient as transaction, unnest([diagnosis, sex]) as item from visits)"
    if rows is not None:
        create_lists(demo_con, rows)
        source = "baskets"
    demo_con.execute("drop table if exists released")
    manifest = release(
        demo_con, "publish_itemsets", into="released", source=source,
        transaction="transaction", item="item", k=2, method="paper",
        min_support=8 if rows is None else 2,
    ).manifest  # fmt: skip
    assert [check["holds"] for check in manifest["checks"]] == [True] * 3


@pytest.mark.filterwarnings("default:tanon.publish_itemsets")
def test_a_warning_when_more_than_a_tenth_is_added(con):
    create_lists(con, EXAMPLE)
    with pytest.warns(
        errors.TanonWarning, match="9 transactions were added to 12, more than"
    ) as seen:
        con.execute(CALL.format(8, 3, "additive', padding := 'k")).fetchall()
    assert "tanon_duck/" not in seen[0].filename


def test_what_is_drawn_hangs_on_the_secret_and_on_nothing_else(con):
    secrets = [f"{n:02x}" + hashlib.sha256(b"%d" % n).hexdigest() for n in range(6)]
    found = []
    for rows in (EXAMPLE, EXAMPLE[::-1]):
        create_pairs(con, rows)
        call = CALL.format(8, 3, "additive', secret := '{}")
        found.append([by_itemset(con, call.format(secret)) for secret in secrets])
    assert found[0] == found[1]
    added = {release[frozenset()][0] - len(EXAMPLE) for release in found[0]}
    assert len(added) > 1
    assert min(added) >= 9
    assert max(added) <= 18


@pytest.mark.parametrize("as_item", ["{}", "[{}]"])
def test_of_equal_items_the_least_spelling_is_published(con, as_item):
    for least, other, kind in (("-0.0", "0.0", "double"), ("B", "b", "varchar collate nocase")):
        found = []
        for place in (0, 7, 19):
            con.execute(f"create or replace table spelt (transaction integer, x {kind})")
            con.execute(
                f"insert into spelt select range, if(range = {place}, '{least}', '{other}') "
                "from range(20)"
            )
            con.execute(
                "create or replace view baskets as "
                f"select transaction, {as_item.format('x')} as item from spelt"
            )
            found.append(str(con.execute(CALL.format(8, 3, "additive")).fetchall()))
        assert found[0] == found[1] == found[2]


def test_structs_are_items(con):
    con.execute(
        "create table baskets as select range as transaction, {'a': 1, 'b': 'x'} as item from "
        "range(9)"
    )
    found = con.execute(CALL.format(8, 3, "additive")).fetchall()
    assert found == [([], 9, 9), ([{"a": 1, "b": "x"}], 9, 9)]


@pytest.mark.parametrize(
    ("min_support", "k", "method", "message"),
    [
        (5, 1, "additive", "k must be an integer > 1, got 1"),
        (3, 5, "additive", "min_support must be at least k, because"),
        (0.1, 5, "additive", "min_support must be at least k = 5 transactions, because"),
        (5, 5, "addtive", "got 'addtive'; did you mean 'additive'?"),
    ],
)
def test_wrong_arguments(con, min_support, k, method, message):
    create_lists(con, EXAMPLE)
    said = refused(con, CALL.format(min_support, k, method))
    assert "tanon.publish_itemsets: " in said
    assert message in said


def follows(published, a, b, c):
    """What the supports of subsets say at least and at most of an itemset of three."""
    at = {frozenset(x): n for x, n in published}
    s = [at[frozenset(x)] for x in ((), (a,), (b,), (c,), (a, b), (a, c), (b, c))]
    least = max(0, s[4] + s[5] - s[1], s[4] + s[6] - s[2], s[5] + s[6] - s[3])
    return least, min(*s[4:], s[0] - sum(s[1:4]) + sum(s[4:]))


# How many transactions hold what: one holds a and b without c.
SMALL = {"abc": 5, "ab": 1, "ac": 3, "bc": 3}


@pytest.mark.parametrize(
    ("others", "min_support", "more", "unlisted"),
    [
        ({"a": 2, "b": 2, "": 3}, 6, "", 5),  # below min_support, so at most 5
        ({"a": 3, "b": 3}, 5, ", max_length := 2", 5),
    ],
)
def test_a_pattern_can_follow_for_an_itemset_that_is_not_listed(
    con, others, min_support, more, unlisted
):
    """As the help says: no channel is found, nothing is added, and one transaction is known."""
    rows = [{"abc".index(i) for i in x} for x, n in (SMALL | others).items() for _ in range(n)]
    create_lists(con, rows)
    published = con.execute(
        "select itemset, support from tanon.publish_itemsets('baskets', transaction := "
        "'transaction', "
        f"item := 'item', min_support := {min_support}, k := 3{more})"
    ).fetchall()
    con.execute("create table listed (itemset varchar[], support bigint)")
    con.executemany("insert into listed values (?, ?)", published)
    assert con.execute("from tanon.itemset_violations('listed', k := 3)").fetchall() == []
    least, most = follows(published, 0, 1, 2)
    assert least == unlisted == min(most, min_support - 1 if not more else most)
    pairs = {frozenset(x): n for x, n in published}
    assert (0, 1, 2) not in {tuple(x) for x, _ in published}
    assert pairs[frozenset((0, 1))] - least == 1


def test_who_knows_the_number_of_transactions_reads_a_single_channel(con):
    """As the help says: what all transactions rose by was added to each itemset of the channel."""
    rows = [{0, 1}] * 20 + [{0}] * 2 + [{1}] * 20 + [set()] * 20
    create_lists(con, rows)
    met = set()
    for number in range(8):
        secret = hashlib.sha256(str(number).encode()).hexdigest()
        published = con.execute(
            "select itemset, support, original_support from tanon.publish_itemsets('baskets', "
            "transaction := 'transaction', item := 'item', min_support := 20, k := 5, for_owner "
            ":= true, "
            f"secret := '{secret}')"
        ).fetchall()
        (added,) = [support - len(rows) for items, support, _ in published if not items]
        assert 5 <= added <= 10
        met.add(added)
        changed = [(support, true) for _, support, true in published if support != true]
        assert changed and all(support - added == true for support, true in changed)
    assert len(met) > 2
