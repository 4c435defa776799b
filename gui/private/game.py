"""The bot's side of a private screen: starts the keeper process and reads its messages."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Pipe
from pathlib import Path
from typing import Any, Final, Self

from gui.failures import Failure, ReportedFailure
from gui.interrupt import how_ended
from gui.private import PrivateScreenError, require_private_screens
from gui.private.games import checked
from gui.private.keeper import ROOT, KeeperOrder
from gui.runner.protocol import Line
from vision.plaintext import one_line

_log = logging.getLogger(__name__)

SIZE: Final = (1280, 800)
"""The default size of a private screen in pixels."""
_START_SECONDS: Final = 60.0
_END_SECONDS: Final = 20.0
_CRASH_SECONDS: Final = 1.0
"""Seconds between the closing of a window and the end of its program."""


class PrivateGame:
    """A game on its own private screen, until it is closed or this process ends.

    Args:
        command: Starts the game.
        size: Of the screen, in pixels.

    Raises:
        PrivateScreenError: This is not Linux, there is no such program, or no screen.
    """

    def __init__(self, command: Sequence[str], size: tuple[int, int] = SIZE) -> None:
        require_private_screens()
        self.name = Path(command[0]).name
        """The program's name."""
        self.access: dict[str, str] = {}
        """The environment variables that a program needs to open the screen."""
        self.framebuffer = Path()
        """The file that holds the screen's picture."""
        self._line: Line | None = None
        self._news = threading.Condition()
        self._endings: dict[str, str] = {}
        self._trouble = ""
        self._gone = False
        self._start(checked(command), size)

    def _start(self, command: tuple[str, ...], size: tuple[int, int]) -> None:
        self._line, far = Pipe()
        order = KeeperOrder(
            size=size,
            command=command,
            folder=os.getcwd(),  # noqa: PTH109 - a string is needed
            player=far.fileno(),
        )
        self._keeper = subprocess.Popen(  # noqa: S603 - this program itself
            [sys.executable, "-m", "gui.private.keeper", str(order)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            pass_fds=(far.fileno(),),
            # Ctrl-C is for this process, which ends the keeper itself.
            start_new_session=True,
        )
        far.close()
        self._reader = threading.Thread(target=self._hear, name="private screen", daemon=True)
        self._reader.start()
        with self._news:
            self._news.wait_for(lambda: self.access or self._gone, _START_SECONDS)
        if not self.access:
            self.close()
            raise PrivateScreenError(self._trouble or "the private screen did not start")

    @property
    def display(self) -> str:
        """The name of its screen."""
        return self.access["DISPLAY"]

    def ended(self, patience: float = 0.0) -> str:
        """Return why the game cannot be played any more, in a sentence; empty if it can.

        Args:
            patience: Seconds to wait for its end: a window closes before its program ends.
        """
        with self._news:
            self._news.wait_for(self._why, patience)
            return self._why()

    def explained(self, failure: Failure) -> Failure:
        """Return a failure of the play, or its cause if the game or its screen ended."""
        ended = self.ended(_CRASH_SECONDS)
        return replace(failure, message=ended, report="") if ended else failure

    def connect(self) -> Line:
        """Return the connection to the process that plays, at once; the caller closes it.

        Raises:
            ReportedFailure: There is none, or it has ended.
        """
        line, self._line = self._line, None
        if line is None:
            raise ReportedFailure(Failure(self.lost(0.0)))
        return line

    def lost(self, patience: float = _CRASH_SECONDS) -> str:
        """Return why the connection to the player is broken, in a sentence; see `ended`."""
        return self.ended(patience) or (
            f"what played '{self.name}' on its private screen ended unexpectedly: "
            "start the game again"
        )

    def close(self) -> None:
        """End the game, its screen and all their processes, and wait for that."""
        assert self._keeper.stdin is not None  # noqa: S101 - a pipe was asked for
        self._keeper.stdin.close()
        try:
            self._keeper.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        self._reader.join()
        if self._keeper.returncode and self.access:
            # It could not end them itself.
            shutil.rmtree(self.framebuffer.parent, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _why(self) -> str:
        # The end of a screen also ends the game.
        return self._endings.get("screen") or self._endings.get("game", "")

    def _hear(self) -> None:
        """Read the keeper's messages until it has ended."""
        assert self._keeper.stdout is not None  # noqa: S101 - a pipe was asked for
        with self._keeper.stdout as messages:
            for line in messages:
                with self._news:
                    self._take(json.loads(line))
                    self._news.notify_all()
        with self._news:
            self._gone = True
            self._endings.setdefault("screen", "the private screen has gone: start it again")
            self._news.notify_all()

    def _take(self, message: dict[str, Any]) -> None:
        event = next(iter(message))
        _log.info("Private screen: %s", event)
        if event != "screen":
            _log.debug("%s", message[event])
        if "screen" in message:
            self.framebuffer = Path(message["framebuffer"])
            self.access = message["screen"]
        elif "failed" in message:
            self._trouble = message["failed"]
        elif message["ended"] == "screen":
            self._endings["screen"] = (
                f"the private screen of '{self.name}' ended unexpectedly "
                f"({how_ended(message['status'])}), and the game with it: start it again"
            )
        elif message["ended"] == "game":
            said = _last_line(message["said"])
            self._endings["game"] = (
                f"'{self.name}' ended unexpectedly ({how_ended(message['status'])})"
                f"{said and f'. It said: {said}'}"
            )


def _last_line(said: str) -> str:
    return next(filter(None, map(one_line, reversed(said.splitlines()))), "")
