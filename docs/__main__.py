"""``python -m docs -o DIR``: the documentation as a site that needs no network."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from docs.site import building


def main(words: list[str] | None = None) -> int:
    """Build the site; 1 if it cannot be built, as where DIR exists."""
    parser = argparse.ArgumentParser(prog="python -m docs", description=__doc__)
    parser.add_argument("-o", "--output", metavar="DIR", required=True, help="a new folder")
    options = parser.parse_args(words)
    try:
        pages = building.build(Path(options.output))
    except (OSError, building.BrokenLinkError) as error:
        print(f"docs: {error}", file=sys.stderr)
        return 1
    print(f"{pages} pages: open {Path(options.output) / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
