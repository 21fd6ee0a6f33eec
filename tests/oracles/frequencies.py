"""Distinct respondents per quasi-identifier value: sets in a dict, as the definition reads."""


def frequency_set(rows, respondent, qi):
    """{value: (distinct respondents, rows)} of a list of dicts."""
    people, tuples = {}, {}
    for row in rows:
        value = tuple(row[q] for q in qi)
        people.setdefault(value, set()).add(row[respondent])
        tuples[value] = tuples.get(value, 0) + 1
    return {value: (len(people[value]), tuples[value]) for value in people}
