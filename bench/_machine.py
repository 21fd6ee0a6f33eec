"""What the figures were taken on: machine, versions, date."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

DISTRIBUTIONS = ("tanon-duck", "duckdb", "numpy", "pyarrow", "highspy")


def describe() -> dict[str, str]:
    """Facts that decide what a figure means."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _commit(),
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": _memory(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "load before": f"{os.getloadavg()[0]:.2f}",
        "versions": ", ".join([f"python {platform.python_version()}", *_versions()]),
    }


def versions_of(modules: set[str]) -> dict[str, str]:
    """Versions of the distributions that bring these modules; 'absent' where none does."""
    brought_by = importlib.metadata.packages_distributions()
    found = {}
    for module in sorted(modules):
        names = brought_by.get(module.split(".")[0], [])
        found[module] = importlib.metadata.version(names[0]) if names else "absent"
    return found


def _versions() -> list[str]:
    found = []
    for name in DISTRIBUTIONS:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            found.append(f"{name} {importlib.metadata.version(name)}")
    return found


def _commit() -> str:
    folder = Path(__file__).parent
    try:
        command = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def _processor() -> str:
    with contextlib.suppress(OSError):
        cpuinfo = Path("/proc/cpuinfo").read_text()
        if found := re.search(r"^model name\s*:\s*(.+)$", cpuinfo, re.MULTILINE):
            return found.group(1)
    return platform.processor() or "unknown processor"


def _memory() -> str:
    pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    return f"{pages * size / 2**30:.0f} GB"
