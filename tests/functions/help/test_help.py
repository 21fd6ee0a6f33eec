def test_a_list_of_all_or_one_in_full(con):
    (row,) = con.execute("from tanon.help() where function = 'k_anonymity'").fetchall()
    function, topic, signature, summary, needs_python, example = row
    assert (function, topic, needs_python) == ("k_anonymity", "k_anonymity", False)
    assert signature.startswith("tanon.k_anonymity(source, uid, qi")
    assert summary == "The largest k for which a table is k-anonymous."
    assert example.startswith("from tanon.k_anonymity('visits'")
    one = con.execute("from tanon.help('k_anonymity')").fetchall()
    assert one[0] == ("summary", "", "", summary)
    assert ("argument", "uid", "column not null", "whom a row is about: the respondent") in one
    assert one[-1] == ("example", "", "", example)


def test_the_prefix_may_be_written(con):
    call = "from tanon.help('tanon.version')"
    assert con.execute(call).fetchall() == con.execute("from tanon.help('version')").fetchall()
