"""Columns declared sensitive: they leave with limits, or because the call says without."""

import itertools

import duckdb
import pytest

from tanon_duck.interfaces.role_declarations import set_roles

LIMITS = "limits := {'distinct_l': 2}"
CALL = (
    "from tanon.publish_events('r', respondent := 'who', qi := ['house'], ts := 'came', "
    "granularities := ['month'], k := 5{})"
)


@pytest.fixture
def ten_men(con):
    """All of one ward have the same disease; those of the other, in the same house, do not."""
    con.execute(
        "create table r as select 'p' || (1000 + i) as who, ['A', 'B'][1 + i // 10] as ward, "
        "'main' as house, "
        "date '2024-01-05' as came, case when i < 10 then 'HIV' else 'd' || i % 3 end as dx, "
        "1 as paid, 'row of p' || (1000 + i) as note from range(20) as _(i)"
    )
    return con


def refused(con, more):
    with pytest.raises(duckdb.Error) as raised:
        con.execute(CALL.format(more)).fetchall()
    return str(raised.value).split("\n")[0]


def published(con, more):
    return con.execute(CALL.format(more)).fetchall()


def none_for(columns):
    return (
        "Invalid Input Error: tanon.publish_events: limits must be given for what keep "
        f"releases of sensitive columns, got none for {columns}; without_limits := true releases "
        "it without limits"
    )


def test_what_is_declared_sensitive_needs_limits(ten_men):
    assert len(published(ten_men, ", keep := ['dx']")) == 20  # nothing says that it is sensitive
    set_roles(ten_men, "r", {"dx": "sensitive"})
    assert refused(ten_men, ", keep := ['dx']") == none_for("dx")
    assert refused(ten_men, ", keep := ['DX'], for_owner := true") == none_for("dx")
    assert len(published(ten_men, ", keep := ['dx'], without_limits := true")) == 20
    assert len(published(ten_men, f", keep := ['dx'], {LIMITS}")) == 20
    with pytest.raises(duckdb.Error, match="or outside limits"):
        ten_men.execute(CALL.format(f", keep := ['dx'], {LIMITS}").replace("house", "ward"))
    waived = CALL.format(", keep := ['dx'], without_limits := true").replace("house", "ward")
    assert ten_men.execute(waived).fetchall()[:10] == [("A", "2024-01", "HIV")] * 10


def test_what_stays_with_the_owner_needs_none(ten_men):
    set_roles(ten_men, "r", {"dx": "sensitive", "paid": "keep"})
    assert len(published(ten_men, "")[0]) == 3
    assert len(published(ten_men, ", keep := []")[0]) == 2


def test_a_sensitive_column_of_the_call_needs_them_too(ten_men):
    for more in ("", ", keep := ['dx']"):
        refusal = "limits must be given if sensitive is given, unless without_limits := true"
        assert refusal in refused(ten_men, f", sensitive := 'dx'{more}")
        waived = f", sensitive := 'dx', without_limits := true{more}"
        assert len(published(ten_men, waived)) == 20
    assert "sensitive must be given if limits is given, got NULL" in refused(
        ten_men, f", {LIMITS}, without_limits := true"
    )


def test_limits_of_one_column_are_none_of_another(ten_men):
    set_roles(ten_men, "r", {"dx": "sensitive", "paid": "sensitive"})
    both = f", keep := ['dx', 'paid'], sensitive := 'dx', {LIMITS}"
    assert refused(ten_men, both) == none_for("paid")
    assert len(published(ten_men, f"{both}, without_limits := true")) == 20
    assert refused(ten_men, ", keep := ['paid', 'dx']") == none_for("dx, paid")


def test_a_query_has_no_roles(ten_men):
    set_roles(ten_men, "r", {"dx": "sensitive"})
    call = CALL.format(", keep := ['dx']").replace("'r'", "'(from r where true)'")
    assert len(ten_men.execute(call).fetchall()) == 20


PAIRS = list(
    itertools.product(
        [[], ["dx"], ["note"], ["dx", "note"]],  # keep
        [False, True],  # accept
        [None, "limits", "waived"],  # sensitive of the call
        [False, True],  # whether it is declared
    )
)


@pytest.mark.parametrize(("keep", "accepts", "sensitive", "is_declared"), PAIRS)
def test_pairs_of_arguments(ten_men, keep, accepts, sensitive, is_declared):
    """A note that names respondents leaves only if accepted, the disease not without a word."""
    if is_declared:
        set_roles(ten_men, "r", {"dx": "sensitive"})
    more = f", keep := {keep}, allow_identifying := {keep if accepts else []}"
    more += {
        None: "",
        "limits": f", sensitive := 'dx', {LIMITS}",
        "waived": ", sensitive := 'dx', without_limits := true",
    }[sensitive]
    wrong = []
    if "note" in keep and not accepts:
        wrong.append("got note (20 of its words are identifiers")
    if "dx" in keep and is_declared and sensitive is None:
        wrong.append(none_for("dx"))
    if wrong:
        message = refused(ten_men, more)
        assert any(each in message for each in wrong)
    else:
        rows = published(ten_men, more)
        assert len(rows) == 20
        assert {len(row) for row in rows} == {2 + len(keep)}
