"""Start Python programs without their start-up time: fork a process that has imported everything.

`PYTHON` and `BOT` stand for an interpreter and for the command, in `subprocess.run` and `Popen`:

    subprocess.run([*BOT, "play", "--games", "1"], env=environment(tmp_path))

They start a small client (`forked_client.py`), which hands its arguments, environment, folder and
streams to a server. The server forks; the fork becomes the program, a process of its own that ends
like any Python process. The client passes signals on and ends with the program's exit code. If the
client is killed, so is the program.

`connect` starts the server; `tests/e2e/conftest.py` calls it. One server serves all workers
of a test run; it ends when the last worker has ended. It does not test imports and their time, and
the client's process id is not the program's: where these matter, `tests.support.runs.BOT` starts a
fresh interpreter.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

if sys.platform != "win32":
    import fcntl

from bot.solver.warmup import PARTS
from gui.private_screen import PrivateScreen
from tests.support import runs
from tests.support.runs import environment, finished
from vision.skins import SkinLibrary

_ROOT: Final = Path(__file__).parents[2]
_RUN: Final = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
_SOCKET: Final = Path(tempfile.gettempdir()) / f"minesweeper-bot-tests-{_RUN}"
_WINDOWS: Final = sys.platform == "win32"
"""Windows does not fork: there a new interpreter is started."""
PYTHON: Final = (
    (sys.executable,)
    if _WINDOWS
    else (
        *("env", "--default-signal=INT", sys.executable, "-IS"),
        *(str(Path(__file__).with_name("forked_client.py")), str(_SOCKET)),
    )
)
BOT: Final = (*PYTHON, "-m", "gui")
_IMPORTED: Final = (
    "PyQt6.QtWidgets",
    "bot.solver.player",
    "cv2",
    "gui.commands.lab",
    "gui.commands.play",
    "gui.commands.read",
    "gui.panel.pages",
    "gui.runner.backend",
    "gui.simulator",
    "tests.support.strays",
    "typer",
    "vision.reader",
    "vision.sessions.audit",
    "vision.sessions.writer",
)
"""Slow imports, without those that start a thread, open a display or ask about a terminal."""
_LONGEST: Final = 1 << 17
"""Bytes of an order: the arguments and the environment of a program."""


def bot(
    home: Path, *arguments: str, screen: PrivateScreen | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, on a screen if there is one: see `tests.support.runs.bot`."""
    connect()
    return finished([*BOT, *arguments], environment(home, screen))


@contextmanager
def simulated(screen: PrivateScreen, home: Path, *options: str) -> Iterator[int]:
    """A simulated window on a screen; yields its window's id when it is shown."""
    connect()
    process = subprocess.Popen(
        [*BOT, "simulate", "--announce", *options],
        env=environment(home, screen),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@contextmanager
def running(
    home: Path, screen: PrivateScreen | None, *arguments: str, **streams: Any
) -> Iterator[subprocess.Popen[str]]:
    """The command: see `tests.support.runs.running`."""
    with runs.running([*BOT, *arguments], environment(home, screen), **streams) as process:
        yield process


@cache
def connect() -> socket.socket | None:
    """Start the server if no other worker did; return a connection that keeps it running."""
    if _WINDOWS:
        return None
    path = str(_SOCKET)
    with Path(f"{path}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with suppress(OSError):
            connection.connect(path)
            return connection
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            Path(path).unlink(missing_ok=True)
            listener.bind(path)
            listener.listen(64)
            # Not a child of this worker, which may end before the others.
            server = ["setsid", "--fork", *PYTHON[:3], "-m", __name__, path]
            subprocess.run(
                server,
                cwd=_ROOT,
                env=environment(Path(os.devnull)),
                stdin=listener,
                stdout=subprocess.DEVNULL,
                check=True,
            )
        connection.connect(path)
    return connection


class _Server:
    """Forks for each order; its connections are those of the clients and of the workers."""

    def __init__(self) -> None:
        self._listener = socket.socket(fileno=os.dup(0))
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._programs: dict[socket.socket, int] = {}
        """Process ids by connection; 0 for a worker, or before its order."""

    def serve(self) -> dict[str, Any]:
        """Serve until no connection is left; in a fork, return the order to carry out."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is self._listener:
                    connection, _ = self._listener.accept()
                    self._programs[connection] = 0
                    self._selector.register(connection, selectors.EVENT_READ)
                elif key.data is not None:
                    self._end(key.fd, *key.data)
                elif order := self._read(key.fileobj):
                    return order
            if not self._programs:
                for path in (Path(sys.argv[1]), Path(f"{sys.argv[1]}.lock")):
                    path.unlink(missing_ok=True)
                sys.exit()

    def _read(self, connection: Any) -> dict[str, Any] | None:
        """Read from a client; return its order in the fork, else None."""
        text, streams, _, _ = socket.recv_fds(connection, _LONGEST, 3)
        if not text:
            # The client was killed, or has its answer.
            self._selector.unregister(connection)
            if program := self._programs.pop(connection):
                with suppress(ProcessLookupError):
                    os.killpg(program, signal.SIGKILL)
            connection.close()
            return None
        program = os.fork()
        if not program:
            os.setsid()
            self._selector.close()
            for one in (self._listener, *self._programs):
                one.close()
            return {**json.loads(text), "streams": streams}
        for stream in streams:
            os.close(stream)
        self._programs[connection] = program
        connection.send(str(program).encode())
        handle = os.pidfd_open(program)
        self._selector.register(handle, selectors.EVENT_READ, (connection, program))
        return None

    def _end(self, handle: int, connection: socket.socket, program: int) -> None:
        """Tell a client the exit code of its program."""
        self._selector.unregister(handle)
        os.close(handle)
        _, status = os.waitpid(program, 0)
        if connection in self._programs:
            self._programs[connection] = 0
            with suppress(OSError):
                connection.send(str(os.waitstatus_to_exitcode(status)).encode())


def _become(order: dict[str, Any]) -> None:
    """Give this process its own environment, folder, streams and arguments."""
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    for number, stream in enumerate(order["streams"]):
        os.dup2(stream, number)
        os.close(stream)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115 - as a new interpreter opens them
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, closefd=False, errors="backslashreplace")  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def _run(kind: str, name: str, *arguments: str) -> None:
    """Run `-m NAME` or `-c CODE`."""
    sys.argv = [name if kind == "-m" else kind, *arguments]
    if (kind, name, *arguments[:1]) == ("-m", "gui", "play"):
        # As tests/support/offline does it in a fresh interpreter.
        import_module("tests.support.strays").look()
    if kind == "-c":
        main = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(name, "<string>", "exec"), main.__dict__)  # noqa: S102
    elif name == "gui":
        # Processes that it starts import the command's main module, not this file.
        program = sys.modules["__main__"] = import_module("gui.__main__")
        program.main()
    else:
        runpy.run_module(name, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    server = _Server()
    for module in _IMPORTED:
        import_module(module)
    for load in PARTS.values():
        load()
    SkinLibrary().skins()  # the bundled ones are shared by all libraries
    gc.freeze()
    asked = server.serve()
    _become(asked)
    _run(*asked["arguments"])
