"""Who has values that nobody else has, one respondent after the other."""


def share_singled_out(rows, who, places):
    """The share of respondents with values at these places in no row of anybody else."""
    people = {row[who] for row in rows}
    alone = 0
    for person in people:
        own = {tuple(row[p] for p in places) for row in rows if row[who] == person}
        others = {tuple(row[p] for p in places) for row in rows if row[who] != person}
        alone += bool(own - others)
    return alone / len(people) if people else 0
