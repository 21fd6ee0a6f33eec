"""tanon.report_itemsets says what the functions say by which anybody can ask the same."""

import duckdb
import pytest

TRAITS = "(select patient, unnest([diagnosis, sex]) as trait from visits)"
CALL = f"'{TRAITS}', transaction := 'patient', item := 'trait', min_support := 10, k := 5"


def test_channels_and_loss_are_those_of_their_functions(demo_con):
    rows = demo_con.execute(f"from tanon.report_itemsets({CALL})").fetchall()
    found = {(section, fact, about): rest for section, fact, about, *rest in rows}
    assert found["promise", "channels", None][:3] == [0, 0, True]
    channels = demo_con.execute(
        f"select frequency, count(*) from tanon.inference_channels({CALL}) group by all"
    ).fetchall()
    closed = {(int(key[2]), rest[0]) for key, rest in found.items() if key[1] == "closed"}
    assert closed == set(channels) and channels
    columns = "itemsets, rows_added, mean_change, worst_change"
    summary = demo_con.execute(
        f"select {columns} from tanon.publish_itemsets({CALL}, result := 'summary')"
    ).fetchall()
    assert summary == [(
        found["release", "itemsets", None][0],
        found["release", "transactions imagined or repeated", None][0],
        found["loss", "mean change", None][0], found["loss", "worst change", None][0],
    )]  # fmt: skip
    changed = [rest[0] for key, rest in found.items() if key[0] == "supports"]
    assert sum(changed) == summary[0][0]


def test_warnings_are_those_of_itemset_warnings(demo_con):
    demo_con.execute(
        f"create table p as from tanon.publish_itemsets({CALL}, padding := 'k', for_owner := true)"
    )
    rows = demo_con.execute(
        f"select fact, value, public from tanon.report_itemsets({CALL}, padding := 'k') "
        "where section = 'warnings'"
    ).fetchall()
    warned = demo_con.execute(
        "select warning, share from tanon.itemset_warnings('p', k := 5, padding := 'k', "
        "original := 'original_support')"
    ).fetchall()
    assert [row[:2] for row in rows] == warned
    # Others see what they can find out by themselves.
    assert {fact for fact, _, public in rows if public} == {"not listed"}


def test_the_printed_method_lists_closed_itemsets_only(con):
    """Here ['b'] is not among them: each transaction that holds it holds 'a' as well."""
    con.execute(
        "create table t as select i as transaction, 'a' as item from range(5) r(i) "
        "union all select i, 'b' from range(3) r(i)"
    )
    call = (
        "'t', transaction := 'transaction', item := 'item', min_support := 2, k := 2, method "
        ":= 'paper'"
    )
    listed = con.execute(f"select itemset from tanon.publish_itemsets({call})").fetchall()
    assert (["b"],) not in listed
    rows = con.execute(f"from tanon.report_itemsets({call})").fetchall()
    found = {(section, fact): rest for section, fact, _, *rest in rows}
    assert found["release", "itemsets"][0] == len(listed)
    assert found["promise", "channels"][:3] == [0, 0, True]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("transaction := 'nope'", "transaction must be a column of source, got 'nope'"),
        ("item := 'nope'", "item must be a column of items or of lists of items of source"),
        (
            "source := '(select * replace (nullif(sex, ''f'') as sex) from visits)'",
            "item must be free of NULL, got",
        ),
    ],
)
def test_it_speaks_as_itself(demo_con, change, message):
    arguments = {
        "source": "'visits'", "transaction": "'patient'", "item": "'sex'", "min_support": "8",
        "k": "5",
    }  # fmt: skip
    name, value = change.split(" := ", 1)
    given = ", ".join(f"{n} := {v}" for n, v in (arguments | {name: value}).items())
    with pytest.raises(duckdb.Error, match=rf"tanon\.report_itemsets: {message}"):
        demo_con.execute(f"from tanon.report_itemsets({given})").fetchall()
