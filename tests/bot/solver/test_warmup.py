"""Machine code is compiled once, in advance, and a user who waits is reported."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from bot.analysis import Cancelled
from bot.solver import warmup
from bot.solver.warmup import Parts, Preparation
from bot.solver.warmup_parts import note

pytestmark = pytest.mark.long

ROOT = Path(warmup.__file__).parents[2]


def test_machine_code_is_kept() -> None:
    """The set-up's command; after it nothing is reported, and nothing is compiled again.

    While machine code is loaded, no thread waits for a full collection of garbage; the next one
    does not look at what was loaded.
    """
    subprocess.run([sys.executable, "-m", "bot.solver.warmup"], cwd=ROOT, check=True)
    assert warmup.kept()
    program = """
import gc
from bot.solver.warmup import PREPARATION
full = []
gc.callbacks.append(lambda phase, about: full.append(phase) if about["generation"] == 2 else 0)
PREPARATION.wait(report=lambda: print("compiling"))
print(PREPARATION.compiling, full, gc.isenabled(), gc.get_freeze_count() > 100_000)
"""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert run.stdout == "False [] True True\n"


@pytest.mark.linux
@pytest.mark.slow
def test_two_programs_do_not_compile_the_same_at_once() -> None:
    """The second one waits for the lock of the first, then loads what that one has compiled."""
    found = note("midgame")
    assert found is not None
    program = """
import logging, runpy
logging.basicConfig()
logging.getLogger("filelock").setLevel(logging.DEBUG)
runpy.run_module("bot.solver.warmup", run_name="__main__", alter_sys=True)
"""
    command = [sys.executable, "-c", program, "midgame"]
    with (
        FileLock(found[0].with_suffix(".lock")) as lock,
        subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process,
    ):
        assert process.stderr is not None
        assert any("not acquired" in line for line in process.stderr)
        assert process.poll() is None
        lock.release()
        process.communicate()
    assert process.returncode == 0


def test_wait_for_the_compiler_is_reported_once_and_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The stop is heard while it compiles; the next one to wait is reported as well."""
    compiled = threading.Event()
    written: list[str] = []

    def compile_and_keep(_still_wanted: Callable[[], bool], _parts: Parts) -> None:
        compiled.wait()

    monkeypatch.setattr(warmup, "PARTS", {})
    monkeypatch.setattr(warmup, "kept", lambda *_: False)
    monkeypatch.setattr(warmup, "compile_and_keep", compile_and_keep)
    monkeypatch.setattr(warmup, "_write_note", lambda *_: written.append("kept"))
    preparation = Preparation()
    stop = threading.Event()
    with pytest.raises(Cancelled):
        preparation.wait(stop, stop.set)
    assert not written
    assert preparation.must_compile()
    reported: list[str] = []

    def tell() -> None:
        reported.append("compiling")
        compiled.set()

    preparation.wait(report=tell)
    assert reported == ["compiling"]
    assert written == ["kept"]
    assert not preparation.must_compile()
