"""Assist without a screen: what is kept of a watched game, and who thinks about it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.analysis import Cancelled, Limit
from bot.assist.coach import MoveKind, Verdict
from bot.assist.watcher import WatchedTurn
from bot.board import Board, Cell
from bot.loop import Turn
from bot.planner import Action, Move
from bot.solver import exact
from gui.runner.assist import record_watched, staged_solver
from tests.support.boards import reading_of
from vision.sessions import SessionInfo, load_session
from vision.sessions.writer import SessionWriter, record
from vision.skins import SkinLibrary

SAFE = Verdict(Move(Action.OPEN, Cell(0, 0)), MoveKind.SAFE)


def watched(text: str, number: int, *verdicts: Verdict) -> WatchedTurn:
    """A turn of a 2 x 2 board with one mine."""
    return WatchedTurn(number, reading_of(Board.parse(text, 1)), None, (), verdicts=verdicts)


def recorded(turns: Iterator[WatchedTurn], folder: Path) -> Iterator[WatchedTurn]:
    """Write down watched turns, each session in a folder of its own."""
    fields = {
        "version": "1", "started": "2026-01-01T00:00:00+00:00", "window": "w",
        "skin": "classic", "solver": "exact", "style": "no flags", "player": "user",
    }  # fmt: skip

    def open_session() -> SessionWriter:
        number = len(list(folder.iterdir()))
        return SessionWriter(folder / str(number), SessionInfo.model_validate(fields))

    return record_watched(turns, lambda played: record(played, open_session))


def kept(folder: Path) -> list[list[Turn]]:
    """Return the turns of each session."""
    return [list(load_session(path).turns()) for path in sorted(folder.iterdir())]


def test_every_game_has_a_session_of_its_own(tmp_path: Path) -> None:
    """Each board once, with its move. A game that was given up has one, one without a move none."""
    turns = [
        watched("##/##", 0),
        watched("##/##", 0),
        watched("1#/##", 1),
        watched("1#/##", 1, SAFE),
        watched("11/#1", 2),
        watched("11/#1", 2, SAFE),
        watched("##/##", 0),
        watched("##/##", 0),
        watched("#1/##", 1, SAFE),
        watched("##/##", 0),
    ]
    assert list(recorded((turn for turn in turns), tmp_path)) == turns
    first, second = kept(tmp_path)
    assert [turn.number for turn in first] == [0, 1, 2]
    assert [len(turn.moves) for turn in first] == [1, 1, 0]
    assert len(second) == 2
    assert second[1].reading.board[0, 1] == 1


def test_closed_in_the_middle_nothing_is_lost(tmp_path: Path) -> None:
    """The turn that was passed on last is written, and the watching is closed."""
    closed = []

    def turns() -> Iterator[WatchedTurn]:
        try:
            yield watched("##/##", 0)
            yield watched("1#/##", 1)
            raise AssertionError
        finally:
            closed.append(True)

    taken = recorded(turns(), tmp_path)
    next(taken)
    next(taken)
    taken.close()  # type: ignore[attr-defined]
    assert closed
    (session,) = kept(tmp_path)
    assert len(session) == 2


def test_the_probabilities_come_first() -> None:
    """At once, without a reason or a guess; then the reason, or the best guess with its own.

    A thought can be dropped before it has begun.
    """
    skin = SkinLibrary().skins()[0]
    safe = Board.parse("1##/1##/###/###", 3)
    bare, full = staged_solver("lookahead", skin)(safe, threading.Event())
    assert bare.reason == ""
    assert (bare.best, full.best) == (Cell(2, 0), Cell(2, 0))
    assert full.reason.startswith("safe")
    guess = Board.parse("1#/##", 1)
    for name in ("human", "lookahead", "exact"):
        first, second = staged_solver(name, skin)(guess, threading.Event())
        known = exact.solve(guess, Limit()).mine_probability
        assert first.best is None
        assert second.exact
        assert second.reason
        assert float(first.mine_probability[0, 1]) == float(known[0, 1])
    dropped = threading.Event()
    dropped.set()
    with pytest.raises(Cancelled):
        next(staged_solver("exact", skin)(guess, dropped))


def test_a_guess_is_thought_over() -> None:
    """Last, by simulated games, if the user wants that; a certain move is not."""
    skin, never = SkinLibrary().skins()[0], threading.Event()
    guess = Board.parse("\n".join(["#" * 16] * 7 + ["###3####2#######"] + ["#" * 16] * 8), 50)
    _, second, third = staged_solver("lookahead", skin, lambda: 0.3)(guess, never)
    assert "simulated" not in str(second.reason)
    assert "games simulated" in str(third.reason)
    certain = Board.parse("1##/###", 1)
    assert len(list(staged_solver("lookahead", skin, lambda: 600)(certain, never))) == 2
