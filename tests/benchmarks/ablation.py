"""Measure each rule of a part of the reader: leave one out at a time and measure again.

    python -m tests.benchmarks.ablation finder|matcher|counters|learning [--only TEXT] [--jobs N]

Each part has a module in `tests/benchmarks/ablations` with `RULES` and `measure()`. The first row
is the code as it is; each further row shows only the figures that differ from it. A rule whose row
is empty changes no measured result and should be removed. Every measurement runs in a process of
its own.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import inspect
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from tests.tools.report.console import Console

PARTS = ("finder", "matcher", "counters", "learning")


@dataclass(frozen=True)
class Rule:
    """A rule, and its neutral replacement wherever it was imported.

    `target` is 'module:name' or 'module:Class.name'; `neutral` takes its place.
    """

    name: str
    target: str
    neutral: Any

    def owner(self) -> tuple[Any, str]:
        """Return the object that contains the target, and the target's name there.

        Raises:
            LookupError: The target does not exist.
        """
        module_name, _, path = self.target.partition(":")
        *owners, name = path.split(".")
        owner = functools.reduce(getattr, owners, importlib.import_module(module_name))
        if not hasattr(owner, name):
            raise LookupError(f"{self.name}: there is no {self.target}")
        return owner, name

    def apply(self) -> None:
        """Replace the target in this process. Raise LookupError if it does not exist."""
        owner, name = self.owner()
        old = getattr(owner, name)
        setattr(owner, name, self.neutral)
        if not inspect.ismodule(owner):
            return
        for other in list(sys.modules.values()):
            if getattr(other, "__name__", "").startswith(("vision", "tests", "gui")):
                for key, value in list(vars(other).items()):
                    if key == name and value is old:
                        setattr(other, key, self.neutral)


def edited(name: str, target: str, old: str, new: str) -> Rule:
    """Return a rule that is a part of a function's source.

    Raises:
        LookupError: The source does not contain the text.
    """
    module_name, _, path = target.partition(":")
    module = importlib.import_module(module_name)
    function = functools.reduce(getattr, path.split("."), module)
    source = textwrap.dedent(inspect.getsource(function))
    if old not in source:
        raise LookupError(f"{name}: there is no {old!r} in {target}")
    made: dict[str, Any] = {}
    exec(source.replace(old, new), vars(module), made)  # noqa: S102 - our own code
    return Rule(name, target, made[path.rpartition(".")[2]])


def measure(part: str, number: int | None) -> dict[str, float]:
    """Return the figures of a part without rule `number`, or of the code as it is."""
    module = importlib.import_module(f"tests.benchmarks.ablations.{part}")
    if number is not None:
        module.RULES[number].apply()
    figures: dict[str, float] = module.measure()
    return figures


def measured(part: str, number: int | None) -> dict[str, float] | str:
    """Return the same from a separate process, or the last line of its error."""
    command = [sys.executable, "-m", "tests.benchmarks.ablation", part, "--measure"]
    if number is not None:
        command += ["--number", str(number)]
    # As in `gui`: more threads than cores make small products many times slower.
    threads = os.environ | {"OPENBLAS_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=threads)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["no output"])[-1]
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def differences(figures: dict[str, float], baseline: dict[str, float]) -> Iterator[str]:
    """Yield each figure that differs from the baseline."""
    for name, value in figures.items():
        if value != baseline.get(name):
            yield f"{name} {baseline.get(name, 0):g} -> {value:g}"


def bench(console: Console, part: str, only: str, jobs: int) -> None:
    """Print the table of a part."""
    rules = importlib.import_module(f"tests.benchmarks.ablations.{part}").RULES
    chosen = [number for number, rule in enumerate(rules) if only in rule.name]
    table = Table("without", "changes", title=f"Ablation of the {part}")
    with ThreadPoolExecutor(jobs) as pool:
        rows = pool.map(functools.partial(measured, part), [None, *chosen])
        baseline = next(rows)
        if isinstance(baseline, str):
            raise SystemExit(f"The code as it is: {baseline}")
        table.add_row("nothing", ", ".join(f"{k} {v:g}" for k, v in baseline.items()))
        for number, figures in zip(chosen, rows, strict=True):
            if isinstance(figures, str):
                table.add_row(rules[number].name, figures)
            else:
                table.add_row(rules[number].name, "\n".join(differences(figures, baseline)))
    console.print(table)


def main() -> None:
    """Print the ablation table of one part of the reader."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--only", default="", help="rules whose name contains this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--number", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        sys.stdout.write(json.dumps(measure(chosen.part, chosen.number)))
    else:
        bench(Console(), chosen.part, chosen.only, chosen.jobs)


if __name__ == "__main__":
    main()
