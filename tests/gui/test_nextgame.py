"""What happens between two games of an unknown program, where something comes in between."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from bot.board import Board
from bot.frame import Reading, Status
from bot.holding import Holding
from bot.loop import Turn
from bot.manners import Interrupted
from bot.planner import Action, Move
from gui.nextgame import BetweenGames
from gui.questions import ProgramQuestion
from tests.boards import grid_of, reading_of
from vision.learning.button import Button
from vision.skins import BUNDLED, LEARNED, Face, Restart, load_skin

LOST = Board.parse("1*1###/112###/01####/02####/01####", mines=4)
OVER = Turn(3, reading_of(LOST, Status.LOST), None, (Move(Action.RESTART),))
FRESH = reading_of(Board.covered(5, 6, 4))
BUTTON = Button(Face(anchor="top", x=0, y=-1.5, width=1.2, height=1.2), likely=True)


class Program:
    """A game that is over, with one button above its board; the user interrupts the first click."""

    def __init__(self) -> None:
        self.clicks = 0
        self.grid = grid_of(5, 6)
        self.window = None
        self.skin = load_skin(BUNDLED / "winemine").model_copy(
            update={"program": LEARNED, "restart": Restart()}
        )
        self.asked: list[ProgramQuestion] = []

    def buttons(self) -> list[Button]:
        """There is one."""
        return [BUTTON]

    def note_face(self, _face: Face) -> None:
        """It works."""

    def act(self, _turn: Turn) -> None:
        """Click."""
        self.clicks += 1
        if self.clicks == 1:
            raise Interrupted

    def look(self) -> Reading:
        """Look."""
        return FRESH if self.clicks > 1 else OVER.reading

    def ask(self, question: ProgramQuestion) -> None:
        """Leave it open."""
        self.asked.append(question)


def test_a_click_that_was_interrupted_is_made_again() -> None:
    """A button that was not clicked was not tried: nothing is asked."""
    program: Any = Program()
    company: Any = SimpleNamespace(stop=threading.Event(), ask=program.ask, hold=None)
    dialogs: Any = SimpleNamespace(open_dialog=lambda: None)
    between = BetweenGames(
        program,
        program,
        Holding(),
        lambda: dialogs,
        company,
        SimpleNamespace,
        program.look,
        nullcontext,
        lambda _text: None,
    )
    with pytest.raises(Interrupted):
        between.start(OVER)
    between.start(OVER)
    assert program.clicks == 2
    assert program.asked == []
