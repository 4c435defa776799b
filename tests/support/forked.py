"""Run the command without start-up time: fork a process that has imported everything.

A run is a process of its own, with its own environment, folder and streams; it executes `python -m
gui` and ends like any Python process; coverage is measured as in `make test`. It does not test
imports and their time: `tests.support.runs.bot` starts a fresh interpreter.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Final

from bot.solver.warmup import PARTS
from tests.support.measured import Measured
from tests.support.runs import environment

_IMPORTED: Final = (
    "bot.solver.player",
    "cv2",
    "gui.commands.lab",
    "gui.commands.lab_cli",
    "gui.commands.play",
    "gui.commands.read",
    "typer",
    "vision.sessions.audit",
    "vision.sessions.writer",
    "vision.skins",
)
"""Slow imports of the commands, without those that start a thread or open a display."""
_SECONDS: Final = 200.0


def bot(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, with no display.

    Args:
        home: The home folder of the run.
        arguments: Arguments of `minesweeper-bot`.

    Raises:
        AssertionError: The run did not end.
    """
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        order = {
            "arguments": arguments,
            "environment": environment(home),
            "folder": str(Path.cwd()),
            "streams": [f"/proc/{os.getpid()}/fd/{file.fileno()}" for file in (out, errors)],
        }
        server.stdin.write(json.dumps(order) + "\n")
        server.stdin.flush()
        if not select.select([server.stdout], [], [], _SECONDS)[0]:
            os.killpg(server.pid, signal.SIGKILL)
            raise AssertionError(f"stuck for {_SECONDS:.0f} s: {_text(out)}{_text(errors)}")
        code = int(server.stdout.readline())
        return subprocess.CompletedProcess(arguments, code, _text(out), _text(errors))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


@cache
def _server() -> subprocess.Popen[str]:
    """Return the process that is forked; it ends when its orders end."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.support.forked"],
        cwd=Path(__file__).parents[2],
        env=environment(Path(os.devnull)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    atexit.register(server.communicate)
    return server


def _serve() -> Mapping[str, object]:
    """Answer each order with its exit code; in a fork, return the order to carry out."""
    measured = Measured()
    for name in _IMPORTED:
        import_module(name)
    for load in PARTS.values():
        load()
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            atexit.register(measured.write)
            return json.loads(line)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201 - the answer
    sys.exit()


def _become(order: Mapping[str, object]) -> None:
    """Give this process its own environment, folder, streams and arguments."""
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    for number, path in enumerate((os.devnull, *order["streams"])):
        stream = os.open(path, os.O_RDWR)
        os.dup2(stream, number)
        os.close(stream)
    sys.argv = ["minesweeper-bot", *order["arguments"]]


if __name__ == "__main__":
    _become(_serve())
    program = import_module("gui.__main__")
    # Processes that it starts import the command's main module, not this file.
    sys.modules["__main__"] = program
    program.main()
