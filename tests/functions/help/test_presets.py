"""Presets: data that functions can run, each with its source, none a claim."""

import datetime

from tanon_duck.checking import presets, running
from tanon_duck.macros import catalog


def test_every_preset_names_checks_and_arguments_that_exist():
    for preset in presets.every().values():
        for function, arguments in preset.checks:
            header = running.check_named(function, arguments).header
            assert header.holds


def test_the_table_is_the_file(con):
    rows = con.execute("from tanon.presets()").fetchall()
    assert [row[0] for row in rows] == [p["name"] for p in catalog.presets()]
    for preset, rule, checks, unchecked, source, date in rows:
        assert all((preset, rule, checks, unchecked, source))
        assert datetime.date(2000, 1, 1) < date < datetime.date(2027, 1, 1)
    told = {row[0]: row[2] for row in rows}
    assert (
        told["energy_15_15"] == "k_anonymity(k := 15) and dominated_total_violations(share := 0.15)"
    )
    assert told["ema_0070"] == "k_anonymity(k := 12)"


def test_the_figures_are_those_of_the_rules():
    """12 is the smallest k with 1 / k of at most 0.09; the usual reading is one less."""
    least = next(k for k in range(1, 99) if 1 / k <= 0.09)
    checks = {name: dict(p.checks) for name, p in presets.every().items()}
    assert checks["ema_0070"]["k_anonymity"]["k"] == least == 12
    assert checks["ema_0070_k11"]["k_anonymity"]["k"] == 11
    assert checks["cms_11"]["k_anonymity"]["k"] == 11
