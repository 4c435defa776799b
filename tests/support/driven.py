"""The real panel in a process of its own (`tests.support.driving`), and the user in front of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from gui.panel.pages import PAGES, PLAY
from gui.private_screen import PrivateScreen
from tests.support.clients import Keyboard, Mice, focus, wait_until
from tests.support.runs import environment

Place = list[int]
"""A point of the screen."""
_SECONDS: Final = 240.0
"""Time limit in seconds: on a busy machine a game may take long."""
_COMMAND: Final = (sys.executable, "-m", "tests.support.driving")


def page_number(page: str) -> int:
    """Return the digit that opens a page, with Alt."""
    return 1 + [PLAY, *(one.name for one in PAGES)].index(page)


class Driven:
    """A panel, and the user in front of it.

    Args:
        process: The panel's.
        mice: The mouse.
        keyboard: The keyboard.
    """

    def __init__(self, process: subprocess.Popen[str], mice: Mice, keyboard: Keyboard) -> None:
        self._process = process
        self.mice, self.keyboard = mice, keyboard

    @property
    def pid(self) -> int:
        """The id of the panel's process."""
        return self._process.pid

    def ask(self, question: str, *arguments: object) -> Any:
        """Return the panel's answer to a question: a method of `driving.Answering`."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(json.dumps([question, *arguments]) + "\n")
        stdin.flush()
        while not (line := stdout.readline()).startswith("answer "):
            assert line, "the panel has ended"
        return json.loads(line.removeprefix("answer "))

    def click(self, question: str, *arguments: object, button: int = 1) -> None:
        """Click on what a question finds, once it is shown, is enabled and keeps its place."""
        last: Place | None = None

        def rests() -> bool:
            nonlocal last
            before, last = last, self.ask(question, *arguments)
            return last is not None and last == before

        wait_until(rests)
        assert last is not None
        self.mice.warp(*last)
        self.mice.send_click(button)

    def press(self, name: str) -> None:
        """Click on the control of this name."""
        self.click("control", name)

    def type(self, *keys: str) -> None:
        """Press keys one after the other; those joined with + together."""
        for key in keys:
            self.keyboard.press(*key.split("+"))

    def open(self, page: str) -> None:
        """Open a page by its name, with the keyboard."""
        if not self.ask("window"):
            focus(self.ask("id"))
        self.wait_for_window("Minesweeper bot")
        self.type(f"Alt_L+{page_number(page)}")
        wait_until(lambda: self.ask("page") == page)

    def wait_for_window(self, title: str) -> None:
        """Wait until a window of this title has the keyboard."""
        wait_until(lambda: self.ask("window") == title)

    def wait_for(self, name: str, text: str | Callable[[str], bool]) -> str:
        """Wait until a label contains a text, or fulfils a condition; return what it shows."""
        shown = ""

        def fulfilled() -> bool:
            nonlocal shown
            shown = self.ask("text", name) or ""
            return text in shown if isinstance(text, str) else text(shown)

        wait_until(fulfilled, _SECONDS)
        return shown

    def wait_for_state(self, state: str) -> None:
        """Wait until the player is in a state; a failure says what the panel shows instead."""
        try:
            wait_until(lambda: self.ask("state") == state, _SECONDS)
        except AssertionError as error:
            shown = {question: self.ask(question) for question in ("state", "why", "status")}
            raise AssertionError(f"not {state} within {_SECONDS:.0f} s, but {shown}") from error

    def wait_for_boards(self) -> None:
        """Wait until the list shows a board besides the built-in game."""
        wait_until(lambda: len(self.ask("rows", "Minesweeper windows")) > 1, _SECONDS)

    def wait_for_turn(self) -> None:
        """Wait until another turn is shown."""
        before = self.ask("text", "Turn")
        self.wait_for("Turn", lambda now: now.isdigit() and now != before)

    def close(self) -> None:
        """End the panel."""
        self._process.terminate()
        self._process.communicate()


@contextmanager
def driven(screen: PrivateScreen, home: Path) -> Iterator[Driven]:
    """The panel on a screen, which is this process's own."""
    process = subprocess.Popen(
        _COMMAND,
        env=environment(home, screen),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with Mice() as mice, Keyboard() as keyboard:
        panel = Driven(process, mice, keyboard)
        try:
            yield panel
        finally:
            panel.close()
