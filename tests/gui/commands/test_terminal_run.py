"""A run in a terminal: the panel's player, whose user reads and types."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest

from bot.game import BEGINNER
from bot.loop import Stop, Stopped, Turn
from gui.commands import terminal_run
from gui.commands.progress import GameLog
from gui.commands.terminal_run import TerminalRun
from gui.console import Console
from gui.failures import Failure
from gui.runner.protocol import Begin
from gui.settings import KeyName, Settings
from tests.gui.tabletop import LocalClient, Tabletop, asked_about

MOUSE = "Paused because you moved the mouse"


class Typing:
    """A run of games, a user who types lines until the input ends, and what is printed."""

    def __init__(self, *lines: str) -> None:
        self.table, self.lines = Tabletop(BEGINNER), [*lines]
        self.stop = Stop()
        self._text = StringIO()
        self.console = Console(file=self._text, width=200)
        log = GameLog(self.console, None)
        self.player = LocalClient(self.table)
        keys: dict[KeyName, str] = {"stop key": "F7", "pause key": "F9"}
        self.run = TerminalRun(
            self.player, self.console, log, self.stop, can_override=True, keys=keys
        )
        self.run._read = self._read

    @property
    def printed(self) -> str:
        """What was printed."""
        return self._text.getvalue()

    def _read(self) -> str:
        if self.stop.is_set():
            raise Stopped
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def play(self, games: int | None, at: Callable[[Turn], object] = lambda _: None) -> Any:
        """Play, and do something at each turn; return the failure."""
        board = self.table.candidate(0)
        return self.run.follow(Begin(board, Settings(games=games)), at)


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Typing]]:
    """Make a run with a user at the terminal."""
    monkeypatch.setattr(terminal_run, "is_terminal", lambda _stream: True)
    made: list[Typing] = []

    def make(*lines: str) -> Typing:
        made.append(Typing(*lines))
        return made[-1]

    yield make
    for one in made:
        one.player.close()
        assert one.table.stopped.is_set()


def test_a_failure_is_returned_and_none_after_a_stop(typing: Callable[..., Typing]) -> None:
    """With its words; a stop from any thread, before it begins too, ends it."""
    play = typing()
    play.table.error = RuntimeError("the window is gone")
    failure = play.play(1)
    assert isinstance(failure, Failure)
    assert failure.message == "the window is gone"
    play = typing()
    assert play.play(None, lambda turn: turn.number == 2 and play.stop.stop("Enough.")) is None
    assert play.stop.reason == "Enough."
    play = typing()
    play.stop.stop("Enough.")
    assert play.play(None) is None
    assert play.stop.reason == "Enough."


def test_an_answer_is_typed(typing: Callable[..., Typing]) -> None:
    """In the thread that prints; the run goes on with it."""
    play = typing("3")
    play.table.questions[1] = asked_about(3, [(0, 1)])
    assert play.play(1) is None
    assert play.table.answers == [3]


def test_enter_resumes_after_the_mouse_was_moved(typing: Callable[..., Typing]) -> None:
    """Asked once for each time that it was; the end of the input stops a paused run."""
    play = typing("", "never")
    play.table.pauses[1] = MOUSE
    assert play.play(1) is None
    assert play.printed.count(f"{MOUSE}. Press Enter to continue, Ctrl-C to end") == 1
    assert play.lines == ["never"]
    play = typing()
    play.table.pauses[1] = MOUSE
    assert play.play(1) is None
    assert play.stop.reason == "Stopped: the terminal's input has ended."


def test_keys_pause_resume_and_stop(typing: Callable[..., Typing]) -> None:
    """Each is printed."""
    play = typing()
    press = play.table.key("pause key")
    show = play.console.note

    def note(text: str) -> None:
        show(text)
        if text.startswith("Paused"):
            press()
        elif text == "Resumed":
            play.table.press_key()

    play.console.note = note  # type: ignore[method-assign]

    assert play.play(None, lambda turn: turn.number or press()) is None
    assert play.printed.split("\n")[:2] == ["Paused. Press F9 to continue", "Resumed"]
    assert play.stop.reason == "Stopped with F7."
