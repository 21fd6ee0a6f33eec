"""Transactions as tables, in both forms, and results of itemset functions as dicts."""

NAMES = "zero", "one", "two", "three", "four", "five", "six"


def create_pairs(con, rows, name="baskets", first_tid=0):
    """Create a table (transaction, item) with the names of the items; it cannot hold empty rows."""
    con.execute(f"create or replace table {name} (transaction bigint, item varchar)")
    pairs = [(first_tid + i, NAMES[item]) for i, row in enumerate(rows) for item in sorted(row)]
    if pairs:
        con.executemany(f"insert into {name} values (?, ?)", pairs)


def create_lists(con, rows, name="baskets"):
    """A table (transaction, item) with one row per transaction, item a list of integers."""
    con.execute(f"create or replace table {name} (transaction varchar, item integer[])")
    if rows:
        con.executemany(
            f"insert into {name} values (?, ?)",
            [(f"t{i}", sorted(row, reverse=True)) for i, row in enumerate(rows)],
        )


def named(items):
    return frozenset(NAMES[item] for item in items)


def by_itemset(con, sql):
    """The result of a query as {itemset: the other columns}; no itemset comes twice."""
    found = con.execute(sql).fetchall()
    assert all(items == sorted(items) for items, *_ in found)
    result = {
        frozenset(items): rest[0] if len(rest) == 1 else tuple(rest) for items, *rest in found
    }
    assert len(result) == len(found)
    return result


def by_channel(con, sql):
    """The result of a query as {(base, top): frequency}."""
    found = con.execute(sql).fetchall()
    return {(frozenset(base), frozenset(top)): frequency for base, top, frequency in found}


def refused(con, sql):
    """The message of the error that a query raises."""
    try:
        con.execute(sql).fetchall()
    except Exception as error:  # the message is what matters here
        return str(error)
    raise AssertionError("nothing was refused")
