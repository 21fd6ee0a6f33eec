import tanon_duck


def test_it_is_the_version_of_the_package(con):
    assert con.execute("select tanon.version()").fetchall() == [(tanon_duck.__version__,)]
