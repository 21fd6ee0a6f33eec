"""Lists in CSV files, which know text only, and warnings of the command line."""

import pytest

from tanon_duck import cli

ITEMSETS = "frequent_itemsets", "--transaction=transaction", "--item=item", "--min-support=2"


def written(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_text(text)
    return str(path)


def run(capsys, command, path, *options):
    assert cli.main([command, path, *options]) == 0
    return capsys.readouterr()


@pytest.mark.parametrize("held", ["[a, b]", '"[a, b]"', "\"['a', 'b']\"", '" [a,b] "'])
def test_a_column_of_lists_holds_lists(capsys, tmp_path, held):
    held = held if held.startswith('"') else f'"{held}"'
    path = written(tmp_path, f"transaction,item\n1,{held}\n2,{held}\n3,[]\n")
    found = run(capsys, ITEMSETS[0], path, *ITEMSETS[1:], "--max-length=1").out
    assert sorted(found.splitlines()[1:]) == ["[],3", "[a],2", "[b],2"]


def test_one_text_that_is_no_list_and_all_are_items(capsys, tmp_path):
    path = written(tmp_path, 'transaction,item\n1,"[a, b]"\n2,"[a, b]"\n3,a\n')
    found = run(capsys, ITEMSETS[0], path, *ITEMSETS[1:]).out
    assert sorted(found.splitlines()[1:]) == ["\"['[a, b]']\",2", "[],3"]


def test_a_column_that_is_to_stay_text_does(capsys, tmp_path):
    path = written(tmp_path, "transaction,item\n1,[a]\n2,[a]\n")
    found = run(capsys, ITEMSETS[0], path, *ITEMSETS[1:], "--as-text=item").out
    assert len(found.splitlines()) == 3
    assert "[a],2" not in found.splitlines()


def test_what_was_published_can_be_read_again(capsys, tmp_path):
    text = "transaction,item\n" + "".join(f'{i},"[a, b]"\n' for i in range(20))
    release = tmp_path / "release.csv"
    options = (
        "--transaction=transaction",
        "--item=item",
        "--min-support=8",
        "--k=3",
        f"--output={release}",
    )
    run(capsys, "publish_itemsets", written(tmp_path, text), *options)
    assert run(capsys, "itemset_violations", str(release), "--k=3").out.splitlines() == [
        "base,top,frequency"
    ]
    rules = run(capsys, "association_rules", str(release)).out.splitlines()
    assert sorted(rules[1:]) == ["[a],[b],20,1.0,1.0", "[b],[a],20,1.0,1.0"]


def test_lists_of_numbers_are_series(capsys, tmp_path):
    path = written(tmp_path, 'id,series\n1,"[1, 2, 3]"\n2,"[3, 2.5, 1e0]"\n')
    options = ("--series-id=id", "--series=series", "--level=3")
    found = run(capsys, "series_items", path, *options).out
    assert len(found.splitlines()) == 3


def test_a_list_that_holds_no_numbers_is_no_series(capsys, tmp_path):
    path = written(tmp_path, 'id,series\n1,"[1, x]"\n')
    assert cli.main(["series_items", path, "--series-id=id", "--series=series", "--level=3"]) == 1
    assert "'x'" in capsys.readouterr().err


def test_a_warning_is_one_line(capsys, tmp_path):
    rows = [(i, "a") for i in range(20)] + [(i, "b") for i in range(18)]
    text = "transaction,item\n" + "".join(f"{transaction},{item}\n" for transaction, item in rows)
    options = ("--transaction=transaction", "--item=item", "--min-support=8", "--k=5")
    shown = run(capsys, "publish_itemsets", written(tmp_path, text), *options)
    (line,) = shown.err.splitlines()
    assert line.startswith("tanon-duck: warning: tanon.publish_itemsets: ")
    assert "transactions were added to 20, more than a tenth" in line
    assert ".py" not in line
    assert "warning" not in shown.out
