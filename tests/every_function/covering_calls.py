"""Calls in which every value of an argument stands beside every value of every other one."""

import random
import re
from itertools import combinations, product

import duckdb
from every_function.argument_values import LEFT_OUT, is_sensible, values_of

from tanon_duck.macros import catalog

SEED = 27
TRIES = 12  # of completing a pair that is not yet covered
Call = dict[str, str | None]


def covering_calls(con, function, setting):
    """The calls of a function in a setting, those that its header allows first.

    Of the pairs that no allowed call can hold, one for each two arguments and for each of them
    given or left out stands in a call of its own.
    """
    header = catalog.function(function).header
    values = {a.name: values_of(function, a, setting) for a in header.arguments}
    fits = _fitting(con, header, values)
    chance = random.Random(SEED)
    left = dict.fromkeys(
        frozenset({(a, x), (b, y)})
        for a, b in combinations(values, 2)
        for x, y in product(values[a], values[b])
    )
    if not left:
        return [{a: x for a, (x, *_) in values.items()}], []
    calls, refused = [], {}
    plain = _plain({}, values, fits)
    for item in ((a, x) for a in values for x in values[a]):
        if _plain(dict([item]), values, fits) is None:
            refused[frozenset({item})] = plain | dict([item])
            left = {pair: None for pair in left if item not in pair}
    while left:
        pair = next(iter(left))
        call = _completed(dict(pair), values, fits, left, chance)
        if call is None:
            pattern = frozenset((name, x is LEFT_OUT) for name, x in pair)
            refused.setdefault(pattern, plain | dict(pair))
            del left[pair]
            continue
        calls.append(call)
        for one, other in combinations(call.items(), 2):
            left.pop(frozenset({one, other}), None)
    return calls, list(refused.values())


def _completed(pair, values, fits, left, chance):
    """A call with this pair and with as many others that are not yet covered as are found."""
    if not fits(pair):
        return None
    for _ in range(TRIES):
        call = dict(pair)
        rest = [name for name in values if name not in call]
        chance.shuffle(rest)
        for name in rest:
            offered = [x for x in values[name] if fits(call | {name: x}, name)]
            if not offered:
                break
            gains = [_gain(call, (name, x), left) for x in offered]
            best = [x for x, gain in zip(offered, gains, strict=True) if gain == max(gains)]
            call[name] = chance.choice(best)
        else:
            return {name: call[name] for name in values}
    return _plain(pair, values, fits)


def _plain(pair, values, fits):
    """A call with this pair whose other arguments are left out wherever that is allowed."""
    ways = [dict(pair)] if fits(pair) else []
    for name in values:
        if name not in pair:
            ways = [w | {name: x} for w in ways for x in values[name] if fits(w | {name: x}, name)]
            ways = sorted(ways, key=lambda w: sum(x is not LEFT_OUT for x in w.values()))[:200]
    return {name: ways[0][name] for name in values} if ways else None


def _gain(call, item, left):
    return sum(frozenset({item, other}) in left for other in call.items())


def _fitting(con, header, values):
    """Whether the values of a part of a call keep those rules of which all arguments are there."""
    rules = [rule for check in header.checks if (rule := _rule(con, header, check, values))]

    def fits(part, newest=None):
        for names, allowed in rules:
            is_asked = (newest is None or newest in names) and all(name in part for name in names)
            if is_asked and tuple(part[name] for name in names) not in allowed:
                return False
        return is_sensible(part)

    return fits


def _rule(con, header, check, values):
    """The arguments of a check of the header, and which of their values it allows."""
    names, among, known = check.condition.partition(" among ")
    condition = (
        f"coalesce(list_has_all(tanon._list({known}), tanon._list({names})), true)"
        if among
        else f"coalesce({check.condition}, true)"
    )
    named = [name for name in values if re.search(rf"(?<!')\b{name}\b", condition)]
    defaults = {a.name: a.default for a in header.arguments}
    allowed = set()
    for given in product(*(values[name] for name in named)):
        sql = [
            f"{defaults[name] if x is LEFT_OUT else x} as {name}"
            for name, x in zip(named, given, strict=True)
        ]
        try:
            ((fine,),) = con.execute(
                f"select {condition} from (select {', '.join(sql)})"
            ).fetchall()
        except duckdb.Error:
            fine = True  # the function says whether it is
        if fine:
            allowed.add(given)
    return named, allowed


def written(function, call):
    """The SQL of a call."""
    given = ", ".join(f"{name} := {value}" for name, value in call.items() if value is not LEFT_OUT)
    if not catalog.function(function).is_scalar:
        return f"from tanon.{function}({given})"
    example = catalog.function(function).header.example
    source = next(iter(re.findall(r"\bfrom (visits|incomes)\b", example)), None)
    return f"select tanon.{function}({given}) as result" + (f" from {source}" if source else "")
