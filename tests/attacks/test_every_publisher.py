"""Nothing is made to be released without an attack in the tests, and a control that works."""

import ast
from pathlib import Path

import pytest
from every_function.examples import FUNCTIONS

from tanon_duck.macros import catalog

pytestmark = pytest.mark.quick

HERE = Path(__file__).parent
PUBLISHERS = [n for n in FUNCTIONS if catalog.function(n).header.answer().audience == "others"]
NOTHING_MOVES = "no row is moved in time"
NOTHING_DRAWN = "nothing is decided by a secret"
NOTHING_MISSING = "every series leaves"
BY_READINGS = (
    "whose series stays home hangs on readings, which the adversary has, and on nothing else"
)
# What every publisher is tried with: the test of it, or why there is nothing to try.
TRIED = {
    "publish_events": {
        "order": "test_the_order_of_rows_tells_nothing_of_times",
        "secret": NOTHING_DRAWN,
        "undeclared columns": "test_columns_that_nobody_named_do_not_help",
        "boundary": "test_the_choice_tells_nothing_of_what_is_kept",
        "left out": "test_who_is_missed_has_no_value_more_likely_than_promised",
        "displaced records": NOTHING_MOVES,
        "two releases": "test_control_two_releases_of_one_table_add_up",
    },
    "publish_table_pair": {
        "order": "test_rows_do_not_come_in_the_order_of_the_deal_or_of_the_source",
        "secret": "test_the_deal_is_not_undone",
        "undeclared columns": "test_nothing_leaves_that_was_not_named",
        "boundary": "test_that_few_groups_were_possible_tells_nothing",
        "left out": "test_where_the_late_are_covered_nobody_is_known_by_it",
        "displaced records": "test_even_all_flows_tell_no_more_than_the_day",
        "two releases": "test_a_second_release_with_one_record_more_tells_nothing",
    },
    "publish_series": {
        "order": "test_the_first_row_of_a_class_is_not_the_first_person",
        "secret": "test_who_of_equal_series_goes_where_is_not_told",
        "undeclared columns": "test_what_nobody_declared_stays_home",
        "boundary": "test_who_reaches_a_bound_may_be_anybody_of_the_class",
        "left out": BY_READINGS,
        "displaced records": NOTHING_MOVES,
        "two releases": "test_control_two_releases_of_one_table_add_up",
    },
    "publish_series_ranges": {
        "order": "test_no_row_of_a_group_stands_where_its_person_does",
        "secret": "test_who_of_equal_series_goes_where_is_not_told",
        "undeclared columns": "test_what_nobody_declared_stays_home",
        "boundary": "test_who_reaches_a_bound_may_be_anybody_of_the_class",
        "left out": BY_READINGS,
        "displaced records": NOTHING_MOVES,
        "two releases": "test_control_two_releases_of_one_table_add_up",
    },
    "publish_series_parts": {
        "order": "test_rows_do_not_stand_where_the_source_has_them",
        "secret": NOTHING_DRAWN,
        "undeclared columns": "test_what_nobody_declared_stays_home",
        "boundary": "test_who_reaches_an_extreme_that_is_withheld_is_not_told",
        "left out": NOTHING_MISSING,
        "displaced records": NOTHING_MOVES,
        "two releases": "test_two_halves_share_no_number",
    },
    "publish_perturbed_series": {
        "order": "test_rows_do_not_stand_where_the_source_has_them",
        "secret": "test_no_small_seed_explains_the_draws",
        "undeclared columns": "test_what_nobody_declared_stays_home",
        "boundary": "test_documented_values_near_one_that_fills_its_share_were_that_value",
        "left out": NOTHING_MISSING,
        "displaced records": NOTHING_MOVES,
        "two releases": "test_a_second_release_under_the_same_secret_tells_nothing_more",
    },
    "publish_itemsets": {
        "order": "test_the_order_of_the_release_is_that_of_its_columns",
        "secret": "test_control_releases_under_many_secrets_narrow_the_count_to_one",
        "undeclared columns": "test_the_true_supports_stay_home",
        "boundary": "test_true_counts_cannot_be_read_off",
        "left out": "test_documented_an_itemset_that_is_not_listed_is_bounded_by_the_others",
        "displaced records": NOTHING_MOVES,
        "two releases": "test_another_release_under_the_same_secret_tells_nothing_more",
    },
}
KINDS = {
    "order",
    "secret",
    "undeclared columns",
    "boundary",
    "left out",
    "displaced records",
    "two releases",
}


@pytest.mark.parametrize("name", PUBLISHERS)
def test_every_publisher_is_attacked_with_a_control(name):
    path = HERE / f"test_{name}.py"
    assert path.exists(), f"write {path}: attacks, and controls on which the same attacks work"
    attacks = ast.parse(path.read_text())
    tests = [d.name for d in attacks.body if isinstance(d, ast.FunctionDef)]
    assert [t for t in tests if t.startswith("test_") and "control" not in t]
    assert [t for t in tests if t.startswith("test_control")]


@pytest.mark.parametrize("name", PUBLISHERS)
def test_the_quick_tier_attacks_every_publisher_with_a_control(name):
    attacks = ast.parse((HERE / f"test_{name}.py").read_text())
    quick = [
        test.name
        for test in attacks.body
        if isinstance(test, ast.FunctionDef)
        and "pytest.mark.quick" in map(ast.unparse, test.decorator_list)
    ]
    assert sorted("control" in test for test in quick) == [False, True]


@pytest.mark.parametrize("name", PUBLISHERS)
def test_every_publisher_is_tried_with_every_kind_of_attack(name):
    files = [HERE / f"test_{name}.py", *HERE.glob(f"test_{name}_*.py")]
    defined = {d.name for f in files for d in ast.parse(f.read_text()).body if hasattr(d, "name")}
    lacking = KINDS - TRIED.get(name, {}).keys()
    assert not lacking, f"name a test in TRIED for each kind of attack on {name}: {lacking}"
    tried = {test for test in TRIED[name].values() if test.startswith("test_")}
    assert tried <= defined
