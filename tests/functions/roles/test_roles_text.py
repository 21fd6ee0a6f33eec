"""tanon.roles_text: all that comments say, and what the session says of what has no comments."""

from tanon_duck import set_roles


def test_comments_and_session(demo_con):
    assert demo_con.execute("select tanon.roles_text()").fetchall() == [([],)]
    set_roles(demo_con, "visits", respondent="patient", time={"admitted": "month, year"})
    demo_con.execute("create temp table t as select 1 as a; comment on column t.a is 'mine'")
    set_roles(demo_con, "t", keep="a")
    demo_con.execute("comment on column visits.zip is 'about [tanon: ] this'")
    found = demo_con.execute("select tanon.roles_text()").fetchall()[0][0]
    assert [tuple(row.values()) for row in found] == [
        ("own", "main", "visits", "patient", "respondent", None),
        ("own", "main", "visits", "admitted", "time", "month, year"),
        ("temp", "main", "t", "a", "keep", None),
    ]


def test_a_variable_of_them_changes_nothing_where_comments_are_read(demo_con):
    set_roles(demo_con, "visits", respondent="patient", quasi_identifiers="sex")
    demo_con.execute("set variable tanon_roles = tanon.roles_text()")
    set_roles(demo_con, "visits", {"sex": "none"}, quasi_identifiers="zip")
    wanted = demo_con.execute("from tanon.k_anonymity('visits', 'patient', 'zip')").fetchall()
    assert demo_con.execute("from tanon.k_anonymity('visits')").fetchall() == wanted
