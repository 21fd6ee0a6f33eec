"""The values that tests give to arguments, and the tables that they are about.

A value is the SQL of one argument. ``values_of`` looks in VALUES for ``function.argument``, then
for ``argument (kind)``, then for the argument, then for the kind. Choices and truth values are read
off the header. A new argument needs one line here, and the failing test says which.
"""

import hashlib
from dataclasses import dataclass, field

import pytest

from tanon_duck import demo
from tanon_duck.interfaces.files.example_commands import example_call
from tanon_duck.macros import catalog

LEFT_OUT = None
SECRETS = (
    "'" + hashlib.sha256(b"a secret of tests").hexdigest() + "'",
    "'(select md5(''a'') || md5(''b''))'",
)

# Beside the demo: times with a zone, a number, a column that hides nothing, and who is not there.
TABLES = """
create or replace table visits as
    select *, (admitted::varchar || '+00')::timestamptz as seen, age * 1.5 as cost,
        if(age < 50, 'x', 'y') as half, 2 + age % 3 as weight
    from visits;
create or replace table everybody as
    from visits union all by name select * replace ('q' || patient as patient) from visits
    union all by name select * replace ('r' || patient as patient) from visits;
create or replace table some_visits as
    from visits where patient not like '%7';
create or replace table terms as
    select 'term' as granularity, n as granule, 'term ' || n as label,
        timestamp '2023-01-01' + to_months((6 * n)::integer) as starts,
        timestamp '2023-01-01' + to_months((6 * n + 6)::integer) as ends
    from range(6) as numbers(n);
create or replace table coarser as
    from tanon.hierarchies('visits', {'age': 'intervals 10, 20', 'sex': 'list'});
create or replace table coarser_diagnoses as
    from tanon.list_hierarchy('visits', attribute := 'diagnosis',
        groups := {'flu': 'lung', 'asthma': 'lung', 'diabetes': 'other', 'fracture': 'other',
            'migraine': 'other'});
create or replace table coarser_all as from coarser union all from coarser_diagnoses;
create or replace table cases as
    select *, (day - date '2024-01-01')::smallint as slot, day::timestamp + to_hours(age) as hour
    from cases;
create or replace table distances as select n as distance, n * n + n as cost from range(50) t(n);
create or replace table dearer as
    select distinct disease as value, 100 + length(disease) as cost from cases;
create or replace table charities as
    select distinct (charity // 500 * 500)::varchar as value, 7::varchar as replacement
    from published_incomes;
create or replace table grouped as
    select * exclude (charity), charity // 500 * 500 as charity, charity // 500 as band
    from published_incomes;
create or replace table owned as
    select name, p.* from incomes join published_incomes as p using (charity);
create or replace table yearly as select name, incomes as yearly, charity from incomes;
-- Releases.
create or replace table owners as
    from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
        granularities := ['month'], k := 5, keep := ['diagnosis', 'half'], for_owner := true);
create or replace table released as select * exclude (patient) from owners;
create or replace table with_remainder as
    from tanon.publish_events('visits', respondent := 'patient', qi := ['zip'], ts := 'admitted',
        granularities := ['month'], k := 5, keep := ['diagnosis'], remainder := true,
        max_suppression := 0.9);
create or replace table of_terms as
    from tanon.publish_events('visits', respondent := 'patient', qi := ['age', 'sex'],
        ts := 'admitted', granularities := ['term'], k := 5, calendar := 'terms',
        hierarchies := 'coarser', levels := {'age': 1, 'sex': 0}, max_suppression := 0.5);
create or replace table of_zone as
    from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], ts := 'seen',
        granularities := ['month'], k := 5, tz := 'Europe/Zurich', keep := ['diagnosis']);
create or replace table unplaced as select sex, diagnosis, half from visits;
create or replace table unplaced_owners as select patient, sex, diagnosis, half from visits;
create or replace table people as
    from tanon.publish_table_pair('visits', qi := ['age'], sensitive := 'diagnosis', l := 2,
        result := 'individuals', partition := ['sex'], respondent := 'patient');
create or replace table people_of_owner as
    from tanon.publish_table_pair('visits', qi := ['age'], sensitive := 'diagnosis', l := 2,
        result := 'individuals', partition := ['sex'], respondent := 'patient', for_owner := true);
create or replace table diseases as
    from tanon.publish_table_pair('visits', qi := ['age'], sensitive := 'diagnosis', l := 2,
        result := 'values', partition := ['sex'], respondent := 'patient');
create or replace table itemsets as
    select *, itemset as items, support as n
    from tanon.publish_itemsets('visits', transaction := 'patient', item := 'diagnosis',
        min_support := 8, k := 5, for_owner := true);
create or replace table closed_itemsets as
    select *, itemset as items, support as n
    from tanon.frequent_itemsets('visits', transaction := 'patient', item := 'diagnosis',
        min_support := 8, result := 'closed');
"""


def create_tables(con):
    """The tables that the values are about, in the schema that is in use."""
    demo.create_tables(con)
    con.execute(TABLES)


@dataclass(frozen=True)
class Setting:
    """What calls of a function are about: values that all of them have, and those to be tried.

    ``given`` replaces values of the example, ``values`` those of VALUES; none: always left out.
    """

    given: dict[str, str] = field(default_factory=dict)
    values: dict[str, tuple[str | None, ...]] = field(default_factory=dict)


_OF_ITEMSETS = [
    Setting(
        given={"release": f"'{collection}'"},
        values={"itemset": ("'items'",), "support": ("'n'",)},
    )
    for collection in ("itemsets", "closed_itemsets")
]
_NOT_SERIES = {"p": (), "individuals": (), "records": (), "hierarchies": ("'coarser_diagnoses'",)}
_ONLY_GROUPS = dict.fromkeys(
    ("ts", "owner", "respondent", "population", "presence", "p", "limits"), ()
)
_OF_SERIES = dict.fromkeys(
    (
        "ts",
        "qi",
        "owner",
        "respondent",
        "population",
        "presence",
        "limits",
        "source",
        "hierarchies",
    ),
    (),
) | {"individuals": (), "records": (), "keep": ("'band'",)}

# Of functions that need more than their example: the settings in which their calls are made.
SETTINGS = {
    "table_pair_warnings": [
        Setting(
            {"individuals": "'people'", "counts": "'diseases'", "qi": "['age']"},
            {"partition": ("['sex']",)},
        )
    ],
    "association_rules": _OF_ITEMSETS,
    "published_channels": _OF_ITEMSETS,
    "check_itemsets": _OF_ITEMSETS,
    "itemset_violations": _OF_ITEMSETS,
    "itemset_warnings": _OF_ITEMSETS[:1],
    "check_release": [
        Setting(
            {"release": "'released'"}, _NOT_SERIES | dict.fromkeys(("population", "presence"), ())
        ),
        Setting(
            {"release": "'unplaced'"}, _NOT_SERIES | {"ts": (), "owner": ("'unplaced_owners'",)}
        ),
        Setting(
            {"release": "'with_remainder'", "qi": "['zip']"},
            _ONLY_GROUPS | {"ts": ("'admitted'",), "individuals": (), "source": ()},
        ),
        Setting({"release": "'grouped'"}, _OF_SERIES | {"sensitive": ("'charity'",)}),
        Setting(
            {"release": "'diseases'", "qi": "['sex', 'a_group']"},
            _ONLY_GROUPS | {"records": ("'records'",), "source": (), "keep": ()},
        ),
    ],
    "publish_series_parts": [Setting({"release": "'grouped'"})],
    "publish_perturbed_series": [Setting({"release": "'grouped'"})],
    "evaluate_table_pair": [
        Setting({"individuals": "'people'", "counts": "'diseases'", "qi": "['age']"})
    ],
    "evaluate_events": [
        Setting(
            {"release": "'released'"},
            {"ts": ("'admitted'",), "records": (), "levels": (), "hierarchies": ()},
        ),
        Setting(
            {"release": "'with_remainder'", "qi": "['zip']"},
            {"ts": ("'admitted'",), "records": ("'stands_for'",), "levels": (), "hierarchies": ()},
        ),
        Setting(
            {"release": "'of_terms'", "qi": "['age', 'sex']", "hierarchies": "'coarser'"},
            {
                "ts": ("'admitted'",),
                "levels": ("{'age': 1, 'sex': 0}",),
                "granularity": ("'term'",),
                "records": (),
                "keep": (),
            },
        ),
        Setting(
            {"release": "'of_zone'"},
            {"ts": ("'seen'",), "records": (), "levels": (), "hierarchies": ()},
        ),
    ],
    "series_warnings": [
        Setting({"release": "'owned'"}, {"source": (), "series_id": (), "series": ()}),
        Setting(
            {
                "release": "'owned'",
                "source": "'yearly'",
                "series_id": "'name'",
                "series": "'yearly'",
            }
        ),
    ],
    "pattern_items": [Setting({"release": "'published_incomes'"})],
    "publish_table_pair": [Setting({"qi": "['age', 'zip']"})],
    "report_table_pair": [Setting({"qi": "['age', 'zip']"})],
}
for _name, _function in catalog.functions().items():
    if _function.header.argument("choose_by"):
        _must = not _function.header.argument("hierarchies").default
        SETTINGS[_name] = [
            Setting({"qi": "['sex', 'age']"} | ({"hierarchies": "'coarser'"} if _must else {}))
        ]

VALUES: dict[str, tuple[str | None, ...]] = {
    "check_release.individuals": ("'people'",),
    "check_release.owner": ("'owners'",),
    "check_release.records": ("'stands_for'",),
    "check_release.qi": ("['sex']",),
    "check_release.ts": ("'admitted'",),
    "check_release.keep": ("['diagnosis']",),
    "check_release.population": ("'everybody'",),
    "allow_identifying": ("['half']",),
    "report_table_pair.partition": ("['half']", "['half', 'sex']"),
    "publish_table_pair.partition": ("['half']", "['half', 'sex']"),
    "accept (columns or none of published)": ("'band'",),
    "algorithms": ("['kapra', 'shared']", "['naive']"),
    "diverse_groups.partition": ("['sex']", "['half', 'sex']"),
    "table_pair_warnings.owner": ("'people_of_owner'",),
    "suppress_cost": ("10", "'dearer'"),
    "bottom": ("25", "0.5"),
    "calendar": ("'terms'",),
    "check_release.respondent": ("'patient'",),
    "delta_high": ("0.9", "1"),
    "delta_low": ("0", "0.1"),
    "distinct_l": ("2", "3"),
    "epsilon": ("2000", "5000"),
    "fill": ("'previous'", "'linear'", "0"),
    "granularities": ("['month', 'quarter', 'year']", "['term']"),
    "granularity (granularities)": ("'month'", "['month']"),
    "granularity (granularity)": ("'month'", "'2 weeks'", "'term'"),
    "granularity (snapshots)": ("'day'", "'3 days'", "2"),
    "granularity (text)": ("'week'", "'2 weeks'"),
    "groups": ("{'f': 'any', 'm': 'any'}",),
    "hierarchies": ("'coarser'", "'coarser_all'"),
    "diversity_metrics.hierarchies": ("'coarser_diagnoses'",),
    "limit_violations.hierarchies": ("'coarser_diagnoses'",),
    "check_release.hierarchies": ("'coarser_diagnoses'",),
    "k": ("3",),
    "keep": ("['half']",),
    "publish_series_parts.keep": ("'band'",),
    "publish_perturbed_series.keep": ("'band'",),
    "publish_stream.keep": ("['age']", "['age', 'district']"),
    "evaluate_events.keep": ("['diagnosis']",),
    "known": ("[1]", "[1, 8]"),
    "l": ("2", "'3/2'"),
    "levels": ("{'age': 2}",),
    "limits": ("{'distinct_l': 2}", "{'t': 0.9, 'entropy_l': 1.1}"),
    "max_consequent": ("1", "2"),
    "max_length": ("0", "2"),
    "max_level": ("1", "4"),
    "max_singled_out": ("0", "1"),
    "max_suppression": ("0.9",),
    "max_suppression (shares)": ("[0, 0.5]", "[0.9]"),
    "min_confidence": ("0", "0.5"),
    "min_lift": ("0", "1.1"),
    "move_cost": ("'d^2'", "'2.5*d'", "'distances'"),
    "n": ("1", "3"),
    "help.name": ("'k_anonymity'", "'tanon.publish_events'", "'kp'"),
    "choices": (
        "{'some': ['month', 'sex'], 'more': ['year', 'sex', 'age']}",
        "{'columns': ['sex'], 'both': ['sex', 'age']}",
    ),
    "origin": ("5", "0.5"),
    "original": ("'original_support'",),
    "p": ("1", "2"),
    "partition": ("['half']", "['half', 'cost']"),
    "pattern": ("[40, 42, 41, 45, 50, 56, 57, 60]",),
    "population": ("'everybody'",),
    "risk_by_granularity.population": ("'everybody'",),
    "population_size": ("600", "100000"),
    "predicates": ("['series[8] - series[1] > 1.5']", "['series[1] < 0', 'series[8] > 0']"),
    "choose_by": ("'discernibility'", "'entropy'", "{'sex': 2, 'age': 1}"),
    "presence": ("{'k_map': 3}", "{'delta_low': 0, 'delta_high': 1}"),
    "qi": ("['age']", "['age', 'district']"),
    "queries": ("40",),
    "records": ("'records'",),
    "replacements": ("'charities'",),
    "sampling_fraction": ("0.05", "1"),
    "secret": SECRETS,
    "seed": ("7",),
    "segments": ("2", "8"),
    "selectivity": ("0.2", "1"),
    "sensitive": ("'diagnosis'",),
    "publish_series_ranges.sensitive": ("'charity'",),
    "publish_series.sensitive": ("'charity'",),
    "series_violations.sensitive": ("'charity'",),
    "tune_series.sensitive": ("'charity'",),
    "report_series.sensitive": ("'charity'",),
    "publish_series_ranges.allow_identifying": ("'charity'",),
    "publish_series.allow_identifying": ("'charity'",),
    "publish_table_pair.allow_identifying": ("['age']", "['age', 'zip']"),
    "report_table_pair.allow_identifying": ("['age']", "['age', 'zip']"),
    "small_zips": ("['036', '059']",),
    "source": ("'visits'",),
    "series_from_rows.granularity": ("'week'", "'2 weeks'"),
    "series_warnings.source": ("'yearly'",),
    "tolerance": ("0.1", "2"),
    "top": ("70", "90.5"),
    "trail": ("1", "2"),
    "ts": ("'admitted'", "'seen'"),
    "tz": ("'Europe/Zurich'",),
    "respondent": ("'patient'",),
    **dict.fromkeys(
        (
            f"{name}.respondent"
            for name in (
                "publish_stream",
                "report_stream",
                "l_eligibility",
            )
        ),
        ("'person'",),
    ),
    "only_columns": ("['admitted']", "['zip', 'age']"),
    "weight": ("'weight'", "'cost'"),
    "ages": ("'age'", "['age', 'weight']"),
    "zips": ("'zip'",),
}
# Arguments that must be given, of which more than the value of the example is tried.
MORE = {
    "ts": ("'admitted'", "'seen'"),
    "ts (time)": ("admitted", "seen"),
    "granularity (text)": ("'2 weeks'", "'business_day'", "'quarter'"),
    "ts (column(integer, time) not null)": ("'day'", "'slot'", "'hour'"),
    "series_from_rows.ts": ("'day'",),
    "result": ("'values'", "'individuals'"),
    "attribute (column(time))": ("'admitted'", "'seen'"),
}


def values_of(function, argument, setting):
    """The values that this argument is given, those first that are left out."""
    if argument.name in setting.given:
        return (setting.given[argument.name],)
    if not argument.default:
        example = example_call(catalog.function(function))
        first = example.values[argument.name]
        named = (
            f"{function}.{argument.name}",
            f"{argument.name} ({argument.kind.words})",
            argument.name,
        )
        more = next((MORE[name] for name in named if name in MORE), ())
        return tuple(dict.fromkeys((first, *more)))
    kind = argument.kind
    if argument.name in setting.values:
        return (LEFT_OUT, *setting.values[argument.name])
    if kind.choices:
        choices = [f"'{choice}'" for choice in kind.choices]
        return (LEFT_OUT, *(choice for choice in choices if choice != argument.default))
    if kind.name == "boolean":
        return (LEFT_OUT, "false" if argument.default == "true" else "true")
    names = (
        f"{function}.{argument.name}",
        f"{argument.name} ({kind.words})",
        argument.name,
        kind.name,
    )
    found = next((VALUES[name] for name in names if name in VALUES), None)
    if found is None:
        pytest.fail(
            f"tanon.{function}: {argument.name} needs values: add '{names[0]}' or '{names[2]}' "
            f"({kind.words}) to VALUES in tests/every_function/argument_values.py"
        )
    return (LEFT_OUT, *found)


def settings_of(function):
    """The settings in which calls of a function are made."""
    return SETTINGS.get(function, [Setting()])


def is_sensible(call):
    """Whether values fit each other in ways that no header says; the others must be refused."""
    time = call.get("ts") or call.get("attribute")
    return _fits_zone(call, time) and _fits_pace(call, time) and _fits_hierarchies(call)


def _fits_zone(call, time):
    """Times with a zone want a clock, and a calendar's granularities want the calendar."""
    named = f"{call.get('granularity')} {call.get('granularities')}"
    lacks_calendar = "calendar" in call and call["calendar"] is LEFT_OUT
    if "tz" not in call or not {"ts", "attribute"} & call.keys():
        return not ("term" in named and lacks_calendar)
    is_given = call["tz"] is not LEFT_OUT
    return is_given == (time in ("'seen'", "seen")) and not ("term" in named and lacks_calendar)


def _fits_pace(call, time):
    """Snapshots of an integer time are cut by a number, those of a moment by a unit of time."""
    if "granularity" not in call or time not in ("'day'", "'slot'", "'hour'"):
        return True
    width = call["granularity"]
    if time == "'slot'":
        return width in (LEFT_OUT, "2")
    return width != "2" and not (time == "'hour'" and width is LEFT_OUT)


def _fits_hierarchies(call):
    """Distances along hierarchies want those of the sensitive column, and nothing else does."""
    is_hierarchical = call.get("distance") == "'hierarchical'"
    if is_hierarchical and {"sensitive", "limits", "qi"} <= call.keys():
        is_asked = LEFT_OUT not in (call["sensitive"], call["limits"])
        return is_asked and call.get("hierarchies") != "'coarser'"
    return call.get("hierarchies") != "'coarser_all'" or "distance" not in call or is_hierarchical
