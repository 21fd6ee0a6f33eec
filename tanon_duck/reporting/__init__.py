"""Reports to be filed: facts that SQL has told, drawn on one page that needs nothing else."""

from tanon_duck.reporting.making import Report, report

__all__ = ["Report", "report"]
