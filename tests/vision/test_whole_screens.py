"""Whole screens, found and read from scratch: every board, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.board import Board
from vision.capture import load_image
from vision.finder import survey
from vision.skins import Skin

SCREENS = Path(__file__).parents[1] / "screens"
SHOTS = sorted(path.stem for path in SCREENS.glob("*.png"))
LIKE_OTHERS = ("looks-150", "looks-175", "no-game-1280")
"""Screens that differ from another one by their scale or their size alone."""


def boards_of(shot: str) -> list[tuple[str, str]]:
    """Skin and board text of each board of a shot, checked by eye."""
    blocks = (SCREENS / f"{shot}.txt").read_text("utf-8").split("\n\n")
    named = [block.strip().split("\n", 1) for block in blocks if block.strip()]
    return sorted((skin, str(Board.parse(text, 1))) for skin, text in named)


@pytest.mark.long
@pytest.mark.parametrize(
    "shot",
    [pytest.param(shot, marks=pytest.mark.slow if shot in LIKE_OTHERS else []) for shot in SHOTS],
)
def test_every_board_of_a_screen_is_found_and_read(shot: str, skins: tuple[Skin, ...]) -> None:
    """Exactly the boards that are there, with their very tiles; none where there are none."""
    found, _ = survey(load_image(SCREENS / f"{shot}.png"), skins)
    read = sorted((seen.skin.name, str(Board(seen.tiles, 1))) for seen in found)
    assert read == boards_of(shot)
