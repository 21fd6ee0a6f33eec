def test_smoke(demo_con):
    assert demo_con.execute(
        "from tanon.k_anonymity('visits', uid := 'patient', qi := ['zip', 'sex'])"
    ).fetchall()
