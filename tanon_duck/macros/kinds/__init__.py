"""The kinds an argument can have: how each is described, checked, quoted and typed.

A kind is written in the header of a function's file, for example ``integer > 1`` or
``column not null of source``; the words of the kind are also the words of its error message. One
class is one kind; the modules of this package hold them, and nothing else lists them.
"""

import pkgutil
import re
from functools import cache
from importlib import import_module

from tanon_duck.errors import TemplateError
from tanon_duck.macros.kinds.kind import Kind, cte_name

__all__ = ["Kind", "cte_name", "every", "parse"]


@cache
def every() -> tuple[type[Kind], ...]:
    """Return the classes of all kinds: every class of this package with a ``pattern``."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return tuple(kind for kind in Kind.below() if "pattern" in vars(kind))


@cache
def parse(words: str) -> Kind:
    """Return the kind for the words of a header, for example ``integer > 1``."""
    meant = [kind for kind in every() if re.fullmatch(kind.pattern, words)]
    if not meant:
        raise TemplateError(f"unknown kind of argument: {words}")
    if len(meant) > 1:
        raise TemplateError(f"{words} may mean {' and '.join(kind.__name__ for kind in meant)}")
    return meant[0](words)
