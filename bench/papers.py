"""The experiments of the four papers, reproduced; each says whether the paper's finding holds."""

from __future__ import annotations

import importlib
import pkgutil

from bench import reproductions
from bench.harness import Bench


def run(bench: Bench) -> None:
    """Every module of bench/reproductions that has experiments; one that fails stops no other."""
    failures: list[Exception] = []
    for module in pkgutil.iter_modules(reproductions.__path__):
        try:
            experiments = importlib.import_module(f"{reproductions.__name__}.{module.name}")
            if hasattr(experiments, "run"):
                experiments.run(bench)
        except Exception as error:
            error.add_note(f"in the reproductions of {module.name}")
            failures.append(error)
    if failures:
        raise ExceptionGroup("some reproductions failed", failures)
