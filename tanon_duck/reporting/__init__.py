"""Write reports on releases: one HTML page that needs no other file."""

from tanon_duck.reporting.making import Report, report

__all__ = ["Report", "report"]
