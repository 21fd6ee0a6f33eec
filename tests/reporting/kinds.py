"""A report of each kind on the tables of the demo."""

import tanon_duck

OFFER = ["week", "2 weeks", "3 weeks", "month", "quarter"]
ARGUMENTS = {
    "events": {
        "source": "visits", "respondent": "patient", "qi": ["sex"], "ts": "admitted",
        "granularities": OFFER, "k": 5, "max_suppression": 0.05, "keep": ["diagnosis"],
    },
    "table_pair": {
        "source": "visits", "qi": ["age"], "sensitive": "diagnosis", "l": 2, "partition": "sex",
        "respondent": "patient",
    },
    "stream": {
        "source": "cases", "respondent": "person", "ts": "day", "sensitive": "disease", "l": 2,
        "w": 4, "qi": ["age", "district"],
    },
    "series": {
        "release": "(select name, p.* from incomes join published_incomes as p using (charity))",
        "source": "(select name, incomes as yearly, charity from incomes)",
        "series_id": "name", "series": "yearly", "k": 12, "p": 6, "sensitive": "charity",
    },
    "itemsets": {
        "source": "(select patient, unnest([diagnosis, sex]) as trait from visits)",
        "transaction": "patient", "item": "trait", "min_support": 10, "k": 5,
    },
}  # fmt: skip


def made(con, kind, audience="owner", **more):
    return tanon_duck.report(con, kind, audience=audience, **(ARGUMENTS[kind] | more))
