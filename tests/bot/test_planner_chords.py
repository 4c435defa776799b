"""Chords beyond the planner: the loop waits for what they open, the audit checks them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.analysis import Analysis
from bot.board import Board, Cell
from bot.loop import Turn
from bot.planner import Action, Move
from bot.waiting import BoardNotSettled, wait_until_stable
from tests.support.boards import reading_of
from tests.support.runs import audited, bot, sessions
from vision.sessions.audit import Audit

CHORD = Move(Action.CHORD, Cell(0, 1))


def flagged(col: int) -> Move:
    """Return a flag in the upper row."""
    return Move(Action.FLAG, Cell(0, col))


def turn(text: str, *moves: Move, mines: int = 1) -> Turn:
    """Return a turn with these moves."""
    board = Board.parse(text, mines)
    analysis = Analysis(np.full(board.tiles.shape, 0.5), None, True, "exact", "")
    return Turn(0, reading_of(board), analysis, moves)


def test_what_a_chord_opens_is_waited_for() -> None:
    """It has no effect as long as a neighbour is closed and carries no flag."""
    last = turn("F1#/#1#", CHORD)
    looks = iter(["F1#/#1#", "F1./#1#", "F1./11.", "F1./11."])
    seen = wait_until_stable(
        lambda: reading_of(Board.parse(next(looks), 1)), lambda _seconds: False, last
    )
    assert seen.board.rows_text() == "F1.\n11."


def test_a_chord_without_effect_is_told() -> None:
    """A program may know no chords, or chord with another button."""
    last = turn("#1#/#1#", flagged(0), CHORD)
    ticks = iter(range(1000))
    with pytest.raises(BoardNotSettled, match="row 1, column 2 had no effect") as caught:
        wait_until_stable(
            lambda: reading_of(Board.parse("F1#/#1#", 1)),
            lambda _seconds: False,
            last,
            3,
            lambda: next(ticks),
        )
    assert caught.value.missing == (CHORD,)


@pytest.mark.parametrize(
    ("before", "after", "moves", "finding"),
    [
        ("#1#/11#", "F1./11.", (flagged(0), CHORD), None),
        ("F1#/11#", "F1./11.", (CHORD,), None),
        ("?1#/11#", "F1./11.", (flagged(0), flagged(0), CHORD), None),
        ("#1#/11#", "*1./11.", (CHORD,), "0 flags around a 1"),
        ("F1#/11#", "*1./11.", (flagged(0), CHORD), "0 flags around a 1"),
        ("###/11#", "*#1/111", (CHORD,), "0 flags around a cell without a hint"),
        ("#1#/11#", "!1x/11.", (flagged(2), CHORD), "the flag at row 1, column 3 is wrong"),
    ],
)
def test_the_audit_checks_chords(
    before: str, after: str, moves: tuple[Move, ...], finding: str | None
) -> None:
    """Each against the flags around it at its time, and these against the mines."""
    audit = Audit()
    end = Turn(1, reading_of(Board.parse(after, 1)), None, ())
    audit.add("game", [turn(before, *moves), end])
    chords = [found.what for found in audit.findings if "the chord at" in found.what]
    if finding is None:
        assert audit.findings == []
    else:
        assert any(what.endswith(finding) for what in chords), audit.findings


@pytest.mark.long
def test_chords_are_played_on_the_screen(tmp_path: Path) -> None:
    """Flags and chords arrive, nothing is opened that was not meant to, and the audit is clean."""
    run = bot(tmp_path, "play", "--games", "2", "--seed", "5", "--style", "chords", "--no-panel")
    assert run.returncode == 0, run.stderr
    recorded = sessions(tmp_path)
    moves = [move for session in recorded for seen in session.turns() for move in seen.moves]
    assert {move.action for move in moves} >= {Action.OPEN, Action.FLAG, Action.CHORD}
    audit = audited(recorded)
    assert audit.findings == []
    assert audit.won + audit.lost == 2
