"""Compare docs/understand/report.md with the page that it explains."""

import re
from pathlib import Path

import tanon_duck

EXPLAINED = Path(__file__).parents[2] / "docs/understand/report.md"


def test_each_section_of_a_report_is_explained(demo_con):
    report = tanon_duck.report(
        demo_con,
        "events",
        source="visits",
        respondent="patient",
        qi=["sex"],
        ts="admitted",
        granularities=["week", "month"],
        k=5,
        keep="diagnosis",
    )
    sections = re.findall(r"<h2[^>]*>([^<]*)", report.html)
    explained = re.findall(r"^## (.*)$", EXPLAINED.read_text(), re.M)[1:]  # the first is the head
    assert len(explained) == len(sections)
    for heading, section in zip(explained, sections, strict=True):
        assert section.startswith(heading)
