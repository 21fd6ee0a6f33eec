"""``python -m tanon_duck`` is ``tanon-duck``."""

import sys

from tanon_duck.cli import main

sys.exit(main())
