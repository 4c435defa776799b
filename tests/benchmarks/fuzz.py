"""Test all file readers with randomly changed files: `python -m tests.benchmarks.fuzz`.

Every reader gets many inputs, each a valid file changed at random. It may accept an input, or
refuse it with its own error; any other error, a crash, more than ten seconds, and any access to a
file outside the input's own folder, the network or another program is a finding. The number of the
input is printed, for `--only`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final

from rich.table import Table

from tests.benchmarks.fuzz_mutators import changed
from tests.benchmarks.fuzz_targets import TARGETS, Target
from tests.tools.report.console import Console

SECONDS: Final = 10
"""Time limit for one input; the slowest valid file takes a hundredth of it."""
_MEMORY: Final = 6 << 30
"""Address space of a reading process, in bytes."""
_CRASHES: Final = 10
"""Number of crashes after which a process is not restarted."""
_SHOWN: Final = 5
"""Number of findings of a reader that are printed in full."""
_FORBIDDEN: Final = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "pickle.",
    "ctypes.dlopen", "webbrowser.",
)  # fmt: skip
_CHANGES: Final = (
    "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "shutil.rmtree", "shutil.copyfile", "shutil.move", "sqlite3.connect",
)  # fmt: skip
_OURS: Final = (
    str(Path(__file__).parents[2]),
    sys.prefix,
    sys.base_prefix,
    "/usr",
    "/etc/mime.types",
)


class Stuck(BaseException):
    """An input took too long; not an error of the program, so that no code catches it."""


@dataclass
class Outcome:
    """The results for the inputs of one reader."""

    inputs: int = 0
    taken: int = 0
    """Inputs read without an error."""
    slowest: float = 0.0
    """Longest time in seconds."""
    findings: list[str] = field(default_factory=list)
    memory: int = 0
    """Peak memory of the process in megabytes."""


class Watch:
    """Records forbidden actions of a reader by an audit hook, which cannot be removed.

    Args:
        inside: The only folder that it may use.
    """

    def __init__(self, inside: Path) -> None:
        self.inside = str(inside)
        self.on = False
        self.seen: list[str] = []
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event == "open":
            path, _mode, flags = arguments
            writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
            if not self._may(path) and (writes or not self._library(path)):
                self.seen.append(f"opened {path!r}")
        elif event in _CHANGES:
            # Relative to a folder that was checked when it was opened.
            paths = [one for one in arguments if isinstance(one, str | bytes | os.PathLike)]
            inner = any(isinstance(one, int) and one >= 0 for one in arguments[1:])
            if not (inner and event in ("os.remove", "os.rmdir")) and not all(
                map(self._may, paths)
            ):
                self.seen.append(f"{event} {paths}")
        elif event.startswith(_FORBIDDEN):
            self.seen.append(f"{event} {arguments!r:.200}")

    def _may(self, path: object) -> bool:
        if isinstance(path, int):
            return True
        return _absolute(path).startswith(self.inside)

    @staticmethod
    def _library(path: object) -> bool:
        return _absolute(path).startswith(_OURS)


def _absolute(path: object) -> str:
    """Return an absolute path without following links: targets are opened by that name."""
    text = os.fsdecode(path)  # type: ignore[arg-type]
    return os.path.abspath(text.removeprefix("file://").partition("?")[0])  # noqa: PTH100


_WATCHES: list[Watch] = []


@contextmanager
def watched(place: Path) -> Iterator[Watch]:
    """Check all actions in the block; no file outside a folder may be touched."""
    if not _WATCHES:
        _WATCHES.append(Watch(place))
    watch = _WATCHES[0]
    watch.inside, watch.seen = str(place), []
    try:
        yield watch
    finally:
        watch.on = False


def fuzz(
    target: Target, numbers: range, seed: int, place: Path, progress: Path | None = None
) -> Outcome:
    """Run a reader on inputs.

    Args:
        target: The reader.
        numbers: The inputs' numbers: each input depends only on its number and the seed.
        seed: Any number.
        place: An empty folder for them.
        progress: A file that holds the number of the input that is being read.
    """
    outcome = Outcome()
    folder = place / "input"
    before = os.environ.get("MINESWEEPER_BOT_HOME")
    os.environ["MINESWEEPER_BOT_HOME"] = str(folder / "home")
    seeds = target.seeds()
    old = signal.signal(signal.SIGALRM, _stuck)
    try:
        with watched(place) as watch:
            for data in seeds:
                # Loads late imports, and checks that a valid file is accepted.
                _give(target, data, folder, watch, Outcome(), "valid")
            watch.seen.clear()
            for number in numbers:
                if progress is not None:
                    progress.write_text(str(number))
                dice = Random(f"{seed} {target.name} {number}")
                data = changed(dice, seeds, target.shaped)
                _give(target, data, folder, watch, outcome, str(number))
    finally:
        signal.signal(signal.SIGALRM, old)
        os.environ.pop("MINESWEEPER_BOT_HOME")
        if before is not None:
            os.environ["MINESWEEPER_BOT_HOME"] = before
    strays = [path.name for path in place.iterdir() if path != folder]
    if strays:
        outcome.findings.append(f"beside its folder: {strays}")
    outcome.memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    return outcome


def _give(
    target: Target, data: bytes, folder: Path, watch: Watch, outcome: Outcome, name: str
) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    begin = time.perf_counter()
    signal.alarm(SECONDS)
    watch.on = name != "valid"
    try:
        target.read(data, folder)
        outcome.taken += 1
    except target.refuses:
        if name == "valid":
            raise
    except Stuck:
        outcome.findings.append(f"input {name}: more than {SECONDS} s")
    except Exception as error:
        if name == "valid":
            raise
        where = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{type(error).__name__}: {error}"[:200]
        outcome.findings.append(
            f"input {name}: {told} ({Path(where.filename).name}:{where.lineno})"
        )
    finally:
        watch.on = False
        signal.alarm(0)
    outcome.inputs += 1
    outcome.slowest = max(outcome.slowest, time.perf_counter() - begin)
    outcome.findings += [f"input {name}: {seen}" for seen in watch.seen]
    watch.seen.clear()


def _stuck(_signal: int, _frame: FrameType | None) -> None:
    raise Stuck


def _inside(options: argparse.Namespace) -> None:
    """Run one reader in this process; print the outcome as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    os.nice(max(0, 15 - os.nice(0)))
    with tempfile.TemporaryDirectory(dir=_memory_disk()) as place:
        numbers = range(options.begin, options.inputs)
        target = TARGETS[options.targets[0]]
        outcome = fuzz(target, numbers, options.seed, Path(place), options.progress)
    print(json.dumps(asdict(outcome)))  # noqa: T201 - what the process is asked for


def _memory_disk() -> str | None:
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a folder of its own


def _apart(name: str, options: argparse.Namespace) -> Outcome:
    """Run one reader in a separate process; continue after an input that crashes it."""
    whole = Outcome()
    begin = 0
    with tempfile.TemporaryDirectory() as place:
        progress = Path(place) / "number"
        while begin < options.inputs:
            command = [
                sys.executable,
                "-m",
                "tests.benchmarks.fuzz",
                name,
                "--inside",
                "--begin",
                str(begin),
            ]
            command += ["--inputs", str(options.inputs), "--seed", str(options.seed)]
            command += ["--progress", str(progress)]
            code, printed = _watched_process(command, progress)
            if code == 0:
                found = Outcome(**json.loads(printed.splitlines()[-1]))
                begin = options.inputs
            elif len(whole.findings) >= _CRASHES:
                whole.findings.append(f"given up before input {begin}: {printed[-300:]}")
                break
            else:
                at = int(progress.read_text("utf-8") or begin)
                found = Outcome(at - begin + 1, findings=[f"input {at}: the process ended: {code}"])
                begin = at + 1
            whole.inputs += found.inputs
            whole.taken += found.taken
            whole.findings += found.findings
            whole.slowest = max(whole.slowest, found.slowest)
            whole.memory = max(whole.memory, found.memory)
    return whole


def _watched_process(command: list[str], progress: Path) -> tuple[int, str]:
    """Run a process; kill it if one input takes a minute, as Python's signals may not arrive."""
    progress.write_text("", encoding="utf-8")
    # The libraries that decode pictures print a message for each.
    errors = progress.with_name("errors").open("w+")
    with (
        errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process,
    ):
        last, since = "", time.monotonic()
        while True:
            try:
                printed, _ = process.communicate(timeout=5)
            except subprocess.TimeoutExpired:
                at = progress.read_text(encoding="utf-8")
                if at != last:
                    last, since = at, time.monotonic()
                elif time.monotonic() - since > 6 * SECONDS and at:
                    process.kill()
            else:
                errors.seek(0)
                return process.returncode, printed or errors.read()[-2000:]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], default=[])
    parser.add_argument("--inputs", type=int, default=100_000, help="for each reader")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="this input alone, its error in full")
    parser.add_argument("--begin", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--progress", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        _inside(options)
        return
    if options.only is not None:
        _again(options)
        return
    console = Console()
    table = Table(title=f"{options.inputs:,} inputs for each reader, seed {options.seed}")
    for heading in ("reader", "inputs", "taken", "slowest, s", "memory, MB", "findings", "minutes"):
        table.add_column(heading, justify="left" if heading == "reader" else "right")
    for name in options.targets or TARGETS:
        begin = time.monotonic()
        found = _apart(name, options)
        minutes = f"{(time.monotonic() - begin) / 60:.1f}"
        figures = (
            f"{found.inputs:,}",
            f"{found.taken:,}",
            f"{found.slowest:.2f}",
            f"{found.memory}",
        )
        table.add_row(name, *figures, str(len(found.findings)), minutes)
        console.print(name, *figures, len(found.findings), minutes)
        for finding in found.findings[:_SHOWN]:
            console.print(" ", finding, markup=False, soft_wrap=True)
    console.print(table)


def _again(options: argparse.Namespace) -> None:
    target = TARGETS[options.targets[0]]
    dice = Random(f"{options.seed} {target.name} {options.only}")
    data = changed(dice, target.seeds(), target.shaped)
    with tempfile.TemporaryDirectory() as place:
        os.environ["MINESWEEPER_BOT_HOME"] = f"{place}/home"
        (Path(place) / "input").mkdir()
        target.read(data, Path(place) / "input")


if __name__ == "__main__":
    main()
