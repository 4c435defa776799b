"""Readings without a screen, made from a game directly, for tests of the loop."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bot.analysis import Limit
from bot.board import COVERED, EXPLODED, Board
from bot.frame import Frame, Grid, Reading, Region, Status
from bot.game import Game
from bot.loop import Event, Turn, play
from bot.planner import plan
from bot.solver import solver
from tests.support.sampling import sampled

PITCH = 16
SESSIONS = Path(__file__).parents[1] / "sessions"
_FOLDERS = sorted(path.parent for path in SESSIONS.glob("*/session.json"))
_OF_EACH_SKIN = {
    json.loads((folder / "session.json").read_text("utf-8"))["skin"]: folder
    for folder in sorted(_FOLDERS, key=lambda folder: folder.name.endswith("beginner-won"))
}.values()


def recordings(quick: int = len(_OF_EACH_SKIN)) -> list[Any]:
    """Return the folders of all recorded games as parameters; all but some skins' are slow."""
    folders = sorted(_FOLDERS, key=lambda folder: folder not in _OF_EACH_SKIN)
    return sampled(folders, quick)


def grid_of(rows: int, cols: int, left: float = 100) -> Grid:
    """Return a grid of 16 points a cell with a face above it."""
    face = Region(round(left + cols * PITCH / 2) - 12, 40, 24, 24)
    return Grid(left, 80, PITCH, PITCH, rows, cols, face=face)


def reading_of(board: Board, status: Status | None = None, number: int = 0) -> Reading:
    """Return the reader's reading of a board; the status follows from the tiles by default."""
    grid = grid_of(board.rows, board.cols)
    region = grid.view
    image = np.full((region.height, region.width, 3), number % 256, np.uint8)
    confidence = np.ones(board.tiles.shape, np.float32)
    return Reading(
        Frame(image, region, float(number), number),
        grid,
        board,
        status or _status(board),
        confidence,
    )


def play_without_screen(
    game: Game, send: Callable[[Turn], tuple[Event, ...]] | None = None
) -> Iterator[Turn]:
    """Play with the loop and the exact solver on a game without a screen.

    Args:
        game: The game, played to its end.
        send: Returns the events sent for a turn; none by default.
    """
    events: list[Event] = []

    def open_cells(turn: Turn) -> None:
        for move in turn.moves:
            assert move.cell is not None
            game.open(move.cell)
        events.extend(send(turn) if send else ())

    def sent() -> tuple[Event, ...]:
        taken = tuple(events)
        events.clear()
        return taken

    return play(
        lambda last: reading_of(game.board, game.status, 0 if last is None else last.number + 1),
        lambda board: solver("exact").solve(board, Limit()),
        lambda reading, analysis: plan(reading.board, analysis) if analysis else (),
        open_cells,
        sent,
    )


def _status(board: Board) -> Status:
    if (board.tiles == EXPLODED).any():
        return Status.LOST
    if (board.tiles <= COVERED).sum() == board.mines:
        return Status.WON
    return Status.PLAYING
