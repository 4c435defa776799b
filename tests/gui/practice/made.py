"""Recorded games of a user, made up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from bot.board import Board
from gui.analyse.positions import turn_of
from gui.history.schema import history_file
from gui.history.store import History, Player, Result
from tests.gui.history.made import game
from vision.sessions import SessionInfo
from vision.sessions.writer import SessionWriter

MISSED = ("1##/1##/###/###", "1##/1##/##1/###")
"""A guess, with 3 mines, although the first two cells of row 3 are proved safe."""
LOST = ("1##/1##/###/###", "1!*/1##/##*/###")
"""The same position, and the mine that was hit."""
NEEDED = ("1#/1#", "11/1#")
"""A guess, with 1 mine, while no cell was proved safe."""
SAFE = ("1##/1##/###/###", "1##/1##/1##/###")
"""A proved cell was opened."""
INFO = SessionInfo(
    version="1", started="2026-11-23T13:16:56+01:00", window="Mines", skin="mine",
    solver="lookahead", style="no flags", player="user",
)  # fmt: skip


def record(folder: Path, boards: tuple[str, ...], mines: int) -> Path:
    """Record a game: a turn for each board."""
    writer = SessionWriter(folder, INFO)
    for number, text in enumerate(boards):
        writer.write(replace(turn_of(Board.parse(text, mines)), number=number))
    writer.close()
    return folder


def play(sessions: Path, name: str, boards: tuple[str, ...], mines: int, **other: object) -> None:
    """Record a game that the user played, and write its row in the history."""
    record(sessions / name, boards, mines)
    add(name, **other)


def add(session: str, **other: object) -> None:
    """Write a row of the history for a recorded game of the user."""
    values = {"player": Player.USER, "result": Result.LOST, "session": session} | other
    entry = game(**values)  # type: ignore[arg-type]
    with History.to_write(history_file()) as history:
        later = timedelta(minutes=history.state()[0])
        history.add([(replace(entry, started=entry.started + later), ())])
