"""Checks as promises that hold, do not hold, or could not be looked at."""
