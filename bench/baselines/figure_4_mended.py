"""Figure 4 of Wang et al. with one line mended: a level that needs no record is raised."""

from __future__ import annotations

from tanon_duck.algorithms.reposition.paper import PaperWindow
from tanon_duck.algorithms.reposition.stream import Repositioner
from tanon_duck.algorithms.reposition.window import Settings


class MendedWindow(PaperWindow):
    """The published algorithm, which goes on if the next level needs no further record."""

    raises_free_levels = True


def mended(settings: Settings) -> Repositioner:
    """Return a repositioner that decides by the mended algorithm."""
    stream = Repositioner(settings)
    stream.window = MendedWindow(settings)
    return stream
