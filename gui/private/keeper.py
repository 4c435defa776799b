"""The process that keeps a private screen and the game on it.

It is small and does nothing else, so that nothing of it can fail: it starts the screen, the
game and, where the bot shows its panel on another screen, the player; it tells what ended;
and it ends all of it when it is told to, when the bot has gone, however that went, or when
the screen has. What it tells are lines of JSON on its output; it is told to end by closing
its input.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Final

from gui.private.descendants import (
    adopt_orphans,
    collect,
    descendants,
    end_descendants,
)
from gui.private.games import game_environment, on_its_own_bus
from gui.private_screen import PrivateScreen, PrivateScreenError, ending_with_this

ROOT: Final = Path(__file__).parent.parent.parent
"""`-m` looks into the working folder first: a folder of the user's named gui would win."""
_PATIENCE: Final = 3.0
"""Seconds that games have to end by themselves."""
_TOGETHER: Final = 0.5
"""Seconds between the end of a game and that of its screen, if it went with that."""
_LAST_WORDS: Final = 2000
"""Bytes of what a game says that are kept."""


@dataclass(frozen=True)
class KeeperOrder:
    """What the keeper is to do; its only argument, as JSON."""

    bot: int
    """Id of the process that it is for."""
    size: tuple[int, int]
    command: tuple[str, ...]
    """Starts the game."""
    folder: str
    """Where the game is started."""
    player: int | None
    """The player's end of its line to the bot, a descriptor; None for no player."""

    def __str__(self) -> str:
        return json.dumps(asdict(self))


class _Keeper:
    """Keeps one screen.

    Args:
        order: What to do.
        resources: Closed at the end.
    """

    def __init__(self, order: KeeperOrder, resources: ExitStack) -> None:
        self._order = order
        self._hear, wake = os.pipe()
        for end in (self._hear, wake):
            os.set_blocking(end, False)
        # Neither is an error: the signal's number is written into the pipe, and nothing else is
        # done. A terminal's Ctrl-C and its end are the bot's business.
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, _nothing)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self._bot = os.pidfd_open(order.bot)
        adopt_orphans()
        self._screen = resources.enter_context(PrivateScreen(*order.size))
        resources.callback(self._end_all)
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._stream: IO[bytes] | None = None
        """What the game says, until it and its children say no more."""
        self._words = b""

    def keep(self) -> None:
        """Start everything, and stay until there is a reason to end it."""
        tell(screen=self._screen.access, framebuffer=str(self._screen.framebuffer))
        if self._order.player is not None:
            self._start_player(self._order.player)
        self._start_game()
        while os.getppid() == self._order.bot:
            said = [] if self._stream is None else [self._stream.fileno()]
            ready, _, _ = select.select([0, self._bot, self._hear, *said], [], [])
            if 0 in ready or self._bot in ready:
                return
            self._listen()
            if self._hear in ready:
                heard = os.read(self._hear, 1000)
                if signal.SIGTERM in heard or not self._look_around():
                    return

    def _start_player(self, line: int) -> None:
        player = [sys.executable, "-m", "gui.private.player", str(line), self._order.folder]
        self._processes["player"] = subprocess.Popen(  # noqa: S603 - this program itself
            ending_with_this(player),
            env=self._screen.environment,
            cwd=ROOT,
            pass_fds=(line,),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        # The bot learns of the player's end because nobody else holds its end of the line.
        os.close(line)

    def _start_game(self) -> None:
        process = subprocess.Popen(  # noqa: S603 - what the user asked for
            ending_with_this(on_its_own_bus(self._order.command)),
            env=game_environment(self._screen.environment),
            cwd=self._order.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._processes["game"] = process
        assert process.stdout is not None  # noqa: S101 - a pipe was asked for
        os.set_blocking(process.stdout.fileno(), False)
        self._stream = process.stdout

    def _listen(self) -> None:
        """Keep the last of what the game says."""
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
        """Tell who has ended; whether the screen is still there."""
        known = {one.pid for one in (*self._processes.values(), *self._screen.processes)}
        collect(known)
        others = not known.issuperset(descendants())
        ended = {
            name: process
            for name, process in self._processes.items()
            # One that ends well and leaves others behind has only started the game.
            if process.poll() is not None and not (process.returncode == 0 and others)
        }
        screen = self._screen.processes[0]
        if any(process.returncode for process in ended.values()):
            # A game whose screen goes may have ended a moment before it.
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
        """End whatever came from here but the screen, which goes last."""
        end_descendants({one.pid for one in self._screen.processes}, _PATIENCE, self._wait)

    def _wait(self, seconds: float) -> None:
        if select.select([self._hear], [], [], seconds)[0]:
            os.read(self._hear, 1000)


def tell(**what: Any) -> None:
    """Tell the bot something."""
    try:
        os.write(1, json.dumps(what).encode() + b"\n")
    except OSError:
        # It has gone: noticed where it is waited for.
        return


def _nothing(*_: object) -> None:
    """A signal that only wakes."""


def main(argument: str) -> int:
    """The process: keeps a screen as ordered."""
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
