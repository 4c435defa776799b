"""What a learner hands on: what it reads, and what it asks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from vision.skins import Skin


class AnswerRefused(ValueError):
    """The board cannot be what the answer makes of it."""


@dataclass(frozen=True, eq=False)
class Question:
    """What is this? Asked of the user, once a kind of tile."""

    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, as it was seen."""
    cells: tuple[Cell, ...]
    """Where it is on the board that was seen last."""
    likely: tuple[int, ...]
    """Tile codes, the likeliest first."""
    refused: tuple[int, ...] = ()
    """Answers that were given and cannot be, the last one last."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of tile that was met, and what it is taken for."""

    number: int
    """Tells it from the others, as long as the learner lives."""
    picture: NDArray[np.uint8]
    """(h, w, 3) uint8 BGR, the first one met."""
    cells: tuple[Cell, ...]
    """Where it is on the board that was seen last."""
    state: int
    """Tile code; UNREAD where nothing settles it, or where it is left out."""
    confidence: float
    """0..1."""
    told: bool
    """Whether somebody said so."""
    likely: tuple[int, ...]
    """Tile codes, the likeliest first; empty where the state is settled."""


@dataclass(frozen=True, eq=False)
class LearningResult:
    """What is known after a look."""

    skin: Skin | None
    """Pictures of the settled kinds; None while there is none."""
    codes: NDArray[np.int8]
    """(rows, cols) int8, UNREAD where the kind is not settled."""
    confidence: NDArray[np.float32]
    """(rows, cols) float32 in 0..1."""
    questions: tuple[Question, ...]
    believable: bool
    """False where no labelling makes this a game of Minesweeper."""
