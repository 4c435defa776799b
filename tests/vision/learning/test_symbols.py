"""What is no digit, read by its shape; and what follows from when and where it appears."""

from __future__ import annotations

import numpy as np

from bot.board import COVERED, EXPLODED, FLAG, MINE, MISFLAG, QUESTION, UNREAD, Board
from tests.benchmarks.learning import Tally, learn, looks_of
from tests.support.boards import SESSIONS
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


def test_exploded_mine_is_recognised_by_its_rim() -> None:
    """XBomb draws it like the others, but for its lines; neighbours' lines do not matter."""
    tally = Tally()
    learn(looks_of(SESSIONS / "xbomb-intermediate-lost"), tally)
    assert tally.wrong == 0
    assert tally.shares[MINE] == tally.shares[EXPLODED] == 1.0


def test_marks_that_change_their_ground_at_a_loss_are_what_they_were() -> None:
    """GNOME Mines darkens what is covered: question marks stay, wrong flags turn red."""
    tally = Tally()
    learn(looks_of(SESSIONS / "gnome-mines-default-hand-2"), tally)
    assert tally.wrong == 0
    assert tally.shares[QUESTION] == tally.shares[MISFLAG] == tally.shares[FLAG] == 1.0
    assert UNREAD not in tally.shares
