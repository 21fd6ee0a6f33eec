"""The files of a dbt project: models that publish, tests that promise, and models to be refused."""

import json
import re

from every_function.examples import example

_VISITS = "source('main', 'visits')"
_ADMISSIONS = "ref('admissions')"
_PUBLISHED = (
    f"tanon.call('publish_events', {_VISITS}, respondent='patient', qi=['sex'], ts='admitted', "
    "granularities=['month', 'quarter'], k=5, keep=['diagnosis']"
)
_BATCHES = (
    f"tanon.k_anonymous_incremental({_VISITS}, respondent='patient', qi=['sex'], ts='admitted', k=5"
)
_INCREMENTAL = "{{ config(materialized='incremental') }}\n"


PROJECT = {
    "dbt_project.yml": """
name: hospital
version: "1.0"
profile: hospital
models:
  hospital:
    +materialized: table
flags:
  send_anonymous_usage_stats: false
""",
    "profiles.yml": """
hospital:
  target: dev
  outputs:
    dev:
      type: duckdb
      path: "{{ env_var('TANON_TEST_DATABASE') }}"
      threads: 2
      plugins: [{module: tanon_duck.integrations.dbt}]
""",
    "models/sources.yml": "sources: [{name: main, tables: [{name: visits}, {name: cases}, "
    "{name: incomes}, {name: published_incomes}]}]",
    "analyses/values.sql": """
{%- set values = ["it's \\"so\\"", "", 3, 0.25, true, false, none, ["a", "b'c", "d"], [],
    {"position": 8, "low": -0.5}, tanon.sql("date '2024-01-01' + 4"),
    modules.datetime.date(2024, 2, 29), source("main", "visits")] -%}
select [{% for value in values %}({{ tanon.literal(value) }})::varchar, {% endfor %}]
""",
    "models/gate/admissions.sql": f"from {{{{ {_VISITS} }}}}",
    "models/gate/women.sql": "{{ config(materialized='ephemeral') }}\n"
    "from {{ ref('admissions') }} where sex = 'f'",
    "models/gate/supports.sql": "from {{ tanon.call('publish_itemsets', ref('admissions'), "
    "transaction='patient', item='diagnosis', min_support=8, k=5) }}",
    "models/gate/series.sql": "from {{ source('main', 'published_incomes') }}",
    "models/gate/release.sql": f"{{{{ {_PUBLISHED.replace(_VISITS, _ADMISSIONS)}) }}}}",
    "models/gate/outside.sql": "from {{ ref('release') }}",
    "models/gate/gate.yml": """
models:
  - name: admissions
    data_tests:
      - tanon.k_anonymous:
          name: promised_where
          arguments: {respondent: patient, qi: [sex], k: "{{ var('k', 5) }}"}
          config: {where: "sex <> 'x' and admitted > '2000-01-01'"}
      - tanon.k_anonymous:
          name: nearly_alone
          arguments: {respondent: patient, qi: [age, zip], k: 2}
          config: {severity: warn, fail_calc: "coalesce(sum(tuples), 0)"}
      - tanon.l_diverse:
          name: promised_l
          arguments: {groups: sex, sensitive: diagnosis, l: "{{ var('l', 2) }}"}
    columns:
      - name: patient
        data_tests:
          - tanon.k_anonymous:
              name: promised_of_a_column
              arguments: {qi: [sex], k: 5, ts: admitted, granularity: quarter}
  - name: women
    data_tests:
      - tanon.k_anonymous:
          name: promised_of_an_ephemeral
          arguments: {respondent: patient, qi: sex, k: 5}
  - name: series
    data_tests:
      - tanon.kp_anonymous:
          name: promised_kp
          arguments: {k: 12, p: "{{ var('p', 6) }}", sensitive: charity}
  - name: supports
    data_tests:
      - tanon.no_channels:
          name: promised_channels
          arguments: {k: "{{ var('channel_k', 5) }}"}
  - name: release
    data_tests:
      - tanon.holds:
          name: promised_release
          arguments:
            check: check_release
            qi: [sex]
            ts: admitted
            keep: [diagnosis]
            k: "{{ var('release_k', 5) }}"
""",
    "models/batches/batches.sql": _INCREMENTAL
    + f"{{{{ {_BATCHES}, granularity=var('granularity', 'month'), upto=var('upto', none), "
    "keep=['diagnosis']) }}",
    "models/batches/left_out.sql": "{{ tanon.k_anonymous_incremental_left_out("
    f"{_VISITS}, ref('batches'), respondent='patient', qi=['sex'], ts='admitted', "
    "granularity='month', k=5) }}",
    "models/refused/publishes_batches.sql": f"{_INCREMENTAL}{{{{ {_PUBLISHED}) }}}}",
    "models/refused/offers_several.sql": f"{_INCREMENTAL}{{% if execute %}}"
    f"{{{{ {_BATCHES}, granularity=['week', 'month']) }}}}{{% endif %}}",
    "models/refused/with_calendar.sql": f"{_INCREMENTAL}{{% if execute %}}"
    f"{{{{ {_BATCHES}, granularity='month', calendar='x') }}}}{{% endif %}}",
    "models/refused/with_unique_key.sql": "{{ config(materialized='incremental', "
    f"unique_key='sex') }}}}\n{{{{ {_BATCHES}, granularity='month') }}}}",
    "models/refused/is_a_table.sql": f"{{{{ {_BATCHES}, granularity='month') }}}}",
    "models/refused/misspelt_function.sql": "from {{ tanon.call('k_anonymty', 'visits') }}",
    "models/refused/misspelt_argument.sql": "from {{ tanon.call('k_anonymity', 'visits', "
    "respondent='patient', quasi=['sex']) }}",
    "models/refused/misspelt_column.sql": "from {{ tanon.call('k_anonymity', 'visits', "
    "respondent='patient', qi=['sexx']) }}",
}


def by_macro(name):
    """The example of a function with its last call of it by the macro, its tables as sources."""
    sql = example(name)
    start = sql.rindex(f"tanon.{name}(")
    opening = start + len(f"tanon.{name}(")
    arguments, end = _arguments(sql, opening)
    given = ", ".join(_in_jinja(argument) for argument in arguments)
    comma = ", " if given else ""
    return f"{sql[:start]}{{{{ tanon.call('{name}'{comma}{given}) }}}}{sql[end:]}"


def _arguments(sql, opening):
    """The texts between commas up to the closing parenthesis, and where that ends."""
    found, depth, begun, place = [], 0, opening, opening
    while True:
        letter = sql[place]
        if letter == "'":
            place = re.compile(r"'(?:[^']|'')*'").match(sql, place).end() - 1
        elif letter in "([{":
            depth += 1
        elif depth and letter in ")]}":
            depth -= 1
        elif not depth and letter in ",)":
            found.append(sql[begun:place].strip())
            begun = place + 1
            if letter == ")":
                return [text for text in found if text], place + 1
        place += 1


def _in_jinja(argument):
    name, value = re.fullmatch(r"(?:(\w+)\s*:=)?\s*(.*)", argument, re.S).groups()
    if re.fullmatch("'(visits|cases|incomes|published_incomes)'", value) and (
        name in (None, "source", "release")
    ):
        value = f"source('main', {value})"
    elif re.fullmatch(r"[\s\d.,:'\w%^*-]+|\[.*\]", value, re.S) and re.match(
        r"-?\d|true|false|\[|'", value
    ):
        value = re.sub(r"\bnull\b", "none", value)
        value = re.sub(r"'((?:[^']|'')*)'", lambda s: json.dumps(s[1].replace("''", "'")), value)
    else:
        value = f"tanon.sql({json.dumps(value)})"
    return f"{name}={value}" if name else value
