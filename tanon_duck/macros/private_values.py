"""Fill Python values into ``sql/private``: ``{version}``, ``{presets}``, ``{when_start}``."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tanon_duck import errors, secret
from tanon_duck._version import __version__
from tanon_duck.algorithms import sax
from tanon_duck.errors import TemplateError, nearest
from tanon_duck.former_names import FORMER_NAMES
from tanon_duck.macros import operators, source_ctes
from tanon_duck.macros.granularities import BUCKETS_BEGIN, GRANULARITIES, YEAR_1, Granularity
from tanon_duck.quoting import as_sql, literal, literals
from tanon_duck.udfs import _registry as python_functions


def filled(place: str, text: str, values: Mapping[str, object]) -> str:
    """Fill in the values of a text; a name that has none is an error with file and line."""

    def value(found: re.Match[str]) -> str:
        if found[1] not in values:
            line = text.count("\n", 0, found.start()) + 1
            raise TemplateError(f"{place}:{line}: no value {found[0]}{nearest(found[1], values)}")
        return str(values[found[1]])

    return re.sub(r"\{([a-z]\w*)\}", value, text)


def of_package(presets: Iterable[dict[str, Any]], operators_script: str) -> dict[str, object]:
    """Return the values as SQL, by name; those of granularities are in the order of the table."""
    plan = operators.plan(operators_script)
    return {
        "operators_version": literal(plan.version),
        "operators_digest": literal(plan.digest),
        "marked_instance": literal(python_functions.MARK),
        "roles_of_the_shell": literal(errors.ROLES_OF_THE_SHELL),
        "secret_of_shell": literal(_secret_of_shell()),
        "version": literal(__version__),
        "former_names": f"map {as_sql(FORMER_NAMES)}",
        "presets": f"[{', '.join(map(_preset, presets))}]",
        "holds_variant": source_ctes.holds_variant("type"),
        "year_1": YEAR_1,
        "buckets_begin": BUCKETS_BEGIN,
        "letter_values": [sax.letter_values(n).tolist() for n in range(1, sax.HIGHEST_LEVEL + 1)],
        "names": literals([g.name for g in GRANULARITIES]),
        "with_gaps": literals([g.name for g in GRANULARITIES if g.has_gaps]),
        "index_texts": _list(lambda g: literal(g.index)),
        "rank_texts": _list(lambda g: literal(g.rank)),
        "rule_texts": _list(lambda g: literal(g.rule)),
        "beats": _list(lambda g: g.beat),
        "even_widths": _list(_even_width),
        "when_index": _branches(lambda g: g.index),
        "when_start": _branches(lambda g: g.start),
        "when_end": _branches(lambda g: g.end),
        "when_label": _branches(lambda g: g.shown),
        "snapshot_us": _map(lambda g: g.snapshot_us),
        "snapshot_months": _map(lambda g: g.snapshot_months),
        "snapshot_origins": _map(lambda g: g.snapshot_origin),
    }


def _secret_of_shell() -> str:
    """Return SQL that reads the secret from the environment, for calls without Python."""
    allowed = f"must be given here, or {secret.VARIABLE} set: {errors.SECRET_ALLOWED}"
    variable, say = f"getenv({literal(secret.VARIABLE)})", literal(f"tanon: secret {allowed}")
    return f"case when tanon._is_secret({variable}) then lower({variable}) else error({say}) end"


def _list(value: Callable[[Granularity], object]) -> str:
    return f"[{', '.join(str(value(g)) for g in GRANULARITIES)}]"


def _map(value: Callable[[Granularity], int]) -> str:
    return f"map { ({g.name: value(g) for g in GRANULARITIES if value(g)}) }"


def _branches(value: Callable[[Granularity], str]) -> str:
    return " ".join(f"when {literal(g.name)} then {value(g)}" for g in GRANULARITIES)


def _even_width(g: Granularity) -> object:
    """Return the width if granules begin at its multiples from Monday 2000-01-03, else NULL."""
    return g.width if g.is_even and g.unit == "us" and g.begin % g.width == 0 else "NULL"


def _preset(preset: dict[str, Any]) -> str:
    """Return a preset as a SQL struct."""
    columns = {"preset": preset["name"], "rule": preset["rule"], "checks": _calls(preset["check"])}
    columns |= {name: preset[name] for name in ("unchecked", "source")}
    fields = [f"{name} := {literal(text)}" for name, text in columns.items()]
    return f"struct_pack({', '.join(fields)}, date := date '{preset['date']}')"


def _calls(checks: list[dict[str, Any]]) -> str:
    """Return the checks of a preset as calls, with the arguments that the preset fixes."""
    return " and ".join(
        f"{check['function']}("
        + ", ".join(f"{k} := {v}" for k, v in check.items() if k != "function")
        + ")"
        for check in checks
    )
