"""A stream to publish, and what publishing it in one piece gives."""

ARGUMENTS = "ts := 'day', sa := 'disease', w := 4"
BEGIN = {"ts": "day", "sa": "disease", "qi": ["age", "district"], "l": 2, "w": 4}


def whole(con, more="", l=2):  # noqa: E741
    """Released and suppressed rows of one tanon.reposition, sorted."""
    call = f"tanon.reposition('cases', {ARGUMENTS}, l := {l}{more})"
    released = (
        f"select published_ts, age, district, disease from {call} where published_ts is not null"
    )
    suppressed = f"select day, age, district, disease from {call} where published_ts is null"
    return tuple(con.execute(f"{sql} order by all").fetchall() for sql in (released, suppressed))


def published(con, name="flu"):
    """The same of a publication."""
    columns = "day, age, district, disease"
    return tuple(
        con.execute(f"select {columns} from {name}.{table} order by all").fetchall()
        for table in ("released", "suppressed")
    )
