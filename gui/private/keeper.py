"""The process that runs a private screen and the game on it.

It is small so that little in it can fail: it starts the screen, the process that plays and the
game. It reports which of them ended. It ends all of them on request, when the bot ends for whatever
reason, or when the screen does. Its reports are lines of JSON on its output; closing its input,
which the bot's end also does, is the request to end.

A child whose parent ended becomes a child of the nearest ancestor that asked for it
(`PR_SET_CHILD_SUBREAPER`, prctl(2)) instead of the system's first process. So every process that a
game starts can be found, whatever session or group it creates.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Container
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

import psutil

from bot.processes import start_dependent
from gui.logfile import start_logging
from gui.private import PrivateScreenError
from gui.private.games import game_environment, on_its_own_bus
from gui.private_screen import PrivateScreen

ROOT: Final = Path(__file__).parent.parent.parent
"""`-m` searches the working folder first, where a folder named gui would be preferred."""
_PATIENCE: Final = 3.0
"""Seconds that games have to end by themselves."""
_TOGETHER: Final = 0.5
"""Largest delay between the end of a screen and of the game that ends with it."""
_LAST_WORDS: Final = 2000
"""Bytes of a game's output that are kept."""
_PR_SET_CHILD_SUBREAPER: Final = 36
_BETWEEN_LOOKS: Final = 0.05
"""Seconds between two searches for processes that were started meanwhile."""


@dataclass(frozen=True)
class KeeperOrder:
    """The keeper's task, its only argument, as JSON."""

    size: tuple[int, int]
    command: tuple[str, ...]
    """The command that starts the game."""
    folder: str
    """The working folder of the game."""
    player: int
    """Descriptor of the player's end of its connection to the bot."""

    def __str__(self) -> str:
        return json.dumps(asdict(self))


class _Keeper:
    """The supervisor of one screen."""

    def __init__(self, order: KeeperOrder, resources: ExitStack) -> None:
        self._order = order
        self._hear, wake = os.pipe()
        for end in (self._hear, wake):
            os.set_blocking(end, False)
        # Neither is an error: the signal's number is written to the pipe, and nothing else is done.
        # Ctrl-C and the end of the terminal are handled by the bot.
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, _nothing)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        adopt_orphans()
        self._screen = resources.enter_context(PrivateScreen(*order.size))
        resources.callback(self._end_all)
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._stream: IO[bytes] | None = None
        """The game's output, until it and its children have closed it."""
        self._words = b""

    def keep(self) -> None:
        """Start everything, and supervise it until there is a reason to end it."""
        tell(screen=self._screen.access, framebuffer=str(self._screen.framebuffer))
        self._start_player(self._order.player)
        self._start_game()
        while True:
            said = [] if self._stream is None else [self._stream.fileno()]
            ready, _, _ = select.select([0, self._hear, *said], [], [])
            if 0 in ready:
                return
            self._listen()
            if self._hear in ready:
                heard = os.read(self._hear, 1000)
                if signal.SIGTERM in heard or not self._look_around():
                    return

    def _start_player(self, line: int) -> None:
        player = [sys.executable, "-m", "gui.runner.process", str(line), self._order.folder]
        self._processes["player"] = start_dependent(
            player,
            env=self._screen.environment,
            cwd=ROOT,
            pass_fds=(line,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        # The bot notices the player's end because no other process holds its end of the connection.
        os.close(line)

    def _start_game(self) -> None:
        process = start_dependent(
            on_its_own_bus(self._order.command),
            env=game_environment(self._screen.environment, self._screen.framebuffer.parent),
            cwd=self._order.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._processes["game"] = process
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        os.set_blocking(process.stdout.fileno(), False)
        self._stream = process.stdout

    def _listen(self) -> None:
        """Store the last part of the game's output."""
        if self._stream is None:
            return
        try:
            while said := os.read(self._stream.fileno(), _LAST_WORDS):
                self._words = (self._words + said)[-_LAST_WORDS:]
        except BlockingIOError:
            return
        self._stream.close()
        self._stream = None

    def _look_around(self) -> bool:
        """Report the processes that ended, and return whether the screen still runs."""
        known = {one.pid for one in (*self._processes.values(), *self._screen.processes)}
        # This reaps those that have ended.
        _, others = psutil.wait_procs(descendants(known), 0)
        ended = {
            name: process
            for name, process in self._processes.items()
            # A program that ends successfully and leaves processes behind has only started the
            # game.
            if process.poll() is not None and not (process.returncode == 0 and others)
        }
        screen = self._screen.processes[0]
        if any(process.returncode for process in ended.values()):
            # A game may end a moment before its screen.
            with suppress(subprocess.TimeoutExpired):
                screen.wait(_TOGETHER)
        if screen.poll() is not None:
            tell(ended="screen", status=screen.returncode, said="")
            return False
        for name, process in ended.items():
            del self._processes[name]
            self._listen()
            said = self._words.decode(errors="replace") if name == "game" else ""
            tell(ended=name, status=process.returncode, said=said)
        return True

    def _end_all(self) -> None:
        """Terminate all descendants, then kill the remaining ones; the screen is ended last."""
        screen = {one.pid for one in self._screen.processes}
        for process in descendants(screen):
            with suppress(psutil.Error):
                process.terminate()
                # A stopped process receives no other signal.
                process.resume()
        begin = time.perf_counter()
        # This user may lack the permission to end some processes.
        while (left := descendants(screen)) and (
            spent := time.perf_counter() - begin
        ) < 2 * _PATIENCE:
            if spent > _PATIENCE:
                for process in left:
                    with suppress(psutil.Error):
                        process.kill()
            psutil.wait_procs(left, _BETWEEN_LOOKS)


def adopt_orphans() -> None:
    """Make orphaned descendants children of this process from now on.

    Raises:
        OSError: The system refuses.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "no orphans can be adopted")


def descendants(known: Container[int]) -> list[psutil.Process]:
    """Return all descendants, including zombies, except those that are known.

    Raises:
        OSError: The system does not tell which processes there are.
    """
    try:
        found = psutil.Process().children(recursive=True)
    except psutil.Error as error:
        raise OSError(f"the processes of the private screen cannot be listed: {error}") from error
    return [process for process in found if process.pid not in known]


def tell(**what: Any) -> None:
    """Send a message to the bot."""
    try:
        os.write(1, json.dumps(what).encode() + b"\n")
    except OSError:
        # It has ended, which is noticed elsewhere.
        return


def _nothing(*_: object) -> None:
    """Ignore a signal that is only meant to interrupt waiting."""


def main(argument: str) -> int:
    """Run the keeper process for an order."""
    start_logging()
    order = KeeperOrder(**json.loads(argument))
    try:
        with ExitStack() as resources:
            _Keeper(order, resources).keep()
    except (PrivateScreenError, OSError) as error:
        tell(failed=str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
