"""What is no digit, read by its shape; and what follows from when and where it appears."""

from __future__ import annotations

import numpy as np

from bot.board import COVERED, FLAG, MINE, Board
from tests.support.strange import Strange
from tests.tools.train_symbols import mine_over_flag
from vision.digits import glyph_masks, read_symbols
from vision.learning.learner import Learner
from vision.skins.skin import Skin

SIDE = 24


def shown(learner: Learner, skin: Strange, text: str) -> np.ndarray:
    """What is read of a made-up board."""
    board = Board.parse(text, 1)
    codes: np.ndarray = learner.see(skin.tiles(board, SIDE), board.rows, board.cols).codes
    return codes


def test_no_program_s_flag_reads_as_a_mine_nor_a_mine_as_a_flag(skins: tuple[Skin, ...]) -> None:
    """None of their pictures trained the reader; where it says much, it is right."""
    for skin in skins:
        for code, sign in ((MINE, 1), (FLAG, -1)):
            for picture in skin.pictures.get(code, []):
                odds = sign * mine_over_flag(read_symbols(glyph_masks(picture[None])))[0]
                assert odds > -1, (skin.name, code)


def test_a_flag_may_come_before_the_first_click() -> None:
    """On a board that is known to be one, flags need no hint beside them."""
    skin, learner = Strange(2), Learner("learned", (SIDE, SIDE))
    closed = "/".join(["#" * 9] * 9)
    assert (shown(learner, skin, closed) == COVERED).all()
    flagged = closed.replace("#########", "##F#F#F##", 1)
    assert set(shown(learner, skin, flagged)[0].tolist()) == {COVERED, FLAG}
