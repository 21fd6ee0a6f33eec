"""Policies: what they may say, what they mean, and which word is wrong."""

import json
import tomllib

import pytest

import tanon_duck
from tanon_duck.checking import policy, ratchet, schema
from tanon_duck.errors import TanonError
from tanon_duck.interfaces import policy_check

OWNER = "(select patient, sex from visits)"
CHECK = {
    "function": "k_anonymity",
    "relation": "visits",
    "respondent": "patient",
    "qi": "zip",
    "k": 5,
}


def promises(*checks, **more):
    return policy.from_mapping({"check": list(checks)} | more).promises


def test_defaults_roles_and_own_words_in_this_order():
    tables = {"visits": {"respondent": "patient", "k": 3}}
    (found,) = promises(
        {"function": "k_anonymity", "qi": ["zip"]},
        relation=tables,
        defaults={"respondent": "nobody", "k": 9, "l": 2, "severity": "warn", "allow": 4},
    )
    assert found.arguments == {"source": "visits", "respondent": "patient", "k": 3, "qi": ["zip"]}
    assert (found.severity, found.allow, found.ratchet) == ("warn", 4, False)
    (own,) = promises({"function": "k_anonymity", "qi": "sex", "k": 7}, relation=tables)
    assert own.arguments["k"] == 7


def test_a_preset_is_all_its_checks_and_fixes_what_it_says():
    first, second = promises(
        {
            "preset": "energy_15_15",
            "relation": "loads",
            "respondent": "meter",
            "qi": "hour",
            "value": "kwh",
        },
        defaults={"k": 2},
    )
    assert (first.function, first.arguments["k"]) == ("k_anonymity", 15)
    assert (second.function, second.arguments["share"]) == ("dominated_total_violations", 0.15)
    assert first.title == "energy_15_15: k_anonymity of loads by hour"
    with pytest.raises(TanonError, match="check 1: the preset sets k; remove it from the check"):
        promises(
            {"preset": "cms_11", "relation": "visits", "respondent": "patient", "qi": "zip", "k": 2}
        )


def test_equal_titles_are_told_apart():
    titles = [p.title for p in promises(CHECK, CHECK | {"k": 6}, CHECK | {"name": "mine"})]
    assert titles == ["k_anonymity of visits by zip", "k_anonymity of visits by zip #2", "mine"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "policy must have at least one [[check]], got none"),
        ({"chek": [CHECK]}, "key chek does not exist; did you mean 'check'"),
        ({"check": [CHECK | {"servity": 1}]}, "key servity does not exist; did you mean"),
        ({"check": [CHECK | {"severity": "wran"}]}, "severity must be fail or warn, got 'wran'"),
        ({"check": [CHECK | {"respondet": "a"}]}, "key respondet does not exist; did you mean"),
        ({"check": [CHECK | {"allow": True}]}, "allow must be a whole number, got True"),
        ({"check": [CHECK | {"allow": -1}]}, "allow must be a number of rows, got -1"),
        ({"check": [CHECK | {"name": "n", "function": "k_anonimity"}]}, "check 1 (n): there is no "
         "function tanon.k_anonimity; did you mean 'k_anonymity'"),
        ({"check": [CHECK | {"function": "frequency_set"}]}, "frequency_set is not a check"),
        ({"check": [CHECK | {"preset": "cms_11"}]}, "must have either a function or a preset"),
        ({"check": [{"preset": "cms11"}]}, "preset cms11 does not exist; did you mean 'cms_11'"),
        ({"check": [CHECK], "relation": {"visit": {}}}, "relation visits does not exist; did"),
        ({"check": [CHECK], "relation": {"v": {"fiel": ""}}}, "key fiel does not exist; did you"),
        ({"check": [CHECK], "relation": {"v": {"query": "", "file": ""}}}, "must be a query, a"),
        ({"check": [CHECK], "defaults": {"kk": 1}}, "defaults: key kk does not exist"),
        ({"check": [{"function": "l_diversity_violations", "relation": "t", "groups": "a"}]},
         "check 1: tanon.l_diversity_violations: l is missing: "),
        ({"check": [{"function": "k_anonymity"}]}, "relation is missing; the policy has none"),
        ({"check": [CHECK | {"respondent": {"a": 1}}]}, "respondent must be a value, got a table"),
        ({"check": [CHECK | {"min_rows": 0}]}, "min_rows must be a whole number of 1 or more"),
        ({"check": [CHECK | {"min_rows": 2, "allow_empty": True}]}, "allow_empty must not come"),
        ({"check": [CHECK | {"allow_empty": 1}]}, "allow_empty must be true or false, got 1"),
        ({"check": "all"}, "check must be a list, got 'all'"),
        ({"check": ["all"]}, "check must be tables, [[check]], got 'all'"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_with_the_nearest(given, message):
    with pytest.raises(policy.PolicyError) as raised:
        policy.from_mapping(given)
    assert message in str(raised.value)


def test_files_that_are_no_policy(tmp_path):
    with pytest.raises(TanonError, match=r"policy .* does not exist"):
        policy.from_file(tmp_path / "policy.toml")
    (tmp_path / "policy.toml").write_text("check = [")
    with pytest.raises(TanonError, match=r"policy\.toml must be TOML"):
        policy.from_file(tmp_path / "policy.toml")


def names(part):
    return set(part["properties"])


def test_the_schema_has_every_key_that_a_policy_may_have():
    whole = schema.schema()
    json.dumps(whole)
    parts = whole["properties"]
    assert set(parts) == set(policy.POLICY_KEYS)
    assert names(parts["check"]["items"]) >= set(policy.CHECK_KEYS) | {
        "respondent",
        "qi",
        "k",
        "sensitive",
    }
    assert names(parts["relation"]["additionalProperties"]) >= set(policy.RELATION_KEYS) | {
        "respondent"
    }
    assert names(parts["defaults"]) >= set(policy.PROMISE_KEYS) | {"k"}
    for condition in parts["check"]["items"]["allOf"]:
        function = condition["if"]["properties"]["function"]["const"]
        allowed = set(condition["then"]["propertyNames"]["enum"])
        assert allowed >= set(policy.CHECK_KEYS)
        assert "value" not in allowed or function == "dominated_total_violations"


def test_check_on_a_connection(demo_con):
    text = '[[check]]\nfunction = "k_anonymity"\nrelation = "visits"\nqi = "zip"\n'
    text += 'respondent = "patient"\n'
    assert tanon_duck.check(demo_con, text + "k = 26\n").holds
    report = tanon_duck.check(demo_con, text + "k = 27\n")
    assert (report.status, report.results[0].figures[0].value) == (1, 26)
    given = {"check": [CHECK | {"k": 26}, CHECK | {"qi": "zpi"}]}
    report = tanon_duck.check(demo_con, given)
    assert [r.status for r in report.results] == [0, 2]
    assert report.results[1].message.endswith("none twice; did you mean zip?")
    told = tanon_duck.check(demo_con, given, values=True).results[1].message
    assert "got 'zpi'; did you mean zip?" in told


def test_a_role_that_is_neither_given_nor_declared_is_told_when_the_check_runs(demo_con):
    given = {"check": [{k: v for k, v in CHECK.items() if k != "respondent"}]}
    (lacking,) = tanon_duck.check(demo_con, given).results
    assert lacking.status == 2
    assert "tanon.k_anonymity: respondent must be" in lacking.message
    tanon_duck.set_roles(demo_con, "visits", {"patient": "respondent"})
    (declared,) = tanon_duck.check(demo_con, given).results
    assert declared.status == 0


@pytest.mark.parametrize(
    ("limits", "status"),
    [("entropy_l = 1.5", 0), ("entropy_l = 99, t = 0.3", 1), ("etropy_l = 2", 2)],
)
@pytest.mark.parametrize("function", ["limit_violations", "diversity_metrics"])
def test_limits_are_a_table(demo_con, tmp_path, function, limits, status):
    """In a check and as a default, in TOML and as a mapping."""
    text = f"""
[[check]]
function = "{function}"
relation = "visits"
groups = ["sex"]
sensitive = "diagnosis"
limits = {{ {limits} }}
"""
    given = tomllib.loads(text)
    (promise,) = given["check"]
    default = {"check": [promise], "defaults": {"limits": promise.pop("limits")}}
    for each in (text, given | {"check": tomllib.loads(text)["check"]}, default):
        assert tanon_duck.check(demo_con, each).status == status
    if status < 2:
        queries = list(policy_check.queries(demo_con, policy.from_text(text)))
        assert len(queries) == 1
        assert (
            len(demo_con.execute(queries[0]).fetchall())
            == status * tanon_duck.check(demo_con, text).results[0].failing
        )


@pytest.mark.parametrize(("presence", "status"), [({"k_map": 2}, 0), ({"k_map": 9999}, 1)])
def test_presence_is_a_table(demo_con, presence, status):
    check = {"function": "check_release", "release": "(select sex from visits)", "qi": ["sex"]}
    check |= {"k": 2, "owner": OWNER, "respondent": "patient"}
    check |= {"population": "visits", "presence": presence}
    assert tanon_duck.check(demo_con, {"check": [check]}).status == status


def test_severity_and_allowance(demo_con):
    worse = {"function": "k_anonymity_violations", "relation": "visits", "respondent": "patient"}
    worse |= {"qi": ["zip", "age"], "k": 2}
    (only,) = tanon_duck.check(demo_con, {"check": [worse]}).results
    assert only.status == 1
    for more, status in (
        ({"severity": "warn"}, 0),
        ({"allow": only.failing}, 0),
        ({"allow": only.failing - 1}, 1),
    ):
        assert tanon_duck.check(demo_con, {"check": [worse | more]}).status == status


def test_a_ratchet_only_ever_tightens(demo_con, tmp_path):
    path, state = tmp_path / "policy.toml", tmp_path / "policy.state.json"

    def report(k=3, **how):
        path.write_text(
            f'[[check]]\nfunction = "k_anonymity_violations"\nrelation = "visits"\nk = {k}\n'
            'respondent = "patient"\nqi = ["zip", "age"]\nratchet = true\n'
        )
        (result,) = tanon_duck.check(demo_con, path, **how).results
        return result

    assert "no result is recorded" in report().message
    assert not state.exists()
    first = report(record=True, values=True)
    assert first.status == 1
    assert "no worse than recorded" in report().message
    kept = json.loads(state.read_text())["checks"]
    assert [each["failing"] for each in kept.values()] == [first.failing]
    assert not any(str(value) in state.read_text() for value in first.rows[0][:1])
    assert "other arguments are recorded" in report(k=4).message
    demo_con.execute("insert into visits select * replace ('new' as zip) from visits limit 1")
    before = state.read_text()
    worse = report(record=True)
    assert (worse.status, state.read_text()) == (1, before)
    assert f"{first.failing + 1} rows, {first.failing} before" in worse.message
    demo_con.execute("delete from visits where zip = 'new' or zip = '10000'")
    assert report(record=True).failing < first.failing
    assert json.loads(state.read_text())["checks"] != json.loads(before)["checks"]


def test_a_state_that_is_none(tmp_path):
    (tmp_path / "s.json").write_text("[]")
    with pytest.raises(TanonError, match="must be the state file of a policy"):
        ratchet.read(tmp_path / "s.json")
