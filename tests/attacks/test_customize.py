"""Against tanon.customize: two tailored releases joined by the numbers of groups."""

HALVES = ("[1, 2, 3, 4], [1, 2, 3, 4]", "[5, 6, 7, 8], [5, 6, 7, 8]")


def joined_classes(con, owner):
    """Classes of the one half that lead to one class of the other."""
    for name, half in zip("ab", HALVES, strict=True):
        con.execute(
            f"create or replace table {name} as from tanon.customize('published_incomes', {half}"
            f"{', for_owner := true' if owner else ''})"
        )
    shared = con.execute(
        "select a.column_name from (describe a) as a join (describe b) as b using (column_name) "
        "where column_name in ('k_group', 'p_group')"
    ).fetchall()
    if not shared:
        return 0
    return con.execute(
        "select count(*) from (select p_group from a join b using (k_group, p_group) "
        "group by p_group having count(distinct (b.low, b.pr)) = 1)"
    ).fetchall()[0][0]


def test_two_halves_share_no_number(demo_con):
    assert joined_classes(demo_con, owner=False) == 0


def test_control_group_numbers_join_all_classes(demo_con):
    assert joined_classes(demo_con, owner=True) == 15
