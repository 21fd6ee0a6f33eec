"""Peak memory of one contender, in a process of its own that runs nothing else."""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from bench._measure import prepared, warm_up
from bench.harness import Bench, Comparison, Contender, Options, Outcome

LONGEST_SECONDS = 600


class Asker:
    """Starts the process for one topic."""

    def __init__(self, module: str, options: Options) -> None:
        """Remember which module declares the comparisons."""
        self.module = module
        self.options = options

    def __call__(self, comparison: Comparison, contender: Contender, size: int) -> float | None:
        """Megabytes above what set-up had left, or None when the process did not finish."""
        task = {
            "module": self.module,
            "comparison": comparison.name,
            "contender": contender.name,
            "size": size,
            "quick": self.options.quick,
            "data": str(self.options.data) if self.options.data else None,
        }
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, ["", *sys.path]))}
        command = [sys.executable, "-m", "bench._memory", json.dumps(task)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, timeout=LONGEST_SECONDS
            )
        except subprocess.TimeoutExpired:
            return None
        answers = re.findall(r"^peak_mb=([\d.]+)$", done.stdout, re.MULTILINE)
        return float(answers[-1]) if answers else None


def _status(field: str) -> float:
    """One field of this process's memory status, in megabytes."""
    text = Path("/proc/self/status").read_text()
    found = re.search(rf"^{field}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found.group(1)) / 1024 if found else 0.0


def _peak_of(comparison: Comparison, contender: Contender, size: int, options: Options) -> float:
    warm_up(replace(comparison, contenders=(contender,)), options)
    with prepared(comparison, size) as state:
        for module in contender.needs:
            importlib.import_module(module)
        given = contender.prepare(state) if contender.prepare else state
        if contender.reset:
            contender.reset(given)
        gc.collect()
        # Memory that set-up freed but the allocator kept would hide what the run takes.
        getattr(ctypes.CDLL(None), "malloc_trim", lambda _: 0)(0)
        Path("/proc/self/clear_refs").write_text("5")
        before = _status("VmRSS")
        result = contender.run(given)
        peak = _status("VmHWM")
        del result
        return max(0.0, peak - before)


def main(task_text: str) -> None:
    """Run the one contender named by the task and print its peak."""
    task = json.loads(task_text)
    options = Options(quick=task["quick"], data=Path(task["data"]) if task["data"] else None)

    def only_the_asked(comparison: Comparison) -> Outcome | None:
        if comparison.name == task["comparison"]:
            for contender in comparison.contenders:
                if contender.name == task["contender"]:
                    peak = _peak_of(comparison, contender, task["size"], options)
                    print(f"\npeak_mb={peak:.1f}", flush=True)
                    # Nothing after this is of interest, and big states take long to tear down.
                    os._exit(0)
        return None

    bench = Bench(task["module"], options, only_the_asked, lambda _: None, build_tables=False)
    importlib.import_module(task["module"]).run(bench)


if __name__ == "__main__":
    main(sys.argv[1])
