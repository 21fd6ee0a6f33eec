"""The sections of the site, and the order in which a new reader needs the pages."""

from __future__ import annotations

from dataclasses import dataclass

ALONE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench/RESULTS.md")
GUIDES = (
    "events",
    "stream",
    "series",
    "itemsets",
    "roles",
    "gate",
    "reports",
    "doors",
    "scaling",
    "spark",
    "shards",
)
HOW_TO = ("files", "secrets", "received-a-release", "coming-from")
UNDERSTAND = ("promises", "choosing-k", "report")


@dataclass(frozen=True)
class Section:
    """A list page of the site: its address, its title, one sentence, and the pages in order."""

    address: str
    title: str
    lead: str
    sources: list[str]


SECTIONS = (
    Section(
        "docs/start/index.html",
        "Start",
        "Begin here if you have never used tanon_duck.",
        ["docs/start/first-release.md", "docs/start/which-function.md"],
    ),
    Section(
        "docs/guides/index.html",
        "How to",
        "Each page shows how to do one task. Tests run every example.",
        [
            *(f"docs/guides/{name}.md" for name in GUIDES),
            *(f"docs/howto/{name}.md" for name in HOW_TO),
        ],
    ),
    Section(
        "docs/understand/index.html",
        "Understand",
        "These pages explain what a release protects, and how to decide.",
        [
            *(f"docs/understand/{name}.md" for name in UNDERSTAND),
            "docs/papers.md",
            "docs/architecture.md",
        ],
    ),
)
MENU = {
    "Home": "index.html",
    "Start": "docs/start/index.html",
    "How to": "docs/guides/index.html",
    "Understand": "docs/understand/index.html",
    "Functions": "functions/index.html",
    "Arguments": "functions/arguments.html",
    "Glossary": "docs/glossary.html",
    "Decisions": "docs/decisions/index.html",
    "Changes": "CHANGELOG.html",
}


def reading_order() -> list[str]:
    """Return the pages that have a previous and a next page, in their order."""
    return ["README.md", *(source for section in SECTIONS for source in section.sources)]
