"""Find bench/, which no wheel carries, in the checkout, behind whatever is installed."""

import sys
from pathlib import Path

ROOT = str(Path(__file__).parents[2])
if ROOT not in sys.path:
    sys.path.append(ROOT)
